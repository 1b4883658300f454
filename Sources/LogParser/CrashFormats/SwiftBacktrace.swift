// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What the text and the JSON of Swift's backtracer (`SWIFT_BACKTRACE=…,output-to=…`) share.
///
/// Neither form holds the process, its id or the message of `fatalError`: process and id stand in
/// the file's name, `<comm>-<pid>-<seconds>.<nanoseconds>.log` (6.3 writes `0.0`), where the
/// kernel's `comm` is the program's name cut to 15 bytes.
enum SwiftBacktrace {
  /// A loaded binary.
  struct Image {
    var name: String
    var path: String?
    var base: UInt64
    var end: UInt64
  }

  /// Takes process, id and time from the file's name.
  static func readName(of file: CrashFile, into report: inout CrashReport) {
    guard let dot = file.name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return }
    let parts = file.name[..<dot].split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 3, let pid = Int64(parts[parts.count - 2]), pid > 0 else { return }
    let clock = parts[parts.count - 1].split(separator: ".")
    guard clock.count == 2, let seconds = Int64(clock[0]), let nanoseconds = Int64(clock[1]) else {
      return
    }
    report.pid = pid
    report.process = CrashText.meaningful(parts.dropLast(2).joined(separator: "-"))
    if seconds > 0, report.time == nil {
      let time = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
      CrashTime.set(time, in: &report, modified: file.modified)
    }
  }

  /// Reads what `*** Program crashed: … ***` says: a signal, or a failure of the runtime.
  static func readDescription(_ text: String, into report: inout CrashReport) {
    report.reason = report.reason ?? CrashText.meaningful(text)
    report.signal = SignalNames.describing(text)
    report.kind = report.signal == nil ? .unknown : .signal
    if text.hasPrefix("Swift runtime failure") {
      report.kind = .assertion
      // The compiler's trap instruction, which is another one on each processor.
      switch report.architecture {
      case "x86_64"?, "i386"?, "i686"?: report.signal = "SIGILL"
      case "arm64"?, "aarch64"?, "arm64e"?: report.signal = "SIGTRAP"
      default: break
      }
    }
  }

  /// Takes the address at which it crashed. For SIGABRT the field is the process's id: the
  /// kernel's `siginfo` keeps both in one place.
  static func setAddress(_ address: UInt64?, in report: inout CrashReport) {
    guard report.signal == "SIGABRT" else {
      report.faultAddress = address
      return
    }
    if report.pid == nil, let address, address > 0, address <= 1 << 22 {
      report.pid = Int64(address)
    }
  }

  /// Splits `x86_64 Linux (Debian GNU/Linux 12 (bookworm))` or `macOS 26.0.1 (25A362)`.
  static func readPlatform(_ text: String, into report: inout CrashReport) {
    var words = text.split(separator: " ").map(String.init)
    let architectures = ["x86_64", "arm64", "arm64e", "aarch64", "i386", "i686", "armv7"]
    if let first = words.first, architectures.contains(first) {
      report.architecture = first
      words.removeFirst()
    }
    guard let name = words.first else { return }
    report.osName = name
    var rest = words.dropFirst().joined(separator: " ")
    if rest.hasPrefix("("), rest.hasSuffix(")") { rest = String(rest.dropFirst().dropLast()) }
    report.osVersion = CrashText.meaningful(rest)
  }

  /// Fills in what follows from the images: the program's path, and offsets of bare addresses.
  static func use(_ images: [Image], in report: inout CrashReport) {
    for index in report.frames.indices where report.frames[index].symbol == nil {
      guard let address = report.frames[index].address,
        let image = images.first(where: { $0.base <= address && address < $0.end })
      else { continue }
      report.frames[index].image = image.name
      report.frames[index].offset = address - image.base
    }
    if let process = report.process {
      report.executablePath = images.first { isProgram($0.name, process) }?.path
    }
  }

  private static func isProgram(_ image: String, _ comm: String) -> Bool {
    image == comm || image.utf8.prefix(15).elementsEqual(comm.utf8)
  }

  /// A failed check in Swift code dies by a signal, but is one of the program's own making.
  static func finish(_ report: inout CrashReport) {
    if report.frames.prefix(3).contains(where: \.isFailedCheck) { report.kind = .assertion }
    noteSubscript(in: &report)
    // It says why in a place that only Darwin's reporter reads.
    if report.frames.first?.symbol?.hasPrefix("_dispatch_assert_queue_fail") == true {
      report.reason = "Dispatch assertion failed: not on the expected queue or actor"
      CrashTime.add("the reason is inferred from the stack", to: &report)
    }
    CrashFingerprint.apply(to: &report)
  }

  /// In optimised code the check of an array's index is a bare trap without any words: only the
  /// copy of the subscript on top of the stack tells what it checked.
  private static func noteSubscript(in report: inout CrashReport) {
    guard report.signal == "SIGILL" || report.signal == "SIGTRAP",
      let symbol = report.frames.first?.symbol, symbol.hasPrefix("specialized "),
      symbol.hasSuffix(".subscript.getter") || symbol.hasSuffix(".subscript.setter")
        || symbol.hasSuffix(".subscript.modify") || symbol.hasSuffix("._checkSubscript(_:)")
    else { return }
    let name = symbol.dropFirst(12)
    guard name.hasPrefix("Array") || name.hasPrefix("ContiguousArray") else { return }
    report.kind = .assertion
    report.reason = "Fatal error: Index out of range"
    CrashTime.add("the reason is inferred: the trap lies in \(name)", to: &report)
  }
}
