// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// How the program ends; the numbers are those of `logagent` (and of sysexits.h).
package enum UploadStatus: Int32, Sendable {
  case ok = 0
  case usage = 64
  /// The server will not take it.
  case refused = 65
  case noInput = 66
  /// Something must be mended first, such as a certificate.
  case unavailable = 69
  case cannotCreate = 73
  case inputOutput = 74
  case tryAgain = 75
  case notAllowed = 77
  case interrupted = 130

  /// The one of two that a script must know of more.
  func worst(_ other: UploadStatus) -> UploadStatus {
    let order: [UploadStatus] = [
      .ok, .tryAgain, .unavailable, .refused, .noInput, .notAllowed, .cannotCreate, .inputOutput,
      .usage, .interrupted,
    ]
    let rank = { (status: UploadStatus) in order.firstIndex(of: status) ?? 0 }
    return rank(other) > rank(self) ? other : self
  }
}
