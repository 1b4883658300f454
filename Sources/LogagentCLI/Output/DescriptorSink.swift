// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LogQuery

/// Standard output or standard error.
final class DescriptorSink: OutputSink {
  private let number: Int32
  private let name: String
  /// Of the descriptor as it was: a pager that stands before the terminal does not change it.
  let isTerminal: Bool
  private let firstColumns: Int

  init(_ number: Int32, name: String) {
    self.number = number
    self.name = name
    isTerminal = isatty(number) == 1
    firstColumns = Self.columns(of: number) ?? 80
  }

  var columns: Int { Self.columns(of: number) ?? firstColumns }

  private static func columns(of number: Int32) -> Int? {
    var size = winsize()
    guard ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    guard let base = bytes.baseAddress else { return }
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(number, base + done, bytes.count - done)
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        // Somebody has made the other end of it non-blocking.
        var wait = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        poll(&wait, 1, 1_000)
      } else if errno != EINTR || Interruption.isRequested {
        // An interrupted write to a pipe that nobody empties must not wait for ever.
        let isClosed = errno == EPIPE || errno == EINTR
        throw OutputError(name: name, reason: String(cString: strerror(errno)), isClosed: isClosed)
      }
    }
  }
}
