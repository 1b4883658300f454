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
    var last = acknowledged
    for place in ["pending", "uploading"] {
      for key in (try? FileSystem.names(in: "\(outbox)/\(place)")) ?? [] {
        let path = "\(outbox)/\(place)/\(key)/state"
        guard let bytes = try? FileSystem.contents(of: path, limit: 1 << 20) else { continue }
        let state = FieldList(String(decoding: bytes, as: UTF8.self))
        last = max(last, state.integer("watermark") ?? 0)
      }
    }
    return last
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
