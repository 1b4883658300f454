// SPDX-License-Identifier: Apache-2.0

/// What a record mostly has in common with its neighbours: the store's table `context` has a row for
/// each that occurs.
public struct RecordContext: Sendable {
  /// As the store packs them.
  public var flags: Int64
  /// Minutes east of UTC as written; `LogRecord.noOffset` for none.
  public var utcOffset: Int16
  // In the batch's arena.
  public var severityText: ByteSlice
  public var process: ByteSlice
  public var scope: ByteSlice

  public init(_ record: LogRecord, flags: Int64) {
    self.flags = flags
    utcOffset = record.utcOffsetMinutes
    severityText = record.severityText
    process = record.process
    scope = record.scope
  }
}
