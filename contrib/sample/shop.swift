// SPDX-License-Identifier: Apache-2.0
// The sample application's client: a Swift program that writes the lines of swift-log's stream
// handler, buys from the server on loopback, and in the end trusts an index too much.

import Glibc

struct Log {
  let label: String

  func write(_ level: String, _ message: String, _ metadata: String = "") {
    var now = time(nil)
    var local = tm()
    localtime_r(&now, &local)
    var stamp = [CChar](repeating: 0, count: 32)
    strftime(&stamp, stamp.count, "%Y-%m-%dT%H:%M:%S%z", &local)
    let time = String(decoding: stamp.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let pairs = metadata.isEmpty ? "" : metadata + " "
    fputs("\(time) \(level) \(label): \(pairs)[Shop] \(message)\n", stdout)
    fflush(stdout)
  }
}

/// Asks the server for a path, and returns the first line of its answer.
func get(_ path: String, port: UInt16) -> String {
  let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(connection) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  let status = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard status == 0 else { return "no connection" }
  let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nUser-Agent: shop/1.4\r\n\r\n"
  _ = request.withCString { send(connection, $0, strlen($0), 0) }
  var answer = [UInt8](repeating: 0, count: 512)
  let count = recv(connection, &answer, answer.count, 0)
  let line = answer.prefix(max(0, count)).prefix { $0 != 13 }
  return String(decoding: line, as: UTF8.self)
}

@main
enum Shop {
  static func main() {
    let port = UInt16(CommandLine.arguments.dropFirst().first ?? "") ?? 8080
    let log = Log(label: "shop.checkout")
    let basket = ["tea", "lamp", "atlas"]
    log.write("info", "starting", "items=\(basket.count) pid=\(getpid())")
    for item in basket {
      let answer = get("/items/\(item)", port: port)
      let isFine = answer.contains(" 200 ")
      log.write(isFine ? "info" : "warning", "asked for \(item): \(answer)", "request-id=r-\(item)")
      usleep(30_000)
    }
    log.write("error", "basket differs from the server's\n  ours: \(basket)\n  theirs: []")
    fputs("about to pay\n", stderr)
    pay(basket, position: Int(port) % 1 + basket.count)
  }

  @inline(never)
  static func pay(_ basket: [String], position: Int) {
    Log(label: "shop.payment").write("info", "paying for \(basket[position])")
  }
}
