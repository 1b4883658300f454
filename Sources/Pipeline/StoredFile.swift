// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import FileTail
internal import LogModel
package import SQLite

/// A generation of a log file as the store has it: its bytes can be made again from the records.
package struct StoredFile: Sendable {
  package var id: Int64
  package var path: String
  package var source: String
  /// The first byte that is not stored.
  package var offset: Int64
  package var prunedBytes: Int64

  /// A run of the file's bytes, in their order.
  package enum Piece {
    /// Stored bytes from `offset` on.
    case stored(offset: Int64, bytes: [UInt8])
    /// Stored, but not byte by byte: cut for its length, or transcoded; what is there of it.
    case partial(offset: Int64, length: Int64, bytes: [UInt8])
    /// Passed over (blank lines, holes), pruned, or lost.
    case absent(offset: Int64, length: Int64)
  }

  /// The generations of a source, or of the file with this path, in the order they were read.
  ///
  /// - Throws: `SQLiteError`.
  package static func find(
    path: String?, source: String?, in connection: Connection
  ) throws(SQLiteError) -> [StoredFile] {
    let row = try connection.prepare(
      """
      SELECT id, path, source, "offset", pruned_bytes FROM file
      WHERE role = 0 AND state <> 4 AND (?1 IS NULL OR path = ?1) AND (?2 IS NULL OR source = ?2)
      ORDER BY id
      """)
    row.bind(1, path)
    row.bind(2, source)
    var files: [StoredFile] = []
    while try row.step() {
      files.append(
        StoredFile(
          id: row.integer(0), path: row.text(1), source: row.text(2), offset: row.integer(3),
          prunedBytes: row.integer(4)))
    }
    return files
  }

  /// Calls `body` with the file's bytes from its beginning to what is stored.
  ///
  /// - Throws: `SQLiteError`, and what `body` throws.
  package func rebuild(
    from connection: Connection, _ body: (Piece) throws -> Void
  ) throws {
    let row = try connection.prepare(
      """
      SELECT byte_offset, byte_length, flags, original IS NOT NULL,
        coalesce(original, coalesce(head, '') || body || coalesce(tail, ''))
      FROM record_text WHERE file = ? AND crash IS NULL ORDER BY byte_offset, id
      """)
    row.bind(1, id)
    var position: Int64 = 0
    while try row.step() {
      let start = row.integer(0)
      let length = row.integer(1)
      // Further records of one line have no bytes of their own.
      if length == 0 { continue }
      if start > position { try body(.absent(offset: position, length: start - position)) }
      let text = row.blob(4)
      if let bytes = Self.bytes(of: text, length: Int(length), flags: row.integer(2)) {
        try body(.stored(offset: start, bytes: bytes))
      } else {
        try body(.partial(offset: start, length: length, bytes: text))
      }
      position = start + length
    }
    if offset > position { try body(.absent(offset: position, length: offset - position)) }
  }

  /// The bytes in the file of a record's text: with the ends of its lines, which the text lacks.
  private static func bytes(of text: [UInt8], length: Int, flags: Int64) -> [UInt8]? {
    let isTranscoded = flags >> 8 & Int64(RecordFlags.utf16.rawValue) != 0
    if isTranscoded { return nil }
    switch length - text.count {
    case 0: return text
    case 1: return text + [10]
    case let missing where missing == text.count(where: { $0 == 10 }) + 2:
      var bytes: [UInt8] = []
      bytes.reserveCapacity(length)
      for byte in text {
        if byte == 10 { bytes.append(13) }
        bytes.append(byte)
      }
      return bytes + [13, 10]
    default: return nil
    }
  }

  /// What a comparison with the file on disk has found.
  package struct Comparison {
    /// Bytes that are the same.
    package var same: Int64 = 0
    /// Bytes that the store does not hold one by one.
    package var notCompared: Int64 = 0
    /// Where the first byte lies that differs.
    package var firstDifference: Int64?
  }

  /// Compares what is stored with the file on disk; compressed files by their content.
  ///
  /// - Throws: `SQLiteError`; `FileError` or `ContentError` when the file can't be read.
  package func compare(with connection: Connection) throws -> Comparison {
    let reader = try ContentReader(path: path)
    var result = Comparison()
    var buffer: [UInt8] = []
    try rebuild(from: connection) { piece in
      switch piece {
      case .absent(_, let length), .partial(_, let length, _): result.notCompared += length
      case .stored(let offset, let bytes):
        buffer = [UInt8](repeating: 0, count: bytes.count)
        let count = try buffer.withUnsafeMutableBytes { try reader.read(into: $0, at: offset) }
        if count == bytes.count, buffer == bytes {
          result.same += Int64(count)
        } else if result.firstDifference == nil {
          let place = zip(buffer[..<count], bytes).enumerated().first { $1.0 != $1.1 }
          result.firstDifference = offset + Int64(place?.offset ?? count)
        }
      }
    }
    return result
  }
}
