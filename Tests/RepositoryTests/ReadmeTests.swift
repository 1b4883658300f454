// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct ReadmeTests {
  static let documents: [String] = {
    let folder = Repository.root + "/contrib/docs"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return ["README.md", "CONTRIBUTING.md"]
      + names.filter { $0.hasSuffix(".md") }.map { "contrib/docs/" + $0 }
  }()

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: Repository.root + "/" + path, encoding: .utf8)
  }

  @Test func theReadmeStaysShort() throws {
    #expect(
      try text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count < 200)
  }

  @Test("links lead somewhere", arguments: documents)
  func links(_ path: String) throws {
    let folder = path.contains("/") ? String(path[..<path.lastIndex(of: "/")!]) + "/" : ""
    for match in try text(path).matches(of: /\]\(([^)#:\s]+)(#[^)]*)?\)/) {
      let target = Repository.root + "/" + folder + match.1
      #expect(FileManager.default.fileExists(atPath: target), "\(path): \(match.1)")
    }
  }

  /// Files and folders of the repository between backquotes.
  @Test("paths that are named exist", arguments: documents)
  func paths(_ path: String) throws {
    for match in try text(path).matches(of: /`((?:contrib|etc|Sources|Tests)\/[A-Za-z0-9_.\/+-]*)`/)
    {
      let target = Repository.root + "/" + match.1
      #expect(FileManager.default.fileExists(atPath: target), "\(path): \(match.1)")
    }
  }

  @Test func everyDocumentIsLinkedFromTheReadme() throws {
    let readme = try text("README.md")
    for document in Self.documents where document.hasPrefix("contrib/docs/") {
      #expect(readme.contains("](\(document))"), "\(document)")
    }
  }
}
