// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import Testing

/// A whole text split into lines, grouped and parsed: what the pipeline does, in one go.
struct ParsedFile {
  let arena = ByteArena(capacity: 1 << 16)
  var records: [LogRecord] = []
  /// The text of each record as it was given to the parser.
  var texts: [[UInt8]] = []
  var formatName = ""

  init(
    _ bytes: [UInt8], context: FileContext, detectsFormat: Bool = true,
    userFormats: [UserFormatReader] = []
  ) {
    var parser = RecordParser(file: context, userFormats: userFormats)
    if detectsFormat {
      bytes.prefix(65_536).withUnsafeBufferPointer { parser.detect(sample: $0) }
    }
    for lines in Self.group(bytes, &parser) {
      let text = Array(lines.joined(separator: [0x0a]))
      let start = arena.count
      text.withUnsafeBufferPointer { arena.append($0) }
      var record = LogRecord()
      record.observedTime = context.now
      parser.parse(ByteSlice(start: start, count: text.count), in: arena, into: &record)
      records.append(record)
      texts.append(text)
      var further: [LogRecord] = []
      if record.flags.contains(.hasParts) {
        parser.parseFurther(after: record, in: arena, into: &further)
      }
      for part in further {
        records.append(part)
        texts.append(
          part.original.isEmpty
            ? Array(arena.bytes(part.head)) + arena.bytes(part.body) + arena.bytes(part.tail)
            : Array(arena.bytes(part.original)))
      }
    }
    formatName = parser.formatName
  }

  init(_ text: String, context: FileContext = .test()) {
    self.init(Array(text.utf8), context: context)
  }

  /// With formats of the user's own.
  init(_ text: String, formats: [UserFormatDefinition]) throws {
    try self.init(Array(text.utf8), formats: formats)
  }

  init(_ bytes: [UInt8], formats: [UserFormatDefinition]) throws {
    self.init(
      bytes, context: .test(), userFormats: try formats.map { UserFormatReader(try UserFormat($0)) }
    )
  }

  private static func group(
    _ bytes: [UInt8], _ parser: inout RecordParser
  ) -> [[ArraySlice<UInt8>]] {
    var groups: [[ArraySlice<UInt8>]] = []
    var lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    for var line in lines {
      if line.last == 0x0d { line.removeLast() }
      // A hole of NULs before a line is skipped by the reader.
      line = line.drop { $0 == 0 }
      let isBlank = line.allSatisfy { $0 == 0x20 || $0 == 0x09 }
      let begins = line.withUnsafeBufferPointer { parser.beginsRecord($0, isFirst: groups.isEmpty) }
      if groups.isEmpty ? !isBlank : begins {
        groups.append([line])
      } else if !groups.isEmpty {
        groups[groups.count - 1].append(line)
      }
    }
    // Blank lines at the end of a record are no part of it.
    return groups.map { group in
      var group = group
      while group.count > 1, group.last?.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) == true {
        group.removeLast()
      }
      return group
    }
  }

  func string(_ slice: ByteSlice) -> String { arena.string(slice) }

  func attributes(_ index: Int) throws -> NSDictionary {
    var text = "{" + string(records[index].attributes.text) + "}"
    var value = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    if value == nil {
      // Foundation refuses valid numbers that no Double holds, such as 1e999.
      text.replace(/([0-9])[eE][+-]?[0-9]+/) { String($0.output.1) }
      value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    }
    return try #require(value as? NSDictionary)
  }

  /// The time of the envelope around the record at `index`, or the record's own.
  func outerTime(_ index: Int) throws -> Timestamp? {
    guard let text = try attributes(index)["logagent.envelope_time"] as? String else {
      return records[index].time
    }
    return parseTime(text)
  }

  /// Whether the record at `index` gives back its text, and its fields are what they must be.
  func isFaithful(_ index: Int) -> Bool {
    let record = records[index]
    let whole =
      record.original.isEmpty
      ? Array(arena.bytes(record.head)) + arena.bytes(record.body) + arena.bytes(record.tail)
      : Array(arena.bytes(record.original))
    guard whole == texts[index], (try? attributes(index)) != nil else { return false }
    return [record.body, record.scope, record.process, record.severityText].allSatisfy {
      String(validating: arena.bytes($0), as: UTF8.self) != nil
    }
  }
}

extension FileContext {
  static func test(
    path: String = "/var/log/test.log", modified: Int64 = 1_796_000_000,
    now: Int64 = 1_800_000_000, zone: LogModel.TimeZone = .utc, multiline: MultilineMode = .auto
  ) -> FileContext {
    FileContext(
      path: path, modified: Timestamp(nanoseconds: modified * 1_000_000_000),
      now: Timestamp(nanoseconds: now * 1_000_000_000), zone: zone, multiline: multiline,
      zoneNamed: knownZone)
  }
}

/// The system's zone of that name.
func zone(_ name: String) throws -> LogModel.TimeZone {
  try #require(knownZone(name))
}

@Sendable private func knownZone(_ name: String) -> LogModel.TimeZone? {
  FileManager.default.contents(atPath: "/usr/share/zoneinfo/" + name)
    .flatMap { LogModel.TimeZone(tzif: Array($0), name: name) }
}
