// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One run of a program to its end.
struct ProgramRun {
  let status: Int32
  /// Standard output and standard error, as they came.
  let text: String

  /// - Parameters:
  ///   - program: one of ours by its name, or any by its path.
  ///   - words: its arguments.
  ///   - environment: all of its variables; `nil` for those of the tests.
  ///   - mergesErrors: whether `text` has standard error, too.
  init(
    _ program: String, _ words: [String], environment: [String: String]? = nil,
    mergesErrors: Bool = true
  ) throws {
    let process = Process()
    process.executableURL =
      program.hasPrefix("/") ? URL(fileURLWithPath: program) : BuiltProgram.url(program)
    process.arguments = words
    if let environment { process.environment = environment }
    let pipe = Pipe()
    process.standardOutput = pipe
    if mergesErrors {
      process.standardError = pipe
    } else {
      process.standardError = FileHandle.nullDevice
    }
    try process.run()
    text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }
}
