// SPDX-License-Identifier: Apache-2.0

internal import Glibc

@main enum Main {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    if words.first == "export", words.count <= 2,
      let records = Int(words.dropFirst().first ?? "1000000"), records > 0
    {
      exit(ExportBenchmark(records: records).run())
    }
    if words.first == "prune", words.count <= 2,
      let rows = Int(words.dropFirst().first ?? "5000000"), rows >= 100_000
    {
      exit(PruneBenchmark(rows: rows).run())
    }
    if words.first == "parse-files", words.count >= 2 {
      exit(ParseBenchmark.run(files: Array(words.dropFirst())))
    }
    guard words.first == "parse",
      let lines = Int(words.dropFirst().first ?? "300000"), lines > 0
    else {
      let usage =
        "usage: logagent-bench parse [LINES [FORMAT…]] | parse-files FILE… | export [RECORDS]"
        + " | prune [ROWS]\n"
      _ = write(2, usage, usage.utf8.count)
      exit(64)
    }
    ParseBenchmark(lines: lines, names: Array(words.dropFirst(2))).run()
  }
}
