// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import Testing

@Suite("Formats and their samples")
struct FormatRegistryTests {
  @Test("every format has samples and its names are unique")
  func hasSamples() {
    let names = FormatRegistry.all.map(\.name)
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(!FormatRegistry.samples(of: name).isEmpty, "\(name) has no sample")
      #expect(name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }, "\(name)")
    }
  }

  @Test("every sample is read as it states", arguments: FormatRegistry.all.map(\.name))
  func readsSamples(name: String) throws {
    for sample in FormatRegistry.samples(of: name) {
      let context = FileContext.test(path: "/logs/" + sample.fileName, modified: sample.modified)
      let file = ParsedFile(sample.text, context: context)
      try #require(file.records.count == 1, "\(sample.text) gave \(file.records.count) records")
      let record = file.records[0]
      let time = record.timeQuality == .observed ? nil : record.time.description
      let comment = Comment(rawValue: sample.text)
      #expect(time == sample.time, comment)
      let offset = record.utcOffsetMinutes
      #expect(
        offset == LogRecord.noOffset ? sample.offset == nil : Int(offset) == sample.offset, comment)
      #expect(Int(record.severity.number) == sample.severity, comment)
      #expect(file.string(record.severityText) == sample.severityText, comment)
      #expect(file.string(record.process) == sample.process, comment)
      #expect(record.pid == sample.pid, comment)
      #expect(record.threadID == sample.thread, comment)
      #expect(file.string(record.scope) == sample.scope, comment)
      #expect(file.string(record.body) == sample.body, comment)
      let attributes = try file.attributes(0)
      let expected = try JSONSerialization.jsonObject(with: Data(sample.attributes.utf8))
      #expect(attributes == expected as? NSDictionary, comment)
      #expect(file.isFaithful(0), comment)
      #expect(name == "fatal-error" ? file.formatName == "plain" : file.formatName == name, comment)
    }
  }

  @Test("a sample between lines of plain text is still read", arguments: FormatRegistry.all)
  func readsSamplesInPlainText(info: FormatInfo) throws {
    // What only a whole file can tell, and what needs the lines before it.
    let needsFile = ["plain", "json-document", "w3c"]
    for sample in FormatRegistry.samples(of: info.name)
    where !sample.text.contains("\n") && !needsFile.contains(info.name) {
      let before = String(repeating: "starting up\nall is well\n", count: 20)
      let file = ParsedFile(
        before + sample.text + "\nshutting down\n", context: .test(modified: sample.modified))
      let index = try #require(
        file.texts.firstIndex { String(decoding: $0, as: UTF8.self).hasPrefix(sample.text) })
      let record = file.records[index]
      let comment = Comment(rawValue: sample.text)
      #expect(Int(record.severity.number) == sample.severity, comment)
      #expect(sample.time == nil || record.time.description == sample.time, comment)
    }
  }

  @Test("the example of a format is detected as that format")
  func detectsExamples() {
    for info in FormatRegistry.all where info.name != "fatal-error" {
      let found = Array(info.example.utf8).withUnsafeBufferPointer {
        FormatDetector.detect(sample: $0, fileName: "x.log")
      }
      #expect(found.formatName == info.name)
    }
  }
}
