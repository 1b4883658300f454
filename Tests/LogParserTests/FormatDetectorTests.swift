// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import Testing

@Suite("Detection of formats")
struct FormatDetectorTests {
  private func detect(_ text: String, _ name: String = "x.log") -> FormatDetection {
    Array(text.utf8).withUnsafeBufferPointer {
      FormatDetector.detect(sample: $0, fileName: name)
    }
  }

  @Test("the most frequent format is chosen, and the others are named")
  func namesCandidates() {
    let json = #"{"level":"info","msg":"a"}"# + "\n"
    let found = detect(String(repeating: json, count: 3) + "2026-03-01 10:00:00 INFO b\n")
    #expect(found.formatName == "json-lines")
    #expect(found.examinedLines == 4)
    #expect(found.score == 0.75)
    #expect(found.candidates.map(\.formatName) == ["json-lines", "timestamped"])
    #expect(found.reason == "3 of the first 4 lines begin a record of this format")
  }

  @Test("an empty file has no format yet, and more bytes decide")
  func decidesLater() {
    #expect(detect("").examinedLines == 0)
    #expect(detect("\n \n").reason == "no line with text yet")
    var parser = RecordParser(file: .test())
    #expect(parser.formatName.isEmpty)
    #expect(!parser.isDecided)
    Array("hello\n".utf8).withUnsafeBufferPointer { parser.detect(sample: $0) }
    #expect(parser.formatName == "plain")
    #expect(!parser.isDecided)
    Array("2026-03-01 10:00:00 INFO b\n".utf8).withUnsafeBufferPointer {
      parser.detect(sample: $0)
    }
    #expect(parser.formatName == "timestamped")
    #expect(parser.isDecided)
  }

  @Test("a last line that is cut does not count")
  func ignoresCutLine() {
    #expect(detect("2026-03-01 10:00:00 INFO b\n2026-03-").examinedLines == 1)
    #expect(detect("2026-03-01 10:00:00 INFO b").formatName == "timestamped")
  }

  @Test("a record of many lines is enough when it is the first")
  func acceptsLongRecords() {
    let frames = (0..<200).map { "frame \($0)\n" }.joined()
    #expect(detect("2026-03-01 10:00:00 INFO b\n" + frames).formatName == "timestamped")
    #expect(detect(frames + "2026-03-01 10:00:00 INFO b\n").formatName == "plain")
  }

  @Test("a file name tells its process")
  func readsName() {
    #expect(detect("", "My App 2026-03-01--09-00-00-123.log").processName == "My App")
    #expect(detect("").processName == "")
  }
}
