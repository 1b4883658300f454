// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What Kubernetes' container runtimes write: `TIME stdout|stderr P|F[:tags] text`. A line of the
/// container that is cut (`P`) goes on in the next entry of its stream, up to an `F`.
enum CRIFormat: WovenFormat {
  static let info = FormatInfo(
    name: "cri", family: "container",
    summary: "Kubernetes container logs (CRI): the format of the container's own lines inside",
    example: "2026-03-01T10:00:00.413656027Z stdout F listening on :8080")

  private struct Header {
    var stream = 0
    var isPart = false
    var tagsEnd = 0
    var textStart = 0
  }

  @inline(__always)
  private static func read(_ line: Line, at start: Int, _ header: inout Header) -> Bool {
    guard line.at(start).isDigit, line.at(start &+ 10) == 0x54 else { return false }
    let end = line.skipToken(start)
    guard line.has(" std", at: end), line.at(end &+ 7) == Byte.space else { return false }
    guard line.has("out", at: end &+ 4) || line.has("err", at: end &+ 4) else { return false }
    let flag = line.at(end &+ 8)
    let next = line.at(end &+ 9)
    guard flag == UInt8(ascii: "F") || flag == UInt8(ascii: "P"),
      next == Byte.space || next == Byte.colon || end &+ 9 == line.count || next == Byte.newline
    else { return false }
    header.stream = end &+ 1
    header.isPart = flag == UInt8(ascii: "P")
    header.tagsEnd = line.skipToken(end &+ 8)
    header.textStart = line.afterBlank(header.tagsEnd)
    return true
  }

  @inline(__always)
  static func entry(_ text: Line, _ range: Range<Int>) -> WovenStreams.Entry? {
    let line = text.slice(0, range.upperBound)
    var header = Header()
    guard read(line, at: range.lowerBound, &header) else { return nil }
    let start = header.textStart
    return WovenStreams.Entry(
      stream: line[header.stream + 3] == UInt8(ascii: "e") ? 1 : 0, isPart: header.isPart,
      isIndented: line.at(start) == Byte.tab || line.has("  ", at: start)
        || line.has("Caused by: ", at: start))
  }

  static func time(_ line: Line) -> Int64? {
    var stamp = Stamp()
    return StampScanner.iso(line, at: 0, into: &stamp) ? stamp.seconds - Int64(stamp.offset) : nil
  }

  static func parseStream(
    _ text: Text, whole: ByteSlice, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool {
    var header = Header()
    var stamp = Stamp()
    guard read(text.bytes, at: 0, &header), StampScanner.iso(text.bytes, at: 0, into: &stamp)
    else { return false }
    if !clock.set(stamp, from: text.bytes, of: &record) { clock.inherit(&record) }
    var writer = JSONWriter(text)
    writer.member("log.iostream", text: text.slice(header.stream, header.stream + 6))
    record.attributes = writer.finish(text)
    let payload = payload(text, header)
    Payload.open(
      payload, of: whole, isZoned: stamp.zone == .offset, in: text.arena, &clock, &record)
    return true
  }

  /// The text behind the header of the only line, or that of all lines in the arena.
  private static func payload(_ text: Text, _ header: Header) -> ByteSlice {
    var header = header
    var end = text.bytes.firstLineEnd
    guard end < text.count else { return text.slice(header.textStart, end) }
    let arena = text.arena
    let payloadStart = arena.count
    var start = 0
    while true {
      arena.append(copyOf: text.slice(header.textStart, end))
      start = end + 1
      guard start < text.count else { break }
      let wasPart = header.isPart
      end = text.bytes.index(of: Byte.newline, from: start) ?? text.count
      if !wasPart { arena.append(Byte.newline) }
      // What has no header belongs to the payload as it is.
      if !read(text.bytes.slice(0, end), at: start, &header) {
        header.textStart = start
        header.isPart = false
      }
    }
    return ByteSlice(start: payloadStart, count: arena.count - payloadStart)
  }

  static let samples = [
    FormatSample(
      "2026-03-01T10:00:00.413656027Z stdout F listening on :8080",
      time: "2026-03-01T10:00:00.413656027Z", offset: 0, body: "listening on :8080",
      attributes: #"{"log.iostream":"stdout"}"#),
    FormatSample(
      "2026-03-01T11:00:00.5+01:00 stderr P one half\n2026-03-01T11:00:00.6+01:00 stderr F  of two",
      time: "2026-03-01T10:00:00.5Z", offset: 60, body: "one half of two",
      attributes: #"{"log.iostream":"stderr"}"#),
    FormatSample(
      #"2026-03-01T10:00:00.5Z stdout F {"level":"warn","time":"2026-03-01T10:00:00Z","msg":"m"}"#,
      time: "2026-03-01T10:00:00Z", offset: 0, severity: 13, severityText: "warn", body: "m",
      attributes:
        #"{"log.iostream":"stdout","logagent.envelope_time":"2026-03-01T10:00:00.5Z"}"#),
  ]
}
