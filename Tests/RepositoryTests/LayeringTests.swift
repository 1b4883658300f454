// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The checkout that these tests are part of.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// Swift sources below a folder, by path relative to the root.
  static func swiftFiles(below folder: String) throws -> [String: String] {
    var files: [String: String] = [:]
    let top = root + "/" + folder
    let paths = FileManager.default.enumerator(atPath: top)
    while let path = paths?.nextObject() as? String {
      guard path.hasSuffix(".swift") else { continue }
      files[folder + "/" + path] = try String(contentsOfFile: top + "/" + path, encoding: .utf8)
    }
    return files
  }
}

@Suite struct LayeringTests {
  /// Our own targets that each target may import.
  static let allowed: [String: Set<String>] = [
    "LogModel": [],
    "FileIO": ["CNettle", "CShims", "CZlib", "LogModel"],
    "Patterns": ["CPCRE2"],
    "SQLite": ["CSQLite"],
    "LogParser": ["CShims", "LogModel", "Patterns"],
    "FileTail": ["FileIO", "LogModel"],
    "CrashSpool": ["FileIO", "LogModel"],
    "LogStore": ["LogModel", "SQLite"],
    "LogQuery": ["LogModel", "Patterns", "SQLite"],
    "Redaction": ["Patterns"],
    "SupportBundle": [
      "CISAL", "FileIO", "LogModel", "LogQuery", "Patterns", "Redaction", "SQLite",
    ],
    "BundleUpload": ["CCurl", "FileIO", "LogModel"],
    "ProcessCapture": ["CShims", "FileIO", "LogModel"],
    "AgentConfig": ["CTOML", "FileIO", "LogModel"],
    "Pipeline": [
      "AgentConfig", "CShims", "CrashSpool", "FileIO", "FileTail", "LogModel", "LogParser",
      "LogStore", "SQLite",
    ],
    "LogagentCLI": [
      "AgentConfig", "CShims", "FileIO", "LogModel", "LogParser", "LogQuery", "LogStore",
      "Patterns",
      "Pipeline", "ProcessCapture", "Redaction", "SQLite", "SupportBundle",
    ],
    "logagent": ["LogagentCLI"],
    "logagentd": ["Pipeline"],
    "logagent-upload": ["BundleUpload"],
    "logagent-bench": ["FileIO", "LogModel", "LogParser", "LogStore", "SQLite"],
  ]

  static let system: Set<String> = ["Glibc", "Darwin", "Synchronization"]

  @Test("a target imports only what stands before it", arguments: allowed.keys.sorted())
  func imports(target: String) throws {
    let allowed = Self.allowed[target, default: []].union(Self.system)
    for (path, text) in try Repository.swiftFiles(below: "Sources/" + target) {
      for line in text.split(separator: "\n") where line.contains("import ") {
        let words = line.split(separator: " ")
        guard let position = words.firstIndex(of: "import"), position <= 1,
          position < words.count - 1,
          position == 0 || ["internal", "package", "private", "fileprivate"].contains(words[0])
        else { continue }
        #expect(allowed.contains(String(words[position + 1])), "\(path): \(line)")
      }
    }
  }

  @Test func everyTargetIsInTheTable() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Repository.root + "/Sources")
    let ours = folders.filter { !$0.hasPrefix("C") || $0 == "CrashSpool" }
    #expect(Set(ours) == Set(Self.allowed.keys))
  }
}

@Suite struct SourceTests {
  @Test func everyFileNamesItsLicenceAndKeepsItsSize() throws {
    for (path, text) in try Repository.swiftFiles(below: "Sources") {
      #expect(text.hasPrefix("// SPDX-License-Identifier: Apache-2.0\n"), "\(path)")
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
      #expect(lines <= 400, "\(path) has \(lines) lines: find the seam")
    }
  }

  @Test func onlyTheCommandLineAndTheAgentsLogPrint() throws {
    let printers = ["Sources/LogagentCLI/", "Sources/logagent", "Sources/Pipeline/AgentLog.swift"]
    for (path, text) in try Repository.swiftFiles(below: "Sources")
    where !printers.contains(where: path.hasPrefix) {
      for call in ["print(", "fputs(", "exit("] {
        let isCalled = text.split(separator: "\n").contains { line in
          guard !line.trimmingCharacters(in: .whitespaces).hasPrefix("//") else { return false }
          return line.ranges(of: call).contains { range in
            range.lowerBound == line.startIndex
              || !(line[line.index(before: range.lowerBound)].isLetter
                || line[line.index(before: range.lowerBound)] == "_")
          }
        }
        #expect(!isCalled, "\(path) calls \(call)")
      }
    }
  }

  @Test func nothingButTheModelIsPublicAndNoProgramNeedsFoundation() throws {
    for (path, text) in try Repository.swiftFiles(below: "Sources") {
      // What is in every record is to be inlined everywhere, which only public functions are.
      if !path.contains("Sources/LogModel/") {
        #expect(!text.contains("\npublic ") && !text.contains("  public "), "\(path)")
      }
      #expect(!text.contains("import Foundation"), "\(path)")
    }
  }
}
