// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The words that sources use for severities, and their OpenTelemetry numbers.
enum LevelWords {
  /// Whose words they are: two of them differ.
  enum Vocabulary {
    /// "critical" is the highest level, as in swift-log and Python.
    case criticalIsHighest
    /// "alert" and "emerg" stand above "critical", as in syslog and nginx.
    case syslog

    var critical: Severity { self == .syslog ? .critical : .fatal }
  }

  /// The severity that `word` means in any case of its letters; `nil` when it is no level.
  static func severity(of word: Line, _ vocabulary: Vocabulary = .criticalIsHighest) -> Severity? {
    guard word.count >= 2, word.count <= 13 else { return nil }
    var key: UInt64 = 0
    for index in 0..<min(8, word.count) {
      let byte = word[index]
      key |= UInt64(byte.isUpper ? byte | 0x20 : byte) &<< UInt64(index &* 8)
    }
    return word.count > 8 ? long(word, key) : short(key, vocabulary)
  }

  /// The severity of a word with a distance, as Go's slog writes levels between its own: `ERROR+2`.
  static func severity(ofShifted word: Line) -> Severity? {
    var mark = 0
    while word.at(mark).isLetter { mark += 1 }
    guard word.at(mark) == Byte.plus || word.at(mark) == Byte.dash,
      let named = severity(of: word.slice(0, mark)), let by = word.decimal(mark + 1, word.count)
    else { return nil }
    let distance = Int(min(by, 24)) * (word[mark] == Byte.dash ? -1 : 1)
    return Severity(number: UInt8(max(1, min(24, Int(named.number) + distance))))
  }

  /// The severity of one capital letter, as glog, logcat and CocoaLumberjack write it.
  static func severity(ofLetter letter: UInt8) -> Severity? {
    switch letter {
    case UInt8(ascii: "V"), UInt8(ascii: "T"): .trace
    case UInt8(ascii: "D"): .debug
    case UInt8(ascii: "I"): .info
    case UInt8(ascii: "W"): .warn
    case UInt8(ascii: "E"): .error
    case UInt8(ascii: "F"): .fatal
    default: nil
    }
  }

  /// The severity of syslog's number 0 (emergency) to 7 (debug).
  static func severity(ofSyslog number: Int) -> Severity {
    switch number & 7 {
    case 0: .fatal
    case 1: .alert
    case 2: .critical
    case 3: .error
    case 4: .warn
    case 5: .notice
    case 6: .info
    default: .debug
    }
  }

  /// The severity of bunyan's, pino's and Python's numbers: tens; what lies between belongs to the
  /// lower named level. `lowest` is the number of their lowest level, `trace` in the first two.
  static func severity(ofTens number: Int64, fatal: Int64 = 60) -> Severity {
    let steps = (fatal - number + 9) / 10
    switch steps {
    case ...0: return .fatal
    case 1: return .error
    case 2: return .warn
    case 3: return .info
    case 4: return .debug
    default: return .trace
    }
  }

  private static func long(_ word: Line, _ key: UInt64) -> Severity? {
    func ends(_ text: StaticString) -> Bool {
      guard word.count == 8 + text.utf8CodeUnitCount else { return false }
      for index in 8..<word.count where word[index] | 0x20 != text.utf8Start[index - 8] {
        return false
      }
      return true
    }
    switch key {
    case 0x7461_6d72_6f66_6e69: return ends("ion") || ends("ional") ? .info : nil  // informat
    case 0x636e_6567_7265_6d65: return ends("y") ? .fatal : nil  // emergenc
    default: return nil
    }
  }

  // The keys are the words' bytes in lower case, the first in the lowest place: a comparison of one
  // integer instead of up to fifty strings.
  private static func short(_ key: UInt64, _ vocabulary: Vocabulary) -> Severity? {
    switch key {
    case 0x0065_6361_7274: return .trace  // trace
    case 0x63_7274: return .trace  // trc
    case 0x6361_7274: return .trace  // trac, as logrus cuts it
    case 0x6775_6265_6464: return .trace  // ddebug
    case 0x6775_6265_6462_7573: return .trace  // subdebug
    case 0x0065_736f_6272_6576: return .trace  // verbose
    case 0x6272_6576: return .trace  // verb
    case 0x62_7276: return .trace  // vrb
    case 0x0079_6c6c_6973: return .trace  // silly
    case 0x6169_7669_7274: return .trace  // trivia, below verbose at VMware
    case 0x7473_656e_6966: return .trace  // finest
    case 0x6d61_7073: return .trace  // spam
    case 0x0067_7562_6564: return .debug  // debug
    case 0x67_6264: return .debug  // dbg
    case 0x6775_6264: return .debug  // dbug (log15)
    case 0x6762_6564: return .debug  // debg (Supervisor)
    case 0x7562_6564: return .debug  // debu, as logrus cuts it
    case 0x6264: return .debug  // db
    case 0x0072_656e_6966: return .debug  // finer
    case 0x3167_7562_6564: return .debug  // debug1
    case 0x3267_7562_6564: return .debug  // debug2
    case 0x3367_7562_6564: return .debug  // debug3
    case 0x3467_7562_6564: return .debug  // debug4
    case 0x3567_7562_6564: return .debug  // debug5
    case 0x656e_6966: return Severity(number: 6)  // fine
    case 0x6769_666e_6f63: return Severity(number: 7)  // config
    case 0x6f66_6e69: return .info  // info
    case 0x66_6e69: return .info  // inf
    case 0x67_6f6c: return .info  // log
    case 0x7074_7468: return .info  // http
    case 0x0074_6964_7561: return .info  // audit
    case 0x6574_6f6e: return .info  // note
    case 0x6d65_7473_7973: return .info  // system
    case 0x6c61_6d72_6f6e: return .info  // normal
    case 0x6563_6974_6f6e: return .notice  // notice
    case 0x0073_7365_6363_7573: return .notice  // success
    case 0x0074_6c75_6166_6564: return .notice  // default
    case 0x6b72_616d: return .notice  // mark
    case 0x6e72_6177: return .warn  // warn
    case 0x0067_6e69_6e72_6177: return .warn  // warning
    case 0x0069_6e72_6177: return .warn  // warni, cut to five letters
    case 0x6e_7277: return .warn  // wrn
    case 0x0072_6f72_7265: return .error  // error
    case 0x72_7265: return .error  // err
    case 0x726f_7265: return .error  // eror
    case 0x6f72_7265: return .error  // erro
    case 0x6572_6576_6573: return .error  // severe
    case 0x0065_7275_6c69_6166: return .error  // failure
    case 0x6465_6c69_6166: return .error  // failed
    case 0x7469_7263: return .critical  // crit
    case 0x6369_6e61_7064: return .critical  // dpanic
    case 0x0074_7265_6c61: return .alert  // alert
    case 0x0063_696e_6170: return .alert  // panic
    case 0x696e_6170: return .alert  // pani, as logrus cuts it
    case 0x006c_6174_6166: return .fatal  // fatal
    case 0x6174_6166: return .fatal  // fata, as logrus cuts it
    case 0x0067_7265_6d65: return .fatal  // emerg
    case 0x6c_7466: return .fatal  // ftl
    case 0x63_6e70: return .alert  // pnc
    case 0x0074_6c75_6166: return .fatal  // fault
    case 0x0074_726f_6261: return .fatal  // abort
    case 0x6c61_6369_7469_7263: return vocabulary.critical  // critical
    case 0x0069_7469_7263: return vocabulary.critical  // criti, cut to five letters
    default: return nil
    }
  }
}
