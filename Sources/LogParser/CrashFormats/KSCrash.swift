// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// KSCrash's JSON reports, versions 1 to 3, and those of its forks in Bugsnag's and Sentry's SDKs.
enum KSCrash: CrashFormat {
  static let name = "kscrash"

  static func recognises(_ head: CrashHead) -> Bool {
    guard let root = head.soleObject else { return false }
    let known: Set = [
      "report", "recrash_report", "process", "system", "crash", "binary_images", "user", "debug",
      "incomplete", "system_atcrash", "user_atcrash", "sentry_sdk_scope",
    ]
    guard let first = root.keys.first, known.contains(first) || root["report"]?.isObject == true
    else { return false }
    return hasEvidence(root) || root["recrash_report"].map(hasEvidence) ?? false
  }

  /// Objects that only such a report has, whichever comes first in the file.
  private static func hasEvidence(_ root: JSONValue) -> Bool {
    func has(_ object: String, _ keys: [String]) -> Bool {
      keys.contains { root[object]?[$0] != nil }
    }
    if has("report", ["id", "timestamp", "process_name"]), !has("report", ["result", "status"]) {
      return true
    }
    if has("crash", ["error", "threads", "crashed_thread"]) { return true }
    if has("system", ["CFBundleName", "CFBundleExecutable", "app_start_time", "binary_cpu_type"]) {
      return true
    }
    return root["binary_images"]?.elements.first { _ in true }?["image_addr"] != nil
  }

  static func isComplete(_ file: CrashFile) -> Bool { JSONTree(file.bytes).isWhole }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    let tree = JSONTree(file.bytes)
    guard let root = tree.root, root.isObject else { return [] }
    var report = CrashReport(format: name)
    CrashReportParser.noteBreak(of: tree, in: &report)
    if root["incomplete"]?.bool == true {
      report.flags.insert(.incomplete)
      CrashTime.add("its reporter marked it as incomplete", to: &report)
    }
    let original = root["recrash_report"].flatMap { $0.isObject ? $0 : nil }
    readHeader(root["report"], original: original?["report"], into: &report)
    let time = present(root["report"]?["timestamp"]) ?? original?["report"]?["timestamp"]
    // Version 1.0 has no header.
    CrashTime.set(
      CrashTime.read(time ?? root["timestamp"]), in: &report, modified: file.modified)
    report.reportID = report.reportID ?? root["crash_id"]?.scalarText
    readSystem(present(root["system"]) ?? original?["system"], of: root, into: &report)
    KSCrashEvent.read(root["crash"], original: original?["crash"], into: &report)
    CrashFingerprint.apply(to: &report)
    return [report]
  }

  private static func present(_ value: JSONValue?) -> JSONValue? {
    value.flatMap { $0.isNull ? nil : $0 }
  }

  private static func readHeader(
    _ header: JSONValue?, original: JSONValue?, into report: inout CrashReport
  ) {
    report.reportID = header?["id"]?.scalarText ?? original?["id"]?.scalarText
    report.process =
      CrashText.meaningful(header?["process_name"]?.string)
      ?? CrashText.meaningful(original?["process_name"]?.string)
    if header?["type"]?.string == "minimal" || original != nil {
      report.flags.insert(.recrash)
    }
  }

  private static func readSystem(
    _ system: JSONValue?, of root: JSONValue, into report: inout CrashReport
  ) {
    guard let system else { return }
    func text(_ key: String) -> String? { CrashText.meaningful(system[key]?.scalarText) }
    report.process = text("process_name") ?? text("CFBundleExecutable") ?? report.process
    report.pid = system["process_id"]?.int.flatMap { $0 > 0 ? $0 : nil }
    report.executablePath = text("CFBundleExecutablePath")
    report.bundleIdentifier = text("CFBundleIdentifier")
    let config = root["user_atcrash"]?["config"]
    report.version =
      text("CFBundleShortVersionString") ?? CrashText.meaningful(config?["appVersion"]?.string)
    report.build =
      text("CFBundleVersion") ?? CrashText.meaningful(config?["bundleVersion"]?.string)
    report.osName = text("system_name")
    report.osVersion = text("system_version").map { version in
      text("os_version").map { "\(version) (\($0))" } ?? version
    }
    report.device = text("machine") ?? text("model")
    report.architecture = text("cpu_arch")
  }
}
