// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// How the values of home-made reports, text and JSON, become fields.
enum HandlerFields {
  /// Without a name, a reason such as `signal 11 (Segmentation fault) at address 0x10` may tell.
  static func setSignal(from reason: String?, in report: inout CrashReport) {
    guard let reason, report.kind == .unknown else { return }
    let number = CrashText.find("ignal ", in: reason).flatMap { range in
      CrashText.leadingInt(reason[range.upperBound...])?.0
    }
    report.signal =
      SignalNames.named(in: reason) ?? number.flatMap { SignalNames.linux(Int64($0)) }
    guard report.signal != nil else { return }
    report.kind = .signal
    if let at = CrashText.find("address 0x", in: reason) {
      report.faultAddress = CrashText.address(reason[at.lowerBound...].dropFirst(8))
    }
  }

  /// The name is an exception's or a signal's.
  static func setName(_ name: String?, in report: inout CrashReport) {
    report.signal = name.flatMap { SignalNames.named(in: $0) }
    if report.signal != nil {
      report.kind = .signal
    } else if let name {
      report.kind = .exception
      report.exceptionType = name
    }
  }

  /// A time without a zone is read as UTC, and flagged.
  static func setTime(_ text: String?, in report: inout CrashReport, modified: Timestamp) {
    guard let text, let time = CrashTime.read(text) else { return }
    CrashTime.set(time, in: &report, modified: modified)
    if CrashTime.civil(text)?.hasZone == false {
      report.flags.insert(.zoneAssumed)
    }
  }

  /// `Shop 1.4.2 (389)`: a name, perhaps with its version and build.
  static func setApp(_ text: String?, in report: inout CrashReport) {
    guard let text else { return }
    let (head, build) = parenthesised(text)
    var words = head.split(separator: " ").map(String.init)
    if words.count > 1, let last = words.last, last.first?.isNumber == true {
      report.version = report.version ?? last
      words.removeLast()
    }
    report.build = report.build ?? build
    report.process = CrashText.meaningful(words.joined(separator: " "))
  }

  /// `1.4.2 (389)`: a version and a build.
  static func setVersion(_ text: String?, in report: inout CrashReport) {
    guard let text = CrashText.meaningful(text) else { return }
    let (version, build) = parenthesised(text)
    report.version = CrashText.meaningful(version)
    report.build = build ?? report.build
  }

  private static func parenthesised(_ text: String) -> (head: String, inner: String?) {
    guard text.hasSuffix(")"), let (head, inner) = CrashText.split(text, at: " (") else {
      return (text, nil)
    }
    return (head, CrashText.meaningful(String(inner.dropLast())))
  }

  /// `iPhone14,2, iOS 19.1`: a model, perhaps with the system behind it.
  static func setDevice(_ device: String?, os: String?, in report: inout CrashReport) {
    var system = os
    if let device, let (model, rest) = CrashText.split(device, at: ", ") {
      report.device = model
      system = system ?? rest
    } else {
      report.device = device
    }
    guard let system else { return }
    let words = system.split(separator: " ", maxSplits: 1).map(String.init)
    let isVersion = words.count == 1 && system.first?.isNumber == true
    report.osName = isVersion ? nil : words.first
    report.osVersion = isVersion ? system : words.dropFirst().first
  }

  /// Without a name, the program is the outermost image that is no system library.
  static func inferProcess(in report: inout CrashReport) {
    guard report.process == nil else { return }
    let own = report.frames.last { frame in
      frame.image.map { !CrashFingerprint.isSystemImage($0) } ?? false
    }
    report.process = own?.image
  }
}
