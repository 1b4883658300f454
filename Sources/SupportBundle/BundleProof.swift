// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Redaction
internal import SQLite

/// Looks through a finished archive with all rules again: nothing may be found.
///
/// The lines of `logs.jsonl` were looked through by another thread while they were written; here
/// they are unpacked, and must be the very same.
struct BundleProof {
  let redactor: Redactor
  let lines: LineProof
  /// The connection to `logs.db`, of which the archive's member is a copy.
  let database: Connection
  /// Members that are not text and were wanted as they are.
  let exempt: Set<String>
  let shouldStop: () -> Bool
  /// Is told the bytes of `logs.jsonl` that are read.
  let progress: (Int64) -> Void

  /// - Parameters:
  ///   - descriptor: of the archive, at its beginning.
  ///   - name: for messages.
  /// - Throws: `BundleError` of kind `unsafe` at the first finding, which names the member and the
  ///   rule, never the value.
  func run(_ descriptor: Int32, name: String) throws {
    let archive = ArchiveReader(descriptor: descriptor, name: name, isOwn: true)
    while let member = try archive.next() {
      try check(member.name, in: member.name)
      switch member.name {
      case "logs.db": try proveDatabase(archive)
      case let name where exempt.contains(name): try archive.content { _ in }
      case "logs.jsonl": try proveLines(archive, member.name)
      default: try proveWhole(archive, member.name)
      }
    }
  }

  private enum Reading {
    case text
    case document
    /// A document of our own whose keys are names of rules, files and sources.
    case strings
  }

  private func check(_ text: String, in member: String) throws {
    var text = text
    try text.withUTF8 { try check($0, in: member, .text) }
  }

  private func check(_ text: TextBytes, in member: String, _ reading: Reading) throws {
    let rule =
      reading == .text
      ? redactor.firstFinding(in: text)
      : DocumentRedactor.firstFinding(
        in: text, with: redactor, ignoringKeys: reading == .strings)
    if let rule { throw failure(rule, member) }
  }

  private func failure(_ rule: String, _ member: String) -> BundleError {
    BundleError(
      .unsafe,
      "the finished bundle was looked through again, and rule '\(rule)' found something in "
        + "\(member): nothing was written. Please report this; until then leave the rule out by "
        + "'disable' in [redaction]")
  }

  private func proveLines(_ archive: ArchiveReader, _ name: String) throws {
    var read = DeflateThread.Segment.empty
    try archive.content { piece in
      if shouldStop() { throw BundleError(.interrupted, "interrupted") }
      read.add(piece)
      progress(read.length)
    }
    let proved = lines.finish()
    if let rule = proved.rule { throw failure(rule, name) }
    guard read == proved.lines else {
      throw BundleError(
        .unsafe,
        "the finished bundle was read again, and \(name) is not what was looked through: nothing "
          + "was written. Please report this")
    }
  }

  private func proveWhole(_ archive: ArchiveReader, _ name: String) throws {
    var bytes: [UInt8] = []
    try archive.content { bytes.append(contentsOf: $0) }
    var reading = ReportText.isDocument(bytes) ? Reading.document : .text
    switch name {
    case ReportPage.name:
      // The page is ours; what it shows is the document in it.
      bytes = ReportPage.data(of: bytes)
      reading = .strings
    case "manifest.json", "redactions.json": reading = .strings
    default: break
    }
    try bytes.withUnsafeBufferPointer { try check($0, in: name, reading) }
  }

  /// Pages of a database can't be read as text, as values lie across and beside each other: the
  /// rows are looked through, and the member is the very file that holds them.
  private func proveDatabase(_ archive: ArchiveReader) throws {
    try archive.content { _ in
      if shouldStop() { throw BundleError(.interrupted, "interrupted") }
    }
    for (table, documents) in [
      ("word", []), ("file", []), ("crash", ["frames"]), ("record", ["attributes"]),
    ] as [(String, Set<String>)] {
      let select = try database.prepare("SELECT * FROM \(table)")
      let names = (0..<select.columnCount).map { select.columnName($0) }
      var rows = 0
      while try select.step() {
        for column in 0..<select.columnCount where !select.isNull(column) {
          let type = select.type(column)
          guard type == .text || type == .blob else { continue }
          let isDocument = documents.contains(names[Int(column)])
          let result = select.withText(column) { text in
            Result { try check(text, in: "logs.db", isDocument ? .document : .text) }
          }
          try result.get()
        }
        rows += 1
        if rows % 1024 == 0, shouldStop() { throw BundleError(.interrupted, "interrupted") }
      }
    }
    guard try database.integer("PRAGMA freelist_count") == 0 else {
      throw BundleError(.unsafe, "logs.db has free pages, which may hold what was there before")
    }
  }
}
