// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The JSON form of Swift's backtracer.
enum SwiftBacktraceJSON: CrashFormat {
  static let name = "swift-backtrace-json"

  static func recognises(_ head: CrashHead) -> Bool {
    guard let root = head.soleObject, root["kind"]?.string == "crashReport" else { return false }
    return root["description"] != nil || root["threads"] != nil || root["faultAddress"] != nil
  }

  static func isComplete(_ file: CrashFile) -> Bool { JSONTree(file.bytes).isWhole }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    let tree = JSONTree(file.bytes)
    guard let root = tree.root, root.isObject else { return [] }
    var report = CrashReport(format: name)
    CrashReportParser.noteBreak(of: tree, in: &report)
    CrashTime.set(CrashTime.read(root["timestamp"]), in: &report, modified: file.modified)
    SwiftBacktrace.readName(of: file, into: &report)
    SwiftBacktrace.readPlatform(root["platform"]?.string ?? "", into: &report)
    report.architecture = root["architecture"]?.string ?? report.architecture
    SwiftBacktrace.readDescription(root["description"]?.string ?? "", into: &report)
    SwiftBacktrace.setAddress(root["faultAddress"]?.address, in: &report)
    readThreads(root["threads"], into: &report)
    SwiftBacktrace.use(images(root["images"]), in: &report)
    SwiftBacktrace.finish(&report)
    return [report]
  }

  private static func readThreads(_ threads: JSONValue?, into report: inout CrashReport) {
    guard let threads else { return }
    for (index, thread) in threads.elements.enumerated() where thread["crashed"]?.bool == true {
      report.crashedThread = index
      report.crashedThreadName = CrashText.meaningful(thread["name"]?.string)
      let frames = thread["frames"]?.elements.lazy.compactMap { frame($0) }
      report.frames = frames.map { Array($0.prefix(CrashReportParser.maxFrames)) } ?? []
      return
    }
  }

  private static func frame(_ value: JSONValue) -> CrashFrame? {
    guard let address = value["address"]?.address ?? value["symbol"].map({ _ in 0 }) else {
      return nil
    }
    var frame = CrashFrame(
      address: address == 0 ? nil : address, image: value["image"]?.string,
      symbol: value["symbol"]?.string, offset: value["offset"]?.address)
    // The description is the demangled name and the offset.
    if let described = value["description"]?.string {
      frame.symbol = StackSymbolLine.symbolAndOffset(described)?.0 ?? described
    }
    if let place = value["sourceLocation"] {
      frame.file = CrashText.meaningful(place["file"]?.string)
      frame.line = place["line"]?.int.flatMap { Int(exactly: $0) }
      frame.column = place["column"]?.int.flatMap { Int(exactly: $0) }
    }
    return frame
  }

  private static func images(_ list: JSONValue?) -> [SwiftBacktrace.Image] {
    (list?.elements).map { elements in
      elements.prefix(4096).compactMap { image in
        guard let base = image["baseAddress"]?.address, let end = image["endOfText"]?.address,
          let name = image["name"]?.string
        else { return nil }
        return .init(name: name, path: image["path"]?.string, base: base, end: end)
      }
    } ?? []
  }
}
