// SPDX-License-Identifier: Apache-2.0

/// What a file's name tells of its records.
struct FileFacts: Sendable {
  let name: String

  init(fileName: Substring) { name = String(fileName) }
}
