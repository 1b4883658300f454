// SPDX-License-Identifier: Apache-2.0

/// What became of an attempt to send a file.
enum UploadOutcome {
  /// A 2xx came whole.
  case accepted(HTTPResponse)
  /// It may work later; not before `after` seconds when the server said so.
  case later(String, after: Int64?)
  /// The server will never take this file in this way.
  case refused(String)
  /// Somebody must mend something first: a certificate, a credential, the configuration.
  case blocked(String)
  /// Somebody asked us to end.
  case interrupted

  /// What an answer other than the hoped-for one means.
  init(_ response: HTTPResponse, from address: Address) {
    if response.isSuccess {
      self = .accepted(response)
      return
    }
    let status = response.status
    let text = Self.describe(response, from: address)
    switch status {
    case 408, 425, 429: self = .later(text, after: response.retryAfter)
    // Not implemented, version not supported: no other answer will come.
    case 501, 505: self = .refused(text)
    case 500...599: self = .later(text, after: response.retryAfter)
    default: self = .refused(text)
    }
  }

  init(_ error: TransferError) {
    switch error.kind {
    case .connection: self = .later(error.description, after: nil)
    case .certificate, .configuration: self = .blocked(error.description)
    case .local: self = .refused(error.description)
    case .interrupted: self = .interrupted
    }
  }

  private static func describe(_ response: HTTPResponse, from address: Address) -> String {
    let status = response.status
    var text = "\(address.shown) answered \(status)"
    if let phrase = phrases[status] { text += " " + phrase }
    if let hint = hints[status] { text += ": " + hint }
    // What the server says for people, when it is one short line of text.
    let body = String(decoding: response.body, as: UTF8.self)
    let line = body.prefix { !$0.isNewline }
    let isPlain = response.header("content-type")?.hasPrefix("text/plain") ?? false
    if isPlain, !line.isEmpty, line.count <= 200 { text += " (it says: \(line))" }
    return text
  }

  private static let phrases: [Int: String] = [
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
    411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
    415: "Unsupported Media Type", 422: "Unprocessable Content", 425: "Too Early",
    429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    507: "Insufficient Storage",
  ]

  private static let hints: [Int: String] = [
    401: "the token or password is missing or not accepted; see upload.token",
    403: "the token or user may not upload there",
    404: "there is no such address; see upload.url",
    405: "it does not take this method there; see upload.method",
    413: "the file is too large for it; export less with --max-size",
  ]
}
