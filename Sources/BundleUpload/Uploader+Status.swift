// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel

extension Uploader {
  /// Tells each item of the outbox, those that wait first.
  ///
  /// - Throws: `FileError`.
  func tellItems() throws(FileError) {
    for place in Outbox.Place.allCases {
      var items: [(key: String, state: ItemState)] = []
      for key in try outbox.keys(in: place) {
        if let state = outbox.state(place, key) { items.append((key, state)) }
      }
      items.sort { ($0.state.queued, $0.key) < ($1.state.queued, $1.key) }
      for (key, state) in items { tell(event(place, key, state)) }
    }
  }

  private func event(_ place: Outbox.Place, _ key: String, _ state: ItemState) -> UploadEvent {
    var event = UploadEvent("item").with("place", place.rawValue).with("key", key)
      .with("name", state.name).with("size", state.size).with("sha256", state.sha256)
      .with("queued", UploadClock.text(state.queued)).with("attempts", Int64(state.attempts))
    let address = state.target.flatMap { try? Address($0.url) }
    event = event.with("address", address?.shown).with("method", state.target?.method.rawValue)
    if state.offset > 0 { event = event.with("acknowledged", state.offset) }
    if state.sent > 0 {
      event = event.with("sent", UploadClock.text(state.sent)).with("answer", Int64(state.answer))
    }
    let next = max(state.next, state.notBefore)
    if place == .pending, next > UploadClock.now() {
      event = event.with("next", UploadClock.text(next))
    }
    return event.with("reason", state.reason)
  }

  /// Leaves when the next attempt is due, in seconds since 1970, for the agent that starts us.
  ///
  /// - Throws: `FileError`.
  func writeNextTime() throws(FileError) {
    var next: Int64?
    for key in try outbox.keys(in: .pending) {
      guard let state = outbox.state(.pending, key) else { continue }
      let time = max(state.next, state.notBefore)
      next = min(next ?? time, time)
    }
    let path = job.outbox + "/next"
    guard let next else { return try FileSystem.remove(path) }
    let file = try AtomicFile(target: path)
    try file.descriptor.write("\(next / 1000 + 1)\n")
    try file.commit()
  }
}

extension Outbox {
  /// Remembers the last row of the store that a server has; it never goes back.
  ///
  /// - Throws: `FileError`.
  func acknowledge(_ watermark: Int64) throws(FileError) {
    let turn = try FileLock.take(folder + "/lock", waits: true)
    let path = folder + "/acknowledged"
    let bytes = (try? FileSystem.contents(of: path, limit: 64)) ?? []
    let known = Int64(String(decoding: bytes.prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self))
    if watermark > known ?? 0 {
      let file = try AtomicFile(target: path)
      try file.descriptor.write("\(watermark)\n")
      try file.commit()
    }
    _ = consume turn
  }
}
