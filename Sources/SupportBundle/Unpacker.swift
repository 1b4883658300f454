// SPDX-License-Identifier: Apache-2.0

internal import CISAL
internal import FileIO
internal import Glibc

/// The one gzip member of a file, unpacked piece by piece, with its checksum.
final class Unpacker {
  private let descriptor: Int32
  private let name: String
  /// `nil` where zlib is used.
  private let isal: ISALStream?
  private var zlib = Inflater(format: .gzip)
  private var input = [UInt8](repeating: 0, count: 128 << 10)
  private var unread = 0..<0
  private var isAtEnd = false
  /// The packed bytes so far.
  private(set) var packed: Int64 = 0

  /// - Parameters:
  ///   - descriptor: of the file, at its beginning.
  ///   - name: of the file, for messages.
  ///   - isOwn: whether this program has just made it. Then ISA-L unpacks it, in a fifth of zlib's
  ///     time; zlib, which more have attacked, unpacks what others give us.
  init(descriptor: Int32, name: String, isOwn: Bool) {
    self.descriptor = descriptor
    self.name = name
    isal = isOwn ? ISALStream() : nil
  }

  /// Unpacks the next bytes into `piece`, as many as it has room for or less.
  ///
  /// - Returns: how many there are; 0 at the end.
  /// - Throws: `BundleError` of kind `unreadable`.
  func next(into piece: inout [UInt8]) throws(BundleError) -> Int {
    while true {
      if unread.isEmpty { try fill() }
      if isAtEnd {
        guard unread.isEmpty else { throw damage("there is more behind its end") }
        return 0
      }
      if unread.isEmpty { throw damage("it breaks off") }
      let count = try unpack(&piece)
      if count > 0 { return count }
    }
  }

  private func damage(_ reason: String) -> BundleError {
    BundleError(.unreadable, "\(name): no bundle, or damaged: \(reason)")
  }

  private func fill() throws(BundleError) {
    let count = input.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    if count < 0 { throw damage(FileError.last("read", name).reason) }
    unread = 0..<count
    packed += Int64(count)
  }

  private func unpack(_ output: inout [UInt8]) throws(BundleError) -> Int {
    let step: Inflater.Step
    do throws(CompressionError) {
      if let isal {
        step = try isal.inflate(input[unread], into: &output)
      } else {
        step = try zlib.inflate(input[unread], into: &output)
      }
    } catch {
      throw damage(error.description)
    }
    unread = unread.lowerBound + step.consumed..<unread.upperBound
    isAtEnd = step.isEnd
    return step.produced
  }
}

/// ISA-L's state of a gzip member.
private final class ISALStream {
  private let state: UnsafeMutableRawPointer

  init() {
    guard let state = la_isal_gunzip_new() else { fatalError("out of memory") }
    self.state = state
  }

  deinit { free(state) }

  func inflate(
    _ input: ArraySlice<UInt8>, into output: inout [UInt8]
  ) throws(CompressionError) -> Inflater.Step {
    var step = la_step()
    let capacity = UInt32(output.count)
    let isSound = input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer {
        la_isal_gunzip(
          state, input.baseAddress, UInt32(input.count), $0.baseAddress, capacity, &step)
      }
    }
    if !isSound { throw CompressionError("it is no gzip file, or its checksum is wrong") }
    return Inflater.Step(
      consumed: Int(step.consumed), produced: Int(step.produced), isEnd: step.is_end)
  }
}
