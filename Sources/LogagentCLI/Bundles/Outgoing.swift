// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogModel

/// What the outbox knows of rows of the store: which ones a server has, and which ones are in bundles.
struct Outgoing {
  private let outbox: String

  init(_ configuration: Configuration) { outbox = configuration.outboxPath }

  /// The last row that a server has acknowledged; 0 for none.
  var acknowledged: Int64 { number(in: outbox + "/acknowledged") ?? 0 }

  /// The last row that is in a bundle which a server has, or which waits for one.
  var taken: Int64 {
    items(in: ["pending", "uploading"]).reduce(acknowledged) { max($0, $1.lastRecord) }
  }

  /// A file of the outbox.
  struct Item {
    var bytes: Int64
    /// Milliseconds since 1970.
    var queuedMilliseconds: Int64
    /// What the last attempt ended with; empty for none.
    var error: String
    /// The last row of the store that it holds; 0 when that is not known.
    var lastRecord: Int64
  }

  /// What lies in these places, the oldest first; none where the outbox is closed to this person.
  func items(in places: [String]) -> [Item] {
    places.flatMap { place in
      ((try? FileSystem.names(in: "\(outbox)/\(place)")) ?? []).compactMap { key in
        let path = "\(outbox)/\(place)/\(key)/state"
        guard let bytes = try? FileSystem.contents(of: path, limit: 1 << 20) else { return nil }
        let state = FieldList(String(decoding: bytes, as: UTF8.self))
        return Item(
          bytes: state.integer("size") ?? 0, queuedMilliseconds: state.integer("queued") ?? 0,
          error: state["reason"] ?? "", lastRecord: state.integer("watermark") ?? 0)
      }
    }.sorted { $0.queuedMilliseconds < $1.queuedMilliseconds }
  }

  /// Leaves a file whose time tells when this was done last.
  ///
  /// - Throws: `FileError`.
  func noteAutomatic() throws {
    try FileSystem.makeFolder(outbox, permissions: 0o700)
    try AtomicFile(target: outbox + "/automatic").commit()
  }

  /// A folder for a bundle on its way into the outbox; what a process that died has left there goes.
  ///
  /// - Throws: `FileError`.
  func placeForBundle() throws -> String {
    let folder = outbox + "/making"
    try FileSystem.makeFolder(folder, permissions: 0o700)
    for name in try FileSystem.names(in: folder) { try FileSystem.remove(folder + "/" + name) }
    return folder
  }

  private func number(in path: String) -> Int64? {
    guard let bytes = try? FileSystem.contents(of: path, limit: 64) else { return nil }
    return Int64(String(decoding: bytes.prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self))
  }

  /// Remembers that a bundle holds all rows up to this one, so that its upload acknowledges them.
  ///
  /// - Throws: `FileError`.
  func note(bundle path: String, lastRecord: Int64) throws {
    let folder = outbox + "/made"
    try FileSystem.makeFolder(folder, permissions: 0o700)
    let file = try AtomicFile(target: folder + "/" + FileDigest.sha256(of: path))
    try file.descriptor.write("\(lastRecord)\n")
    try file.commit()
  }
}
