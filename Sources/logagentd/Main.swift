// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Pipeline

@main enum Main {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    if words == ["--help"] || words == ["-h"] {
      print(Daemon.usage)
      exit(0)
    }
    exit(Daemon.main(words))
  }
}
