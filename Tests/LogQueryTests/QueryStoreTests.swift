// SPDX-License-Identifier: Apache-2.0

internal import LogQuery
internal import SQLite
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@Suite("Opening a store")
struct QueryStoreTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func error(_ path: String) throws -> QueryError {
    try #require(#expect(throws: QueryError.self) { _ = try QueryStore(path: path) })
  }

  @Test("that is not there says how to make one")
  func missing() throws {
    let error = try error(folder.file("none/logs.db"))
    #expect(error.kind == .missing)
    #expect(
      error.message == folder.file("none/logs.db")
        + ": there is no store yet; 'logagent run' or 'logagent import PATH' makes one")
  }

  @Test("at a folder, a text, an empty file or another database says what it is")
  func others() throws {
    #expect(try error(folder.path).message.contains(": a folder, not a store"))
    try folder.write("text", String(repeating: "not a database\n", count: 100))
    #expect(try error(folder.file("text")).message.contains(": not a logagent store"))
    try folder.write("empty", "")
    #expect(try error(folder.file("empty")).message.contains("but not a logagent store"))
    let other = try Connection(path: folder.file("other.db"), mode: .readWrite)
    try other.execute("CREATE TABLE a (b)")
    #expect(try error(folder.file("other.db")).message.contains("but not a logagent store"))
  }

  @Test("of a newer version says so")
  func newer() throws {
    let sample = try SampleStore(path: folder.file("logs.db"))
    try sample.connection.execute("PRAGMA user_version = 2")
    let error = try error(sample.path)
    #expect(error.kind == .notAStore)
    #expect(error.message.contains("made by a newer logagent (schema 2; this one knows 1)"))
  }

  @Test("with a path in it that needs care shows it harmless")
  func names() throws {
    #expect(try error("/nowhere/\u{1b}[31m").message.hasPrefix("/nowhere/\\x1b[31m: "))
  }
}
