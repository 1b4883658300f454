// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Pipeline

@main enum Main {
  static func main() { exit(Daemon.main(Array(CommandLine.arguments.dropFirst()))) }
}
