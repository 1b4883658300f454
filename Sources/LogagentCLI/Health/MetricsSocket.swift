// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc

/// A Unix socket that answers each HTTP request with one text.
final class MetricsSocket {
  private let listener: FileDescriptor
  private let path: String

  /// Makes the socket, of mode 0660: its group may ask.
  ///
  /// - Throws: `FileError`, also when another program answers there.
  init(path: String) throws(FileError) {
    self.path = path
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    guard name.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw FileError(action: "make the socket", path: path, errno: ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw FileError.last("make the socket", path) }
    listener = FileDescriptor.adopting(number, path: path)
    // What is left over from a process that died answers nobody.
    if Self.call(connect, number, &address) == 0 {
      throw FileError(action: "make the socket", path: path, errno: EADDRINUSE)
    }
    if let status = try? FileStatus(path: path), status.kind == .special {
      try FileSystem.remove(path)
    }
    guard Self.call(bind, number, &address) == 0, listen(number, 8) == 0 else {
      throw FileError.last("make the socket", path)
    }
    try FileSystem.setPermissions(path, 0o660)
  }

  deinit { unlink(path) }

  private static func call(
    _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ number: Int32,
    _ address: inout sockaddr_un
  ) -> Int32 {
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { function(number, $0, length) }
    }
  }

  /// Waits for one request, at most `milliseconds`, and answers it.
  ///
  /// - Returns: whether one came.
  func answer(within milliseconds: Int32, _ text: () throws -> String) -> Bool {
    var ready = pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, milliseconds) > 0 else { return false }
    let number = accept(listener.number, nil, nil)
    guard number >= 0 else { return false }
    let connection = FileDescriptor.adopting(number, path: path)
    // Who connects and says nothing must not keep the others waiting.
    var limit = timeval(tv_sec: 2, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(number, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    var request = [UInt8](repeating: 0, count: 8192)
    _ = try? request.withUnsafeMutableBytes { try connection.read(into: $0) }
    var status = "200 OK"
    var body = ""
    do { body = try text() } catch {
      status = "503 Service Unavailable"
      body = (CommandError(error)?.message ?? "") + "\n"
    }
    let head =
      "HTTP/1.0 \(status)\r\nContent-Type: text/plain; version=0.0.4\r\n"
      + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
    // Somebody who has gone does not want the answer.
    try? connection.write(head + body)
    return true
  }
}
