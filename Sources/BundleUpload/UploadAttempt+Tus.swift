// SPDX-License-Identifier: Apache-2.0

internal import LogModel

extension UploadAttempt {
  /// Sends by the tus protocol, version 1.0: create, ask for the offset, send from there.
  mutating func sendTus(_ item: inout OutboxItem) throws(AttemptError) -> UploadOutcome {
    if let known = item.state.uploadURL, let place = try? Address(known) {
      return try resume(&item, at: place)
    }
    let response = try ask(creation(item))
    guard response.status == 201, let location = response.header("location"),
      let place = try? Address(location, relativeTo: address)
    else {
      return response.isSuccess
        ? .refused("\(address.shown) made no upload: it is no tus server")
        : UploadOutcome(response, from: address)
    }
    item.state.uploadURL = place.url
    try save(item)
    return try sendRest(of: &item, to: place, from: 0)
  }

  private mutating func resume(
    _ item: inout OutboxItem, at place: Address
  ) throws(AttemptError) -> UploadOutcome {
    let response = try ask(
      HTTPRequest(method: "HEAD", address: place, headers: tusHeaders(item)))
    switch response.status {
    case 200...299:
      guard let given = response.header("upload-offset").flatMap({ Int64($0) }), 0...size ~= given
      else { return .refused("\(place.shown) tells no offset: it is no tus server") }
      let offset = acknowledge(given, &item)
      return offset == size
        ? .accepted(response) : try sendRest(of: &item, to: place, from: offset)
    case 400, 403, 404, 410:
      // The server has forgotten this upload, or can make nothing of it; begin another one.
      item.state.uploadURL = nil
      item.state.offset = 0
      return .later("\(place.shown) knows the upload no more; it begins again", after: 0)
    default: return UploadOutcome(response, from: place)
    }
  }

  private mutating func sendRest(
    of item: inout OutboxItem, to place: Address, from offset: Int64
  ) throws(AttemptError) -> UploadOutcome {
    let request = HTTPRequest(
      method: "PATCH", address: place,
      headers: tusHeaders(item) + [
        .init("Upload-Offset", String(offset)),
        .init("Content-Type", "application/offset+octet-stream"),
      ],
      body: body(from: offset))
    let response = try send(request, &item)
    if response.isSuccess {
      guard let given = response.header("upload-offset").flatMap({ Int64($0) }) else {
        return .refused("\(place.shown) tells no offset: it is no tus server")
      }
      if acknowledge(given, &item) == size { return .accepted(response) }
      return .later("\(place.shown) has \(given) of \(size) bytes", after: nil)
    }
    // Another offset than it has: the next attempt asks.
    if response.status == 409 {
      return .later("\(place.shown) has another offset than \(offset)", after: nil)
    }
    return UploadOutcome(response, from: place)
  }

  private func acknowledge(_ offset: Int64, _ item: inout OutboxItem) -> Int64 {
    if offset > item.state.offset { item.state.failures = 0 }
    item.state.offset = offset
    return offset
  }

  private func tusHeaders(_ item: borrowing OutboxItem) -> [UploadTarget.Pair] {
    headers(item) + [.init("Tus-Resumable", "1.0.0")]
  }

  private func creation(_ item: borrowing OutboxItem) -> HTTPRequest {
    var metadata = ["filename " + Base64.text(item.state.name)]
    // Some servers answer no question about an upload whose type they were not told.
    if !target.fields.contains(where: { $0.name == "filetype" }) {
      metadata.append("filetype " + Base64.text("application/gzip"))
    }
    metadata.append("sha256 " + Base64.text(item.state.sha256))
    for pair in target.fields { metadata.append(pair.name + " " + Base64.text(pair.value)) }
    return HTTPRequest(
      method: "POST", address: address,
      headers: tusHeaders(item) + [
        .init("Upload-Length", String(size)),
        .init("Upload-Metadata", metadata.joined(separator: ",")),
      ],
      body: HTTPBody())
  }
}

/// Base64 (RFC 4648), as tus wants metadata.
enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(_ value: String) -> String {
    let bytes = Array(value.utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let piece = bytes[start..<min(start + 3, bytes.count)]
      var word = 0
      for index in 0..<3 {
        word = word << 8 | (index < piece.count ? Int(piece[start + index]) : 0)
      }
      for index in 0..<4 {
        let letter = letters[word >> (18 - 6 * index) & 63]
        text.append(index <= piece.count ? letter : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
