// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// A format of which one stretch of a file can hold several records: a batch in one line or one
/// document, or the lines of several streams that are woven into each other.
///
/// The first record owns the bytes. The others have its offset and no length, so that the bytes of
/// all records still add up to the file; their order is that of their rows. Each keeps its own part
/// of the text as its original.
protocol MultiRecordFormat: LogFormat {
  /// Appends the records after the first, which `parse` has read from the same `text`.
  ///
  /// - Parameter first: gives the others what does not come from their text.
  static func parseFurther(
    _ text: ByteSlice, in arena: ByteArena, _ clock: inout Clock, _ first: LogRecord,
    into records: inout [LogRecord]
  )
}

/// What records of one text share, within bounds.
struct FurtherRecords {
  /// After so many the rest of the text becomes one record as it is.
  static let maxRecords = 10_000

  /// What is said of the bytes.
  private static let textFlags: RecordFlags = [.utf16, .replaced, .ansi]

  private let first: LogRecord
  /// Bytes of common attributes that may still be copied: a batch may name them once for thousands
  /// of records.
  private var budget: Int

  init(_ first: LogRecord, textLength: Int) {
    self.first = first
    budget = textLength * 8 + (64 << 10)
  }

  /// An empty record at the place of the first one.
  func next() -> LogRecord {
    var record = LogRecord()
    record.generation = first.generation
    record.observedTime = first.observedTime
    record.byteOffset = first.byteOffset
    record.lineBreak = first.lineBreak
    record.flags = first.flags.common(with: Self.textFlags)
    record.flags.add(.part)
    return record
  }

  /// Whether another copy of `count` bytes is within bounds.
  mutating func takes(_ count: Int) -> Bool {
    guard count <= budget else { return false }
    budget -= count
    return true
  }

  /// Makes room for a record that is read from `length` bytes, with `common` bytes of attributes.
  static func reserve(_ length: Int, common: Int, in arena: ByteArena) {
    // Escaped six times over it still fits.
    arena.reserve(length &* 7 &+ common &* 2 &+ 4096)
  }
}

extension FormatKind {
  /// What reads the further records of a text of this format; `nil` when it holds one only.
  var multiRecordFormat: (any MultiRecordFormat.Type)? {
    switch self {
    case .otlp: OTLPFormat.self
    case .jsonBatch: JSONBatchFormat.self
    case .jsonDocument: JSONDocumentFormat.self
    case .dockerJSON: DockerJSONFormat.self
    case .cri: CRIFormat.self
    case .postgres: PostgresFormat.self
    case .fatalError: EmbeddedFatal.self
    default: nil
    }
  }
}
