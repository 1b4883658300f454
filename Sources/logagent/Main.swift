// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LogagentCLI

@main enum Main {
  static func main() { exit(CLI.main()) }
}
