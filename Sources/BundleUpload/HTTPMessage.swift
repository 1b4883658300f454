// SPDX-License-Identifier: Apache-2.0

package import LogModel

/// What is sent in a request: bytes, then a part of a file, then bytes.
struct HTTPBody {
  var prefix: [UInt8] = []
  /// An open file; -1 for none.
  var file: Int32 = -1
  var fileOffset: Int64 = 0
  var fileLength: Int64 = 0
  var suffix: [UInt8] = []

  var length: Int64 { Int64(prefix.count) + fileLength + Int64(suffix.count) }
}

/// One request to a server.
struct HTTPRequest {
  var method: String
  var address: Address
  var headers: [UploadTarget.Pair] = []
  /// `nil` for a request without a body, such as `HEAD`.
  var body: HTTPBody?
}

/// A server's whole answer.
package struct HTTPResponse: Sendable {
  package var status = 0
  /// Names in small letters.
  package var headers: [UploadTarget.Pair] = []
  /// Its beginning.
  package var body: [UInt8] = []
  /// Seconds of `Retry-After`, also when it was a date.
  package var retryAfter: Int64?
  /// Bytes of the request's body that went out.
  package var sentBytes: Int64 = 0

  static let mostBodyBytes = 4096

  package func header(_ name: String) -> String? { headers.last { $0.name == name }?.value }

  var isSuccess: Bool { 200...299 ~= status }
}

/// An exchange that brought no whole answer.
package struct TransferError: Error, CustomStringConvertible, Sendable {
  package enum Kind: Sendable {
    /// The connection could not be made, broke, or stalled: it may work later.
    case connection
    /// The other end is not who it should be; nothing was sent.
    case certificate
    /// A file of ours could not be read, or is not what it was.
    case local
    /// What was configured can't be used.
    case configuration
    case interrupted
  }

  package var kind: Kind
  package var description: String
  /// Bytes of the request's body that went out.
  package var sentBytes: Int64

  init(_ kind: Kind, _ description: String, sentBytes: Int64 = 0) {
    self.kind = kind
    self.description = description
    self.sentBytes = sentBytes
  }
}
