// SPDX-License-Identifier: Apache-2.0

internal import CShims
internal import Glibc

/// Waits for descriptors and signals, by epoll; asleep it costs nothing.
///
/// Make it before any other thread: it blocks SIGINT, SIGTERM and SIGHUP for those that follow, so
/// that the signals come here as events.
package struct EventLoop: ~Copyable {
  /// What ended a wait.
  package enum Event: Hashable, Sendable {
    /// The descriptor that was added with this token can be read.
    case readable(UInt32)
    /// SIGINT, SIGTERM or SIGHUP arrived.
    case signal(Int32)
  }

  private let epoll: FileDescriptor
  private let signals: FileDescriptor
  private static let signalToken = UInt64.max

  /// - Throws: `FileError` when the system has no descriptors left.
  package init() throws(FileError) {
    let epollNumber = la_epoll_create()
    let signalNumber = la_signal_fd()
    let added = la_epoll_add(epollNumber, signalNumber, Self.signalToken)
    let failure = FileError.last("use", "epoll and signalfd")
    epoll = .adopting(epollNumber, path: "epoll")
    signals = .adopting(signalNumber, path: "signalfd")
    guard added == 0 else { throw failure }
  }

  /// Readable while a signal waits to be taken by `wait`.
  package var signalDescriptor: Int32 { signals.number }

  /// Whether `descriptor` can be read now.
  package static func isReadable(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  /// Sleeps without looking at descriptors, until a signal comes.
  package func rest(milliseconds: Int32) {
    var request = pollfd(fd: signals.number, events: Int16(POLLIN), revents: 0)
    poll(&request, 1, milliseconds)
  }

  /// Reports when `descriptor` can be read, under `token`.
  ///
  /// - Throws: `FileError`.
  package func add(_ descriptor: Int32, token: UInt32) throws(FileError) {
    guard la_epoll_add(epoll.number, descriptor, UInt64(token)) == 0 else {
      throw FileError.last("use", "epoll")
    }
  }

  /// Waits for events, at most `milliseconds` (-1: for ever), and appends them.
  package func wait(milliseconds: Int32, into events: inout [Event]) {
    var tokens: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
      (0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &tokens) { buffer in
      let tokens = buffer.bindMemory(to: UInt64.self)
      let count = la_epoll_wait(epoll.number, tokens.baseAddress, 8, milliseconds)
      // An interrupted wait is a wait that found nothing.
      for index in 0..<Int(max(0, count)) {
        if tokens[index] != Self.signalToken {
          events.append(.readable(UInt32(truncatingIfNeeded: tokens[index])))
          continue
        }
        while case let signal = la_signal_read(signals.number), signal > 0 {
          events.append(.signal(signal))
        }
      }
    }
  }
}
