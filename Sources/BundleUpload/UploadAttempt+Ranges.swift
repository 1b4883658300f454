// SPDX-License-Identifier: Apache-2.0

internal import LogModel

extension UploadAttempt {
  /// Sends by `PUT` that a server can answer with 308 and the range that it has.
  ///
  /// The first request is the whole file, as any server takes it. Only after a connection that broke
  /// is the server asked how much it has (`Content-Range: bytes */SIZE`); its answer counts, never
  /// what was sent.
  mutating func sendRanges(_ item: inout OutboxItem) throws(AttemptError) -> UploadOutcome {
    let place = try named(item)
    var offset: Int64 = 0
    if item.state.isUnanswered || item.state.isResumable {
      let question = HTTPRequest(
        method: "PUT", address: place,
        headers: headers(item) + [.init("Content-Range", "bytes */\(size)")], body: HTTPBody())
      let response = try ask(question)
      switch response.status {
      case 308:
        offset = resume(response, &item)
      case 400, 404, 410, 411, 416, 501:
        // It knows nothing of such questions, or no longer of this upload: from the beginning.
        item.state.isResumable = false
        item.state.offset = 0
      default: return UploadOutcome(response, from: place)
      }
    }
    while true {
      var headers = bodyHeaders(item)
      if offset > 0 {
        headers.append(.init("Content-Range", "bytes \(offset)-\(size - 1)/\(size)"))
      }
      let request = HTTPRequest(
        method: "PUT", address: place, headers: headers, body: body(from: offset))
      let response = try send(request, &item)
      guard response.status == 308 else { return UploadOutcome(response, from: place) }
      let next = resume(response, &item)
      try save(item)
      if next <= offset {
        return .later("\(place.shown) has \(next) of \(size) bytes and wants the rest", after: nil)
      }
      offset = next
    }
  }

  /// Where the server wants the file to go on.
  private func resume(_ response: HTTPResponse, _ item: inout OutboxItem) -> Int64 {
    item.state.isResumable = true
    var has: Int64 = 0
    if let range = response.header("range"), let dash = range.lastIndex(of: "-"),
      let last = Int64(range[range.index(after: dash)...])
    {
      has = last + 1
    }
    if has > item.state.offset { item.state.failures = 0 }
    item.state.offset = min(has, size)
    // It has everything and has not said 2xx: the last byte again lets it.
    return max(0, min(has, size - 1))
  }
}
