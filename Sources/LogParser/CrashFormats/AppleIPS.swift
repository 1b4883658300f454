// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Apple's `.ips` files: one line of JSON, then a JSON object.
enum AppleIPS: CrashFormat {
  static let name = "apple-ips"

  static func recognises(_ head: CrashHead) -> Bool {
    guard let json = head.json, let header = json.root, isHeader(header) else { return false }
    return json.breakOffset == nil && json.endOffset < head.bytes.count
      && head.bytes[json.endOffset] == UInt8(ascii: "{")
  }

  /// Whether an object is the first line of Apple's reports, whatever follows.
  static func isHeader(_ value: JSONValue) -> Bool {
    value["bug_type"] != nil && (value["incident_id"] ?? value["os_version"]) != nil
  }

  static func isComplete(_ file: CrashFile) -> Bool { body(of: file).tree.isWhole }

  /// The object after the header line, and where it begins.
  private static func body(of file: CrashFile) -> (tree: JSONTree, header: JSONTree) {
    let end = file.bytes.firstIndex(of: 0x0A) ?? file.bytes.count
    return (JSONTree(file.bytes, from: end), JSONTree(Array(file.bytes[..<end])))
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    let (tree, headerTree) = body(of: file)
    guard let header = headerTree.root, header.isObject else { return [] }
    var report = CrashReport(format: name)
    CrashReportParser.noteBreak(of: tree, in: &report)
    setKind(header["bug_type"]?.scalarText, in: &report)
    readIdentity(tree.root, header: header, into: &report)
    let time = tree.root?["captureTime"] ?? tree.root?["date"]
    CrashTime.set(
      CrashTime.read(time) ?? CrashTime.read(header["timestamp"]), in: &report,
      modified: file.modified)
    guard let body = tree.root else {
      CrashFingerprint.apply(to: &report)
      return [report]
    }
    switch report.kind {
    case .outOfMemory: readJetsam(body, into: &report)
    case .panic: readPanic(body, into: &report)
    default: readEvent(body, into: &report)
    }
    let images = AppleImages(body["usedImages"])
    readThread(body, images, into: &report)
    let exception = images.frames(body["lastExceptionBacktrace"])
    AppleFields.finish(&report, exceptionFrames: exception)
    return [report]
  }

  private static func setKind(_ type: String?, in report: inout CrashReport) {
    switch type {
    case "298"?: report.kind = .outOfMemory
    case "288"?: report.kind = .hang
    case "210"?: report.kind = .panic
    case "109"?, "309"?, nil: break
    case let type?: CrashTime.add("its bug_type \(type) is not that of a crash", to: &report)
    }
  }

  private static func readIdentity(
    _ body: JSONValue?, header: JSONValue, into report: inout CrashReport
  ) {
    func text(_ value: JSONValue?) -> String? { CrashText.meaningful(value?.scalarText) }
    let bundle = body?["bundleInfo"]
    report.reportID = text(body?["incident"]) ?? text(header["incident_id"])
    report.process = text(body?["procName"]) ?? text(header["app_name"]) ?? text(header["name"])
    report.pid = body?["pid"]?.int
    report.executablePath = text(body?["procPath"])
    report.bundleIdentifier = text(bundle?["CFBundleIdentifier"]) ?? text(header["bundleID"])
    report.version =
      text(bundle?["CFBundleShortVersionString"]) ?? text(header["app_version"])
    report.build = text(bundle?["CFBundleVersion"]) ?? text(header["build_version"])
    report.device = text(body?["modelCode"]) ?? text(body?["product"])
    report.architecture = text(body?["cpuType"])
    let train = text(body?[path: "osVersion", "train"])
    let build = text(body?[path: "osVersion", "build"])
    let system = train.map { name in build.map { "\(name) (\($0))" } ?? name }
    AppleFields.setSystem(system ?? text(header["os_version"]), in: &report)
  }

