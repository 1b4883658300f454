// SPDX-License-Identifier: Apache-2.0

internal import CISAL
internal import FileIO
internal import Glibc

/// The one gzip member of a file, unpacked piece by piece, with its checksum.
final class Unpacker {
  private let descriptor: Int32
  private let state: UnsafeMutableRawPointer
  private var input = [UInt8](repeating: 0, count: 128 << 10)
  private var unread = 0..<0
  // libarchive reads in it until it asks for the next piece.
  private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256 << 10)
  private var isAtEnd = false
  /// The packed bytes so far.
  private(set) var packed: Int64 = 0
  /// Why there is no more.
  private(set) var problem: String?

  /// - Parameter descriptor: of the file, at its beginning.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    guard let state = la_isal_gunzip_new() else { fatalError("out of memory") }
    self.state = state
  }

  deinit {
    free(state)
    output.deallocate()
  }

  /// The next piece, which is empty at the end, and stays until the one after it; `nil` when it
  /// can't be read.
  fileprivate func next() -> UnsafeMutableBufferPointer<UInt8>? {
    while true {
      if unread.isEmpty { fill() }
      if isAtEnd {
        if !unread.isEmpty { problem = "there is more behind its end" }
      } else if unread.isEmpty, problem == nil {
        problem = "it breaks off"
      }
      if problem != nil { return nil }
      let count = isAtEnd ? 0 : unpack()
      if problem != nil { return nil }
      if count > 0 || isAtEnd { return UnsafeMutableBufferPointer(rebasing: output[..<count]) }
    }
  }

  /// Reads to the end; false when something is wrong with it.
  func finish() -> Bool {
    while let piece = next() {
      if piece.isEmpty { return true }
    }
    return false
  }

  private func fill() {
    let count = input.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    if count < 0 { problem = FileError.last("read", "").reason }
    unread = 0..<max(0, count)
    packed += Int64(max(0, count))
  }

  private func unpack() -> Int {
    var step = la_step()
    let isSound = input.withUnsafeBufferPointer { input in
      la_isal_gunzip(
        state, input.baseAddress.map { $0 + unread.lowerBound }, UInt32(unread.count),
        output.baseAddress, UInt32(output.count), &step)
    }
    if !isSound { problem = "it is no gzip file, or its checksum is wrong" }
    unread = unread.lowerBound + Int(step.consumed)..<unread.upperBound
    isAtEnd = step.is_end
    return Int(step.produced)
  }
}

/// What libarchive asks for more bytes.
func readUnpacked(
  _ archive: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
  _ buffer: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> Int {
  guard let context, let buffer else { return -1 }
  let unpacker = Unmanaged<Unpacker>.fromOpaque(context).takeUnretainedValue()
  guard let piece = unpacker.next() else { return -1 }
  buffer.pointee = UnsafeRawPointer(piece.baseAddress)
  return piece.count
}
