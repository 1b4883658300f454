// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc

/// Measures an export of many records, redacted and proved, against `gzip` on the same lines.
///
/// It runs the programs beside it and those of the system, as a person would.
struct ExportBenchmark {
  let records: Int

  private static let words = [
    "checkout", "cart", "payment", "session", "inventory", "shipping", "user", "order",
  ]

  func run() -> Int32 {
    let folder = "/tmp/logagent-bench-\(getpid())"
    defer { _ = try? wait(["rm", "-rf", folder]) }
    do {
      return try measure(folder)
    } catch {
      print("logagent-bench: \(error)")
      return 74
    }
  }

  private func measure(_ folder: String) throws -> Int32 {
    try FileSystem.makeFolder(folder, permissions: 0o700)
    let log = folder + "/shop.log"
    try writeLog(log)
    guard let own = FileSystem.realPath("/proc/self/exe") else { return 69 }
    let program = FileSystem.folder(of: own) + "/logagent"
    let state = ["--state-dir", folder + "/state"]
    try wait([program, "import"] + state + [log])
    let bundle = folder + "/bundle.tar.gz"
    let export = try wait([program, "export"] + state + ["--since", "@0", "-o", bundle])
    try wait(["tar", "-xzf", bundle, "-C", folder, "logs.jsonl"])
    let lines = folder + "/logs.jsonl"
    let bytes = try FileStatus(path: lines).size
    print("records           \(records), \(bytes / 1_000_000) MB as JSON lines")
    try show("export, redacted", export, bundle)
    let small = try wait(["gzip", "-6", "-k", lines])
    try show("gzip -6         ", small, lines + ".gz")
    let fast = try wait(["gzip", "-1", "-k", "-f", lines])
    try show("gzip -1         ", fast, lines + ".gz")
    print("wall, of gzip -6  \(rounded(export.wall / small.wall)) (2 or less is wanted)")
    print("MB per CPU second \(rounded(fast.cpu / export.cpu)) of gzip -1 (0.7 or more is wanted)")
    return 0
  }

  private func show(_ name: String, _ cost: Cost, _ file: String) throws {
    let size = try FileStatus(path: file).size
    print("\(name)  \(rounded(cost.wall)) s, \(rounded(cost.cpu)) CPU s, \(size) bytes")
  }

  private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  /// Lines as swift-log's own handler writes them, fifty a second.
  private func writeLog(_ path: String) throws {
    let file = try FileDescriptor.create(path)
    var generator = SystemRandomNumberGenerator()
    var text = ""
    for index in 0..<records {
      let second = index / 50
      let clock = [second / 3600 % 24, second / 60 % 60, second % 60].map {
        ($0 < 10 ? "0" : "") + String($0)
      }
      let word = Self.words[index % Self.words.count]
      let request = String(UInt32.random(in: 0...UInt32.max, using: &generator), radix: 16)
      text +=
        "2026-11-\(10 + second / 86_400 % 20)T\(clock.joined(separator: ":"))+0000 info shop : "
      text += "order=\(index * 7919 % 100_000) request-id=\(request) user=\(index * 31 % 5000) "
      text += "[Shop] \(word) finished in \(index * 17 % 2000) ms\n"
      if text.utf8.count > 1 << 20 {
        try file.write(text)
        text = ""
      }
    }
    try file.write(text)
  }

  /// Seconds.
  private struct Cost {
    var wall: Double
    var cpu: Double
  }

  /// Runs a program to its end.
  @discardableResult
  private func wait(_ words: [String]) throws -> Cost {
    let start = ContinuousClock.now
    let before = Self.cpuOfChildren()
    let child = try ChildProcess(words, environment: ProcessEnvironment.variables())
    _ = try child.readAll(limit: 1 << 20)
    let end = child.wait()
    guard end == .exited(0) else { throw FileError(action: "run", path: words[0], errno: ECHILD) }
    let duration = start.duration(to: .now).components
    return Cost(
      wall: Double(duration.seconds) + Double(duration.attoseconds) / 1e18,
      cpu: Self.cpuOfChildren() - before)
  }

  private static func cpuOfChildren() -> Double {
    var usage = rusage()
    getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
  }
}
