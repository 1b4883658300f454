// SPDX-License-Identifier: Apache-2.0

/// Groups crashes by cause.
///
/// Version 1 hashes these lines, in this order:
/// 1. `v1`;
/// 2. the cause: the exception's type, else the signal, else the kind. Failed checks and machine
///    exceptions that only repeat a signal count as `assertion` and as the signal;
/// 3. up to four frames, innermost first, as `image symbol`: the program's own ones, or all that
///    are not generic when it has none. Repeated frames (recursion) count once. A frame without a
///    symbol counts as `image+offset`. What the compiler has put into the program (thunks, copies
///    of the standard library's code) is not its own while there is anything else.
/// 4. When none of the frames is the program's own: the process, and the reason with its numbers
///    taken out.
///
/// Addresses, offsets within symbols, lines, folders and the suffixes that compilers give to copies
/// of a function do not take part, so ASLR, another checkout and a rebuild keep the fingerprint.
public enum CrashFingerprint {
  /// The version of the rule; it is part of the hash.
  public static let version = 1
  private static let maxFrames = 4

  /// Sets `report.fingerprint` (16 hexadecimal digits) and `report.topFrame`.
  public static func apply(to report: inout CrashReport) {
    let significant = significantFrames(of: report)
    report.topFrame = (significant.first ?? report.frames.first).map { describe($0) }
    var lines = ["v\(version)", cause(of: report)]
    lines.append(contentsOf: keys(of: significant.isEmpty ? report.frames : significant))
    if dependsOnReason(report) {
      lines.append(report.process ?? "")
      lines.append(withoutNumbers(report.reason ?? ""))
    }
    let text = Array(lines.joined(separator: "\n").utf8)
    let hash = text.withUnsafeBufferPointer { LogModel.fingerprint($0) }
    let digits = String(hash, radix: 16)
    report.fingerprint = String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Whether the reason takes part: no frame is of the program itself.
  package static func dependsOnReason(_ report: CrashReport) -> Bool {
    !significantFrames(of: report).contains(where: isOwn)
  }

  private static func cause(of report: CrashReport) -> String {
    if report.kind == .assertion { return "assertion" }
    if let type = report.exceptionType, !(type.hasPrefix("EXC_") && report.signal != nil) {
      return type
    }
    return report.signal ?? report.kind.rawValue
  }

  private static func keys(of frames: [CrashFrame]) -> [String] {
    var keys: [String] = []
    for frame in frames {
      let symbol = frame.symbol.map { CrashSymbol.normalised($0) }
      let place = symbol ?? frame.offset.map { "+" + String($0, radix: 16) } ?? ""
      let key = "\(frame.image ?? "") \(place)"
      if keys.last != key { keys.append(key) }
      if keys.count == maxFrames { break }
    }
    return keys
  }

  /// The program's own frames; those that are not generic when it has none.
  private static func significantFrames(of report: CrashReport) -> [CrashFrame] {
    let specific = report.frames.filter { frame in
      frame.symbol.map { !CrashSymbol.isGeneric($0) } ?? isOwn(frame)
    }
    let own = specific.filter(isOwn)
    let written = own.filter { !isMadeByCompiler($0) }
    if !written.isEmpty { return written }
    return own.isEmpty ? specific : own
  }

  /// Whether the frame is a copy of the standard library's code, or a thunk, that the compiler has
  /// put into the program: nobody wrote it there, and whether it exists depends on the optimiser.
  private static func isMadeByCompiler(_ frame: CrashFrame) -> Bool {
    if let file = frame.file {
      if file.hasSuffix("<compiler-generated>") || file.hasPrefix("Swift/") { return true }
    }
    return frame.symbol.map(CrashSymbol.isStandardLibraryCopy) ?? false
  }

  private static func isOwn(_ frame: CrashFrame) -> Bool {
    frame.image.map { !isSystemImage($0) } ?? (frame.symbol != nil)
  }

  /// Whether an image, named without folders, belongs to the system and not to a program.
  public static func isSystemImage(_ image: String) -> Bool { SystemImages.contains(image) }

  private static func describe(_ frame: CrashFrame) -> String {
    let symbol = frame.symbol.map { symbol in
      // The optimiser's copy of a function is that function to people.
      symbol.hasPrefix("specialized ")
        ? String(symbol.dropFirst(12)) : SymbolName.readable(symbol)
    }
    if symbol == nil, let image = frame.image, let offset = frame.offset {
      return "\(image) + \(offset)"
    }
    if symbol == nil, frame.address == nil, let place = place(of: frame) { return place }
    var text = symbol ?? frame.address.map { "0x" + String($0, radix: 16) } ?? "?"
    if let image = frame.image { text += " in \(image)" }
    if let place = place(of: frame) { text += " at " + place }
    return text
  }

  /// The file without folders, which differ between builds, and the line.
  private static func place(of frame: CrashFrame) -> String? {
    guard let file = frame.file else { return nil }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    guard let line = frame.line, line > 0 else { return name }
    return "\(name):\(line)"
  }

  /// Digits and hexadecimal numbers become `#`: they tell instances apart, not causes.
  private static func withoutNumbers(_ text: String) -> String {
    var result: [UInt8] = []
    var inNumber = false
    for byte in text.utf8.prefix(500) {
      let isDigit = byte >= 0x30 && byte <= 0x39
      let isHexLetter = inNumber && byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66
      let isMark = inNumber && result.last == 0x23 && byte | 0x20 == 0x78
      if isDigit || isHexLetter || isMark {
        if !inNumber { result.append(0x23) }
        inNumber = true
      } else {
        inNumber = false
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
