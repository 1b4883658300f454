// SPDX-License-Identifier: Apache-2.0

internal import Glibc

@main enum Main {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    guard words.first == "parse",
      let lines = Int(words.dropFirst().first ?? "300000"), lines > 0
    else {
      let usage = "usage: logagent-bench parse [LINES [FORMAT…]]\n"
      _ = write(2, usage, usage.utf8.count)
      exit(64)
    }
    ParseBenchmark(lines: lines, names: Array(words.dropFirst(2))).run()
  }
}
