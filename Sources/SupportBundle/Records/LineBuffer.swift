// SPDX-License-Identifier: Apache-2.0

internal import LogQuery

/// Lines in the making.
///
/// An array checks at each piece that nobody else has it, and that it is long enough; with fifty
/// pieces a line that took as long as all the rest.
final class LineBuffer {
  @exclusivity(unchecked) private var base: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var capacity: Int
  @exclusivity(unchecked) private(set) var count = 0
  @exclusivity(unchecked) private var escaped: [UInt8] = []

  /// - Parameter capacity: in bytes; it grows as needed.
  init(capacity: Int) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  /// Valid until something is appended.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  func removeAll() { count = 0 }

  @inline(__always)
  private func reserve(_ more: Int) {
    if count &+ more > capacity { grow(more) }
  }

  private func grow(_ more: Int) {
    let larger = max(capacity * 2, count + more)
    let target = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    target.update(from: base, count: count)
    base.deallocate()
    (base, capacity) = (target, larger)
  }

  @inline(__always)
  func append(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    count &+= 1
  }

  @inline(__always)
  func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  func append(_ text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress else { return }
    reserve(text.count)
    (base + count).update(from: start, count: text.count)
    count &+= text.count
  }

  func append(_ text: [UInt8]) { text.withUnsafeBufferPointer { append($0) } }

  /// Appends a number in decimal digits.
  func append(_ number: Int64) {
    reserve(40)
    if number < 0 { append(UInt8(ascii: "-")) }
    // Backwards, somewhere behind, then to its place.
    let end = count &+ 20
    var start = end
    var rest = number.magnitude
    repeat {
      start &-= 1
      base[start] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    (base + count).update(from: base + start, count: end &- start)
    count &+= end &- start
  }

  /// Appends a text as a JSON string, as `SafeText` does.
  func appendJSON(_ text: UnsafeBufferPointer<UInt8>) {
    if SafeText.endOfPlain(text, from: 0) == text.count {
      append(UInt8(ascii: "\""))
      append(text)
      return append(UInt8(ascii: "\""))
    }
    escaped.removeAll(keepingCapacity: true)
    SafeText.appendJSON(text, to: &escaped)
    append(escaped)
  }

  /// Appends JSON, as `SafeText` does.
  func appendJSON(document text: UnsafeBufferPointer<UInt8>) {
    if SafeText.isPlain(text) { return append(text) }
    escaped.removeAll(keepingCapacity: true)
    SafeText.appendJSON(document: text, to: &escaped)
    append(escaped)
  }
}
