// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// A payload of several records of which the first was read: an export request in a container's
/// line, a batch of CloudWatch's in a message of syslog.
struct PayloadParts {
  let format: any MultiRecordFormat.Type
  let text: ByteSlice
  let envelope: LogRecord
  let isZoned: Bool
}

extension Payload {
  /// Appends the records that the payload opened last holds after its first, which is `first`; each
  /// takes from the envelope what the first has taken.
  ///
  /// Nothing is appended when it held one only.
  static func appendFurther(
    after first: LogRecord, in arena: ByteArena, _ clock: inout Clock,
    into records: inout [LogRecord]
  ) {
    guard let parts = clock.payloadParts else { return }
    clock.payloadParts = nil
    let start = records.count
    parts.format.parseFurther(parts.text, in: arena, &clock, first, into: &records)
    var further = FurtherRecords(first, textLength: Int(parts.text.count))
    var envelope = parts.envelope
    for index in start..<records.count {
      if !further.takes(Int(envelope.attributes.count)) { envelope.attributes = .empty }
      complete(&records[index], with: envelope, isZoned: parts.isZoned, in: arena, &clock)
    }
  }
}