  private static func readEvent(_ body: JSONValue, into report: inout CrashReport) {
    let exception = body["exception"]
    let type = exception?["type"]?.string ?? ""
    let signal = exception?["signal"]?.string ?? ""
    AppleFields.setException(
      signal.isEmpty ? type : "\(type) (\(signal))", subtype: exception?["subtype"]?.string,
      in: &report)
    AppleFields.setCode(exception?["subtype"]?.string, in: &report)
    AppleFields.setInformation(information(body["asi"]), in: &report)
    let termination = body["termination"]
    let details = ["details", "reasons"].lazy.map { lines(termination?[$0]) }
    report.reason =
      report.reason ?? CrashText.meaningful(exception?["message"]?.string)
      ?? details.compactMap { CrashText.meaningful($0) }.first
      ?? CrashText.meaningful(exception?["subtype"]?.string)
      ?? CrashText.meaningful(termination?["indicator"]?.string)
  }

  /// A list of all processes: those that were ended for want of memory have a reason.
  private static func readJetsam(_ body: JSONValue, into report: inout CrashReport) {
    let largest = body["largestProcess"]?.string
    let processes = body["processes"]
    let victim =
      processes?.elements.first { $0["reason"]?.string != nil }
      ?? processes?.elements.first { $0["name"]?.string == largest }
    report.process = CrashText.meaningful(victim?["name"]?.string ?? largest)
    report.pid = victim?["pid"]?.int
    report.reason = CrashText.meaningful(victim?["reason"]?.string)
    guard let pages = victim?["rpages"]?.int, pages >= 0, pages < 1 << 40,
      let size = body[path: "memoryStatus", "pageSize"]?.int ?? body["pageSize"]?.int,
      (1...1 << 20).contains(size)
    else { return }
    let words = "\((pages * size) >> 20) MiB in use"
    report.reason = report.reason.map { "\($0), \(words)" } ?? words
  }

  /// `panicString`: its first line is why, the others are the state of the machine.
  private static func readPanic(_ body: JSONValue, into report: inout CrashReport) {
    let text = body["panicString"]?.string ?? body["macOSPanicString"]?.string
    report.process = "kernel"
    report.reason = text.flatMap { CrashText.meaningful(String($0.prefix { $0 != "\n" })) }
  }

  private static func information(_ asi: JSONValue?) -> String? {
    var parts: [String] = []
    asi?.forEachMember { _, value in parts.append(lines(value)) }
    return CrashText.meaningful(parts.joined(separator: "\n"))
  }

  private static func lines(_ list: JSONValue?) -> String {
    list?.elements.compactMap(\.string).joined(separator: "\n") ?? ""
  }

  private static func readThread(
    _ body: JSONValue, _ images: AppleImages, into report: inout CrashReport
  ) {
    let faulting = body["faultingThread"]?.int.flatMap { Int(exactly: $0) }
    guard let threads = body["threads"]?.elements else { return }
    for (index, thread) in threads.enumerated() {
      guard thread["triggered"]?.bool == true || index == faulting else { continue }
      report.crashedThread = index
      report.crashedThreadName =
        CrashText.meaningful(thread["name"]?.string)
        ?? CrashText.meaningful(thread["queue"]?.string)
      report.frames = images.frames(thread["frames"])
      return
    }
    report.crashedThread = faulting
  }
}

/// The binaries that frames of an `.ips` file name by number.
struct AppleImages {
  private let images: [(name: String?, base: UInt64)]

  init(_ list: JSONValue?) {
    images =
      list?.elements.map { image in
        let path = CrashText.meaningful(image["path"]?.string).map { CrashText.baseName($0) }
        return (CrashText.meaningful(image["name"]?.string) ?? path, image["base"]?.address ?? 0)
      } ?? []
  }

  /// The frames of a list, innermost first.
  func frames(_ list: JSONValue?) -> [CrashFrame] {
    guard let elements = list?.elements else { return [] }
    return elements.prefix(CrashReportParser.maxFrames).map { frame($0) }
  }

  private func frame(_ value: JSONValue) -> CrashFrame {
    var frame = CrashFrame(
      symbol: CrashText.meaningful(value["symbol"]?.string),
      offset: value["imageOffset"]?.address)
    if let index = value["imageIndex"]?.int, index >= 0, index < images.count {
      let image = images[Int(index)]
      frame.image = image.name
      frame.address = image.base &+ (frame.offset ?? 0)
    }
    if frame.symbol != nil { frame.offset = value["symbolLocation"]?.address }
    frame.file = CrashText.meaningful(value["sourceFile"]?.string)
    frame.line = value["sourceLine"]?.int.flatMap { Int(exactly: $0) }
    return frame
  }
}
