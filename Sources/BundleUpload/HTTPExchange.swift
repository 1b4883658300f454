// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import FileIO
internal import Glibc
internal import LogModel

/// What libcurl's callbacks read from and write to during one request.
///
/// Pointers are unsafe here because libcurl hands out buffers; each is used within its callback.
final class HTTPExchange {
  private let body: HTTPBody
  private var offset: Int64 = 0
  private let shouldStop: () -> Bool
  private let progress: (Int64) -> Void
  private(set) var response = HTTPResponse()
  /// Why the body could not be read.
  private(set) var readError: FileError?

  init(
    _ body: HTTPBody?, _ shouldStop: @escaping () -> Bool, _ progress: @escaping (Int64) -> Void
  ) {
    self.body = body ?? HTTPBody()
    self.shouldStop = shouldStop
    self.progress = progress
  }

  /// Sets the callbacks; the exchange must live as long as the request.
  func attach(to handle: UnsafeMutableRawPointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    la_curl_pointer(handle, CURLOPT_READDATA, context)
    la_curl_pointer(handle, CURLOPT_WRITEDATA, context)
    la_curl_pointer(handle, CURLOPT_HEADERDATA, context)
    la_curl_pointer(handle, CURLOPT_SEEKDATA, context)
    la_curl_pointer(handle, CURLOPT_XFERINFODATA, context)
    la_curl_long(handle, CURLOPT_NOPROGRESS, 0)
    la_curl_on_transfer(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
      HTTPExchange.of(context).read(
        UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
    }
    la_curl_on_transfer(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      HTTPExchange.of(context).take(UnsafeRawBufferPointer(start: bytes, count: size * count))
      return size * count
    }
    la_curl_on_transfer(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
      HTTPExchange.of(context).takeHeader(String(decoding: line, as: UTF8.self))
      return size * count
    }
    la_curl_on_seek(handle) { context, offset, origin in
      guard origin == SEEK_SET else { return Int32(CURL_SEEKFUNC_CANTSEEK) }
      HTTPExchange.of(context).offset = Int64(offset)
      return Int32(CURL_SEEKFUNC_OK)
    }
    la_curl_on_progress(handle) { context, _, _, _, sent in
      let exchange = HTTPExchange.of(context)
      exchange.progress(Int64(sent))
      return exchange.shouldStop() ? 1 : 0
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPExchange {
    guard let context else { preconditionFailure("libcurl lost the context of a callback") }
    return Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
  }

  /// Fills `buffer` with what comes next of the body; 0 at its end.
  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let prefix = Int64(body.prefix.count)
    if offset < prefix { return copy(body.prefix, from: Int(offset), buffer) }
    let inFile = offset - prefix
    if inFile < body.fileLength { return readFile(inFile, buffer) }
    return copy(body.suffix, from: Int(inFile - body.fileLength), buffer)
  }

  private func copy(
    _ bytes: [UInt8], from start: Int, _ buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    let count = min(buffer.count, bytes.count - start)
    if count <= 0 { return 0 }
    buffer.copyBytes(from: bytes[start..<(start + count)])
    offset += Int64(count)
    return count
  }

  private func readFile(_ start: Int64, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let wanted = min(buffer.count, Int(body.fileLength - start))
    while true {
      let count = pread(body.file, buffer.baseAddress, wanted, off_t(body.fileOffset + start))
      if count > 0 {
        offset += Int64(count)
        return count
      }
      if count < 0, errno == EINTR { continue }
      // A file that ends early is not the one that was promised in the request's head.
      readError =
        count < 0
        ? .last("read", "the bundle in the outbox")
        : FileError(action: "read all of", path: "the bundle in the outbox", errno: EIO)
      return Int(CURL_READFUNC_ABORT)
    }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) {
    let room = HTTPResponse.mostBodyBytes - response.body.count
    if room > 0 { response.body += bytes.prefix(room) }
  }

  private func takeHeader(_ line: String) {
    // A new answer begins, such as the one after "100 Continue".
    if line.hasPrefix("HTTP/") { response.headers = [] }
    guard let colon = line.firstIndex(of: ":"), response.headers.count < 200 else { return }
    let blanks: Set<Character> = [" ", "\t", "\r", "\n", "\r\n"]
    var value = line[line.index(after: colon)...].drop { blanks.contains($0) }
    while let last = value.last, blanks.contains(last) { value.removeLast() }
    response.headers.append(.init(line[..<colon].lowercased(), String(value)))
  }
}
