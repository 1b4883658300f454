// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogModel
internal import Redaction

/// What marks of bundles stand for, kept in the state directory of the machine that made them.
///
/// A mark itself tells nothing: it is a number by order of appearance. So without these files, which
/// only the agent's user can read, no value can be found or guessed from a bundle.
struct Reveals {
  private let folder: String

  /// How many bundles are remembered.
  private static let mostBundles = 20

  init(_ configuration: Configuration) { folder = configuration.stateDirectory + "/redactions" }

  /// Keeps the marks of a bundle.
  ///
  /// - Throws: `FileError`.
  func keep(_ marks: MarkBook, of bundle: String) throws {
    if marks.entries.isEmpty { return }
    try FileSystem.makeFolder(folder, permissions: 0o700)
    var fields = FieldList()
    for entry in marks.entries { fields.append(entry.mark, entry.value) }
    let file = try AtomicFile(target: folder + "/" + FileDigest.sha256(of: bundle))
    try file.descriptor.write(fields.text)
    try file.commit()
    try forgetOldest()
  }

  /// The values of a mark (one) of a bundle; `nil` when the bundle was not made here, or long ago.
  ///
  /// - Throws: `FileError`.
  func values(of mark: String, in bundle: String) throws -> [String]? {
    let path = folder + "/" + (try FileDigest.sha256(of: bundle))
    do throws(FileError) {
      let text = String(decoding: try FileSystem.contents(of: path), as: UTF8.self)
      return FieldList(text).all(mark)
    } catch {
      if error.isNotFound { return nil }
      throw error
    }
  }

  private func forgetOldest() throws {
    let names = try FileSystem.names(in: folder)
    guard names.count > Self.mostBundles else { return }
    let byAge = names.sorted { age($0) < age($1) }
    for name in byAge.prefix(names.count - Self.mostBundles) {
      try FileSystem.remove(folder + "/" + name)
    }
  }

  private func age(_ name: String) -> Int64 {
    (try? FileStatus(path: folder + "/" + name))?.modified.nanoseconds ?? 0
  }
}
