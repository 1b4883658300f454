// SPDX-License-Identifier: Apache-2.0

/// Where text goes: a terminal, a file, a pipe, or the memory of a test.
package protocol OutputSink: AnyObject {
  /// Whether a person looks at it: then widths, colours and control characters matter.
  var isTerminal: Bool { get }
  /// Characters in a line of the terminal.
  var columns: Int { get }

  /// Writes all of `bytes`.
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError)
}

/// Output that could not be written.
package struct OutputError: Error, CustomStringConvertible, Sendable {
  /// What was written to: `standard output`, or a path.
  package var name: String
  /// What the system says: `No space left on device`.
  package var reason: String
  /// The reader has gone away: the usual end of `… | head`, and no failure.
  package var isClosed: Bool

  package init(name: String, reason: String, isClosed: Bool) {
    self.name = name
    self.reason = reason
    self.isClosed = isClosed
  }

  package var description: String { "\(name): cannot write: \(reason)" }
}

/// Collects bytes for a sink and hands them over in large pieces.
package final class ByteWriter {
  package let sink: any OutputSink
  package private(set) var bytes: [UInt8] = []
  private var lastFlush = ContinuousClock.now
  private static let capacity = 64 << 10

  package init(_ sink: any OutputSink) {
    self.sink = sink
    bytes.reserveCapacity(Self.capacity * 2)
  }

  package func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
  package func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
  package func append(_ byte: UInt8) { bytes.append(byte) }
  package func append(contentsOf more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Appends by a function on the bytes.
  package func edit(_ body: (inout [UInt8]) -> Void) { body(&bytes) }

  /// To be called after each row: hands over when there is much, or when a person has waited.
  package func endOfRow() throws(OutputError) {
    if bytes.count >= Self.capacity { return try flush() }
    if sink.isTerminal, lastFlush.duration(to: .now) > .milliseconds(100) { try flush() }
  }

  /// Hands over all that is there.
  package func flush() throws(OutputError) {
    defer { bytes.removeAll(keepingCapacity: true) }
    lastFlush = .now
    if bytes.isEmpty { return }
    let result = bytes.withUnsafeBytes { buffer -> Result<Void, OutputError> in
      Result { () throws(OutputError) in try sink.write(buffer) }
    }
    try result.get()
  }
}
