// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Tells systemd how the service is, by the protocol of sd_notify(3): a datagram to the socket that
/// `NOTIFY_SOCKET` names. Without it everything here does nothing.
struct ServiceNotifier {
  private let path: String?
  /// Nanoseconds between signs of life that systemd's watchdog wants; `nil` for none.
  let watchdogInterval: Int64?

  /// - Parameter environment: the variables of the process.
  init(environment: [String: String]) {
    path = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    let isForUs = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init) ?? 0
    // Twice as often as it must be, as the manual page advises.
    watchdogInterval = isForUs && microseconds > 0 ? microseconds * 500 : nil
  }

  func ready() { send("READY=1") }
  func reloading() { send("RELOADING=1") }
  func stopping() { send("STOPPING=1") }
  func isAlive() { send("WATCHDOG=1") }

  private func send(_ message: String) {
    guard let path else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(path.utf8)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard name.count < capacity else { return }
    // A leading @ stands for the NUL of an abstract name.
    if name.first == UInt8(ascii: "@") { name[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = MemoryLayout<sa_family_t>.size + name.count
    let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | 0o2000000, 0)
    guard socket >= 0 else { return }
    defer { close(socket) }
    let bytes = Array(message.utf8)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        // Nobody is there to be told when it fails.
        _ = sendto(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
      }
    }
  }
}
