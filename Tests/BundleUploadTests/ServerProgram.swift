// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A server of the system, run for one test: it ends when its standard input does.
final class ServerProgram {
  let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var rest = Data()

  struct Failure: Error {
    var text: String
  }

  /// Starts a program, found through `PATH`.
  init(_ words: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The next line that it prints; `nil` at the end.
  func line() -> String? {
    while true {
      if let end = rest.firstIndex(of: 0x0a) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest = Data(rest[rest.index(after: end)...])
        return line
      }
      let piece = output.fileHandleForReading.availableData
      if piece.isEmpty { return nil }
      rest += piece
    }
  }

  /// Ends its standard input; all further lines.
  func end() throws -> [String] {
    try input.fileHandleForWriting.close()
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }

  /// Whether a command ends with 0.
  static func succeeds(_ words: [String]) -> Bool {
    guard let program = try? ServerProgram(words) else { return false }
    _ = try? program.end()
    program.process.waitUntilExit()
    return program.process.terminationStatus == 0
  }

  /// Runs a command to its end.
  static func run(_ words: [String]) throws {
    guard succeeds(words) else { throw Failure(text: words.joined(separator: " ")) }
  }
}
