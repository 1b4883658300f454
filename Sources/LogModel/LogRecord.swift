// SPDX-License-Identifier: Apache-2.0

/// A run of bytes in a batch's arena.
public struct ByteSlice: Hashable, Sendable {
  /// Offset in the arena.
  public var start: UInt32
  public var count: UInt32

  @inlinable @inline(__always)
  public init(start: Int, count: Int) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.count = UInt32(truncatingIfNeeded: count)
  }

  @inlinable @inline(__always)
  public static var empty: ByteSlice { ByteSlice(start: 0, count: 0) }
  @inlinable
  public var isEmpty: Bool { count == 0 }
  @inlinable
  public var end: Int { Int(start) + Int(count) }
}

/// What ended the last line of a record. The raw value is stored.
public enum LineBreak: UInt8, Sendable, CaseIterable {
  /// A newline, as it should be.
  case newline = 0
  /// The file ends without one, and stayed so for `partial_flush_ms`; the record may still grow.
  case eof = 1
  /// The file was rotated away with an unterminated last line.
  case rotated = 2
  /// The file was truncated.
  case truncated = 3
  /// The line is longer than `max_line_bytes`; the stored text is its beginning.
  case lengthLimit = 4

  /// The name used in the `line_break` column.
  public var name: String {
    switch self {
    case .newline: "newline"
    case .eof: "eof"
    case .rotated: "rotated"
    case .truncated: "truncated"
    case .lengthLimit: "length_limit"
    }
  }
}

/// Facts about how a record came out of its bytes. Stored as an integer, bit by bit.
public struct RecordFlags: OptionSet, Hashable, Sendable {
  public var rawValue: UInt32

  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  // The protocol's own ways are generic and not specialised across modules: an empty literal cost
  // a record a third of its time.

  /// No fact.
  @inlinable
  public init() { rawValue = 0 }

  @inlinable
  public func contains(_ flags: RecordFlags) -> Bool {
    rawValue & flags.rawValue == flags.rawValue
  }

  /// As `insert`, without its result.
  @inlinable
  public mutating func add(_ flags: RecordFlags) { rawValue |= flags.rawValue }

  /// As `subtract`.
  @inlinable
  public mutating func remove(_ flags: RecordFlags) { rawValue &= ~flags.rawValue }

  /// What is in both.
  @inlinable
  public func common(with flags: RecordFlags) -> RecordFlags {
    RecordFlags(rawValue: rawValue & flags.rawValue)
  }

  /// Cut at `max_record_lines` or `max_record_bytes`; the next record goes on.
  @inlinable
  public static var continued: RecordFlags { RecordFlags(rawValue: 1 << 0) }
  /// Goes on from a record that was cut.
  @inlinable
  public static var continuation: RecordFlags { RecordFlags(rawValue: 1 << 1) }
  /// Bytes that were no UTF-8 became U+FFFD; the original is kept.
  @inlinable
  public static var replaced: RecordFlags { RecordFlags(rawValue: 1 << 2) }
  /// NUL bytes before the record were skipped (a hole that copytruncate leaves).
  @inlinable
  public static var hole: RecordFlags { RecordFlags(rawValue: 1 << 3) }
  /// The date, year or day was inferred by a guess.
  @inlinable
  public static var timeAssumed: RecordFlags { RecordFlags(rawValue: 1 << 4) }
  /// The time is more than 24 hours ahead of its arrival, or before 1990.
  @inlinable
  public static var timeSuspect: RecordFlags { RecordFlags(rawValue: 1 << 5) }
  /// The text names a zone that is unknown or ambiguous, so the time was not taken.
  @inlinable
  public static var zoneUnknown: RecordFlags { RecordFlags(rawValue: 1 << 6) }
  /// ANSI colour sequences were taken out; the original is kept.
  @inlinable
  public static var ansi: RecordFlags { RecordFlags(rawValue: 1 << 7) }
  /// The severity is derived (an HTTP status), not stated.
  @inlinable
  public static var severityDerived: RecordFlags { RecordFlags(rawValue: 1 << 8) }
  /// The file's encoding is UTF-16; offset and length count the file's own bytes.
  @inlinable
  public static var utf16: RecordFlags { RecordFlags(rawValue: 1 << 9) }
  /// The runtime, the C library or the kernel tells of a process's death.
  @inlinable
  public static var lastWords: RecordFlags { RecordFlags(rawValue: 1 << 10) }
  /// Stands in the bytes of the record before it, which counts them: it has no length of its own.
  @inlinable
  public static var part: RecordFlags { RecordFlags(rawValue: 1 << 11) }
  /// Its bytes hold further records, which follow it.
  @inlinable
  public static var hasParts: RecordFlags { RecordFlags(rawValue: 1 << 12) }
}

/// One record, in terms of OpenTelemetry's Logs Data Model, as offsets into its batch's arena.
///
/// A plain value of fixed size: a million of them allocate nothing. `head + body + tail` is the
/// text of the record as in the file, unless `original` holds that text.
public struct LogRecord: Sendable {
  /// When it happened, by the text; else see `timeQuality`.
  public var time = Timestamp(nanoseconds: 0)
  public var observedTime = Timestamp(nanoseconds: 0)
  /// Where the first byte of the record lies in its file generation (uncompressed).
  public var byteOffset: Int64 = 0
  /// Bytes in the file, line ends included; 0 for a part of the record before it.
  public var byteLength: Int64 = 0
  /// The generation's key within this run of the agent; the store knows its row.
  public var generation: UInt32 = 0
  public var pid: Int64 = -1
  public var threadID: Int64 = -1
  public var flags = RecordFlags()
  /// Minutes east of UTC as written; `noOffset` when the text has none.
  public var utcOffsetMinutes: Int16 = LogRecord.noOffset
  public var severity: Severity = .unspecified
  public var timeQuality: TimeQuality = .observed
  public var lineBreak: LineBreak = .newline
  /// It was stored before with fewer bytes and has grown: it takes the place of that row.
  public var replacesOpenRecord = false
  /// It may still grow; see `Checkpoint.openOffset`.
  public var isOpen = false
  /// The number, from 1 on, of the batch's template that it was made by; 0 for none.
  public var template: UInt32 = 0
  /// The number, from 0 on, of its context in a batch that is prepared.
  public var context: UInt32 = 0

  public var severityText: ByteSlice = .empty
  public var process: ByteSlice = .empty
  /// The logger's name (OpenTelemetry's instrumentation scope).
  public var scope: ByteSlice = .empty
  public var head: ByteSlice = .empty
  public var body: ByteSlice = .empty
  public var tail: ByteSlice = .empty
  public var attributes: AttributeList = .empty
  /// The bytes of the record when they are not `head + body + tail`.
  public var original: ByteSlice = .empty

  @inlinable
  public static var noOffset: Int16 { .min }

  @inlinable
  public init() {}
}
