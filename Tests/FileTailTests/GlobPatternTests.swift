// SPDX-License-Identifier: Apache-2.0

import FileTail
import Foundation
import TestSupport
import Testing

@Suite struct GlobPatternTests {
  @Test(
    "a pattern names these paths and not those",
    arguments: [
      ("/var/log/*.log", "/var/log/app.log", true),
      ("/var/log/*.log", "/var/log/app.log.1", false),
      ("/var/log/*.log", "/var/log/sub/app.log", false),
      ("/var/log/*.log", "/var/log/.hidden.log", false),
      ("/var/log/**/*.log", "/var/log/app.log", true),
      ("/var/log/**/*.log", "/var/log/a/b/app.log", true),
      ("/var/log/app.log.[0-9]", "/var/log/app.log.3", true),
      ("/var/log/app.log.[0-9]", "/var/log/app.log.gz", false),
      ("/x/name with [1].log", "/x/name with 1.log", true),
    ])
  func matches(pattern: String, path: String, expected: Bool) {
    #expect(GlobPattern(pattern).matches(path) == expected)
  }

  @Test func expansionFindsFilesAndTheFoldersToWatch() throws {
    let folder = try TemporaryDirectory()
    try folder.write("logs/a.log", "x")
    try folder.write("logs/deep/b.log", "x")
    try folder.write("logs/deep/.hidden.log", "x")
    let found = GlobPattern(folder.file("logs/**/*.log")).expand()
    #expect(Set(found.paths) == [folder.file("logs/a.log"), folder.file("logs/deep/b.log")])
    #expect(found.folders == [folder.file("logs"), folder.file("logs/deep")])
  }

  @Test func aFolderThatIsMissingIsAwaitedWhereItWouldAppear() throws {
    let folder = try TemporaryDirectory()
    let found = GlobPattern(folder.file("later/logs/*.log")).expand()
    #expect(found.paths.isEmpty)
    #expect(found.errors.isEmpty)
    #expect(found.folders == [folder.path])
  }
}

@Suite struct SourceNameTests {
  @Test(
    "a file's source is its name without what rotation adds",
    arguments: [
      ("web.log", "web"), ("web.log.1", "web"), ("web.log.12.gz", "web"),
      ("web.log-20260301", "web"), ("web.log-20260301.gz", "web"),
      ("com.example.shop 2026-03-01--09-00-00-123.log", "com.example.shop"),
      ("syslog", "syslog"), ("syslog.1", "syslog"), ("events.jsonl", "events"),
      ("nginx/access.log", "nginx/access"), (".log", ".log"), ("v1.2", "v1"),
    ])
  func names(path: String, source: String) {
    let tail = TailSource(name: nil, include: [], root: "/logs")
    #expect(tail.sourceName(for: "/logs/" + path) == source)
  }

  @Test func aNamedSourceKeepsItsName() {
    let tail = TailSource(name: "shop", include: [])
    #expect(tail.sourceName(for: "/logs/other.log") == "shop")
  }
}
