// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct ImportTests {
  /// Runs `logagent import` to its end.
  private func run(
    _ words: [String], input: String? = nil
  ) throws -> (status: Int32, errors: String) {
    let process = Process()
    process.executableURL = BuiltProgram.url("logagent")
    process.arguments = ["import"] + words
    let errors = Pipe()
    process.standardError = errors
    let pipe = Pipe()
    process.standardInput = input == nil ? FileHandle.nullDevice : pipe
    try process.run()
    if let input {
      pipe.fileHandleForWriting.write(Data(input.utf8))
      try pipe.fileHandleForWriting.close()
    }
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test func standardInputIsReadToItsEnd() throws {
    let folder = try TemporaryDirectory()
    let lines = (1...5000).map { "2025-03-01T10:00:00Z INFO n=\($0)\n" }.joined()
    let state = folder.file("state")
    let result = try run(["--state-dir", state, "-"], input: lines + "2025-03-01T10:00:01Z INFO z")
    #expect(result.status == 0, "\(result.errors)")
    let sql = "SELECT count(*) || ' ' || max(source) || ' ' || max(body) FROM logs"
    #expect(try Store.text(state, sql) == "5001 stdin z")
  }

  @Test func aSecondImportStoresOnlyWhatIsNew() throws {
    let folder = try TemporaryDirectory()
    let state = folder.file("state")
    try folder.write("logs/app.log", "2025-03-01T10:00:01Z INFO one\nhalf")
    for text in ["", " a line\n", ""] {
      try folder.append("logs/app.log", text)
      #expect(try run(["--state-dir", state, folder.file("logs")]).status == 0)
    }
    #expect(
      try Store.text(state, "SELECT group_concat(original, '|') FROM logs")
        == "2025-03-01T10:00:01Z INFO one\nhalf a line")
  }

  @Test func aLongFileWithoutDatesEndsOnTheDayOfItsLastChange() throws {
    let folder = try TemporaryDirectory()
    let state = folder.file("state")
    // Three midnights, far behind the bytes by which the format is told.
    let lines = (0..<4).flatMap { _ in
      (0..<24).flatMap { hour in
        (0..<60).map { String(format: "%02d:%02d:00 INFO all is well here", hour, $0) }
      }
    }
    try folder.write("app.log", lines.joined(separator: "\n") + "\n")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
      ofItemAtPath: folder.file("app.log"))
    #expect(try run(["--state-dir", state, folder.file("app.log")]).status == 0)
    let sql = "SELECT min(substr(time, 1, 10)) || ' ' || max(substr(time, 1, 10)) FROM logs"
    #expect(try Store.text(state, sql) == "2023-11-10 2023-11-13")
  }

  @Test func whatCannotBeReadIsNamedAndTheRestIsStored() throws {
    let folder = try TemporaryDirectory()
    let state = folder.file("state")
    try folder.write("logs/app.log", "2025-03-01T10:00:01Z INFO one\n")
    try folder.write("logs/picture.log", [0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2, 3])
    try folder.write("logs/empty.log", "")
    #expect(mkfifo(folder.file("logs/fifo.log"), 0o600) == 0)
    let result = try run(["--state-dir", state, folder.file("logs"), folder.file("none")])
    #expect(result.status == 2)
    for name in ["picture.log: ", "fifo.log: ", "none: no such file"] {
      #expect(result.errors.contains(name), "\(result.errors)")
    }
    #expect(try Store.text(state, "SELECT group_concat(body) FROM logs") == "one")
  }

  @Test(.enabled(if: Corpus.isAvailable, "the corpus of real logs is not here"))
  func everyFileOfTheCorpusIsAccountedFor() throws {
    let folder = try TemporaryDirectory()
    let state = folder.file("state")
    let result = try run(["--state-dir", state, Corpus.path ?? ""])
    // The corpus holds one file that is no log, on purpose.
    #expect(result.status == 2)
    #expect(
      try Store.text(
        state, "SELECT group_concat(path) FROM files WHERE problem <> '' AND state <> 'refused'")
        == "")
    #expect(
      try Store.text(
        state,
        """
        SELECT count(*) FROM file f
        LEFT JOIN (SELECT file, sum(byte_length) AS bytes FROM record WHERE crash IS NULL
          GROUP BY file) r ON r.file = f.id
        WHERE role = 0 AND state <> 4 AND "offset" <> coalesce(r.bytes, 0) + skipped_bytes
        """) == "0")
  }

  @Test func aFormatOfTheConfigurationIsReadFromItsFilesOnly() throws {
    let folder = try TemporaryDirectory()
    let state = folder.file("state")
    for name in ["till", "other"] {
      try folder.write("logs/\(name).log", "01.03.2026 10:00:00 FEHLER #42 klemmt\n  sehr\n")
    }
    let configuration = try folder.write(
      "logagent.toml",
      #"""
      [[format]]
      name = "till"
      pattern = '^(?<time>\S+ \S+) (?<severity>\w+) #(?<process_pid>\d+) (?<body>.*)$'
      time = "%d.%m.%Y %H:%M:%S"
      files = "logs/till.log"
      severity = { error = "FEHLER" }
      sample = [{ text = "01.03.2026 10:00:00 FEHLER #42 x", severity = "error" }]
      """#)
    let result = try run(
      ["--state-dir", state, "--config", configuration, folder.file("logs")])
    #expect(result.status == 0, "\(result.errors)")
    let sql =
      "SELECT severity || ' ' || pid || ' ' || body || ' ' || log_file_path FROM logs "
      + "WHERE pid IS NOT NULL"
    #expect(
      try Store.text(state, sql) == "error 42 klemmt\n  sehr " + folder.file("logs/till.log"))
    let formats = "SELECT group_concat(format, ' ') FROM (SELECT format FROM files ORDER BY path)"
    #expect(try Store.text(state, formats).hasSuffix("till"))
  }

  @Test func aBatchInOneRecordIsStoredOnceHoweverItGrows() throws {
    let folder = try TemporaryDirectory()
    let state = folder.file("state")
    // Standard output and error of a container: the unfinished line holds the others back.
    let lines = [
      "2026-03-01T10:00:00.1Z stdout P one-", "2026-03-01T10:00:00.2Z stderr F two",
      "2026-03-01T10:00:00.3Z stderr F three", "2026-03-01T10:00:00.4Z stdout F half",
      "2026-03-01T10:00:00.5Z stdout F four",
    ]
    try folder.write("logs/c.log", "")
    for line in lines {
      try folder.append("logs/c.log", line + "\n")
      #expect(try run(["--state-dir", state, folder.file("logs")]).status == 0)
    }
    #expect(
      try Store.text(
        state, "SELECT group_concat(body, '|') FROM (SELECT body FROM record ORDER BY id)")
        == "one-half|two|three|four")
    #expect(
      try Store.text(state, "SELECT sum(byte_length) FROM record")
        == String(lines.reduce(0) { $0 + $1.utf8.count + 1 }))
  }

  @Test func aSpoolIsConsumedWhenItsReportsAreStored() throws {
    let folder = try TemporaryDirectory()
    let state = folder.file("state")
    let report = #"{"name":"SIGSEGV","reason":"no tea","stackTrace":"0 shop 0x1 pay + 4"}"#
    try folder.write("spool/crash.json", report)
    let configuration = try folder.write(
      "logagent.toml", "[[spool]]\nname = \"s\"\npath = \"spool\"\nconsume = true\nkeep = \"1MB\"\n"
    )
    let result = try run(["--state-dir", state, "--config", configuration])
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      try Store.text(state, "SELECT count(*) FROM crashes") == "1")
    let manager = FileManager.default
    #expect(!manager.fileExists(atPath: folder.file("spool/crash.json")))
    #expect(
      try String(contentsOfFile: folder.file("spool/.logagent-done/crash.json"), encoding: .utf8)
        == report)
    // It is one crash for ever.
    #expect(try run(["--state-dir", state, "--config", configuration]).status == 0)
    #expect(try Store.text(state, "SELECT count(*) FROM crashes") == "1")
  }
}
