// SPDX-License-Identifier: Apache-2.0

/// Names of signals, by number and by the texts that reporters print.
enum SignalNames {
  private static let shared: [Int64: String] = [
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 8: "SIGFPE",
    9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM", 24: "SIGXCPU",
    25: "SIGXFSZ",
  ]
  private static let onLinux: [Int64: String] = [7: "SIGBUS", 16: "SIGSTKFLT", 31: "SIGSYS"]
  private static let onDarwin: [Int64: String] = [7: "SIGEMT", 10: "SIGBUS", 12: "SIGSYS"]

  static func linux(_ number: Int64) -> String? { shared[number] ?? onLinux[number] }
  static func darwin(_ number: Int64) -> String? { shared[number] ?? onDarwin[number] }

  private static let descriptions: [(String, String)] = [
    ("illegal instruction", "SIGILL"), ("trace trap", "SIGTRAP"), ("trace/bpt trap", "SIGTRAP"),
    ("trace/breakpoint trap", "SIGTRAP"), ("system trap", "SIGTRAP"), ("abort", "SIGABRT"),
    ("bad pointer dereference", "SIGSEGV"), ("segmentation fault", "SIGSEGV"),
    ("access violation", "SIGSEGV"), ("bus error", "SIGBUS"), ("divide error", "SIGFPE"),
    ("floating point exception", "SIGFPE"), ("arithmetic exception", "SIGFPE"),
    ("terminated", "SIGTERM"), ("quit", "SIGQUIT"), ("killed", "SIGKILL"),
    ("bad system call", "SIGSYS"),
  ]

  /// The signal that a text such as `Illegal instruction` describes.
  static func describing(_ text: String) -> String? {
    let lower = text.lowercased()
    return descriptions.first { lower.hasPrefix($0.0) }?.1
  }

  /// The first word like `SIGSEGV` in a text.
  static func named(in text: String) -> String? {
    guard let range = CrashText.find("SIG", in: text) else { return nil }
    let name = text[range.lowerBound...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let known = Set(shared.values).union(onLinux.values).union(onDarwin.values)
    return known.contains(String(name)) ? String(name) : nil
  }
}
