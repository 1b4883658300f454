// SPDX-License-Identifier: Apache-2.0

/// How a run of a process ended. The raw value is stored.
public enum RunOutcome: String, Sendable, CaseIterable {
  /// With status 0.
  case clean
  /// With another status.
  case exit
  /// By a fault of its own.
  case crash
  /// By a signal that somebody sent.
  case killed
  /// By the kernel, which needed its memory.
  case outOfMemory = "out-of-memory"
  /// Nobody has seen its end, or it has none yet.
  case unknown

  /// The signals by which a process ends through its own fault.
  public static let crashSignals: Set<String> = [
    "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV", "SIGSYS",
  ]
}
