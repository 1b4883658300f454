// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What Apple's JSON and text reports (and those of PLCrashReporter and KSCrash in that style) share.
enum AppleFields {
  /// `iPhone OS 15.2.1 (19C63)`: the name ends where the version begins.
  static func setSystem(_ text: String?, in report: inout CrashReport) {
    guard let text = CrashText.meaningful(text) else { return }
    let words = text.split(separator: " ")
    let start = words.firstIndex { $0.first?.isNumber == true } ?? words.count
    report.osName = CrashText.meaningful(words[..<start].joined(separator: " "))
    report.osVersion = CrashText.meaningful(words[start...].joined(separator: " "))
  }

  /// `EXC_CRASH (SIGABRT)`, or a signal alone.
  static func setException(_ text: String?, subtype: String?, in report: inout CrashReport) {
    guard let text = CrashText.meaningful(text) else { return }
    report.kind = .signal
    report.signal = SignalNames.named(in: text)
    let name = text.split(separator: " ").first.map(String.init) ?? text
    if !name.hasPrefix("SIG") { report.exceptionType = name }
    // The processor's time and wake-ups are limited too.
    let isMemory = subtype.map { $0.hasPrefix("MEMORY") } ?? true
    if name == "EXC_RESOURCE", isMemory { report.kind = .outOfMemory }
  }

  /// `KERN_INVALID_ADDRESS at 0x0000000000000000`, `SEGV_MAPERR at 0x88`.
  static func setCode(_ text: String?, in report: inout CrashReport) {
    guard let text, let at = CrashText.find(" at 0x", in: text) else { return }
    let name = CrashText.trim(text[..<at.lowerBound])
    guard name.first?.isLetter == true else { return }
    report.signalCode = name.split { $0 == " " || $0 == "," }.last.map(String.init)
    report.faultAddress = CrashText.address(text[at.lowerBound...].dropFirst(4))
  }

  /// Reads what the program left behind: an exception of its own, or a message of its runtime.
  static func setInformation(_ text: String?, in report: inout CrashReport) {
    guard let text = CrashText.meaningful(text) else { return }
    report.reason = text
    if let name = CrashText.between("uncaught exception '", "'", in: text) {
      report.kind = .exception
      report.exceptionType = name
      if let reason = CrashText.between("reason: '", "'\n", in: text + "\n") {
        report.reason = reason
      }
    } else if ["Fatal error", "Precondition failed", "Assertion failed"].contains(where: {
      CrashText.contains(text, $0)
    }) {
      report.kind = .assertion
    }
  }

  /// Gives the fingerprint by the stack of the exception, which tells more than that of the thread
  /// in which it was found to be uncaught.
  static func finish(_ report: inout CrashReport, exceptionFrames: [CrashFrame]) {
    if report.kind == .signal, report.frames.prefix(3).contains(where: \.isFailedCheck) {
      report.kind = .assertion
    }
    var grouped = report
    if !exceptionFrames.isEmpty { grouped.frames = exceptionFrames }
    CrashFingerprint.apply(to: &grouped)
    report.fingerprint = grouped.fingerprint
    report.topFrame = grouped.topFrame
  }
}
