// SPDX-License-Identifier: Apache-2.0

/// The labels that home-made crash handlers write before their values.
enum HandlerLabel: CaseIterable {
  case name, reason, time, app, version, build, bundle, device, os, stack, pid, thread, other

  private static let words: [String: HandlerLabel] = {
    let table: [(HandlerLabel, [String])] = [
      (
        .name,
        [
          "name", "exception", "exception name", "exception type", "type", "signal", "crash name",
          "崩溃名称", "异常名称", "异常类型", "崩溃类型", "错误名称", "名称", "信号", "예외", "예외 이름", "이름", "오류 이름",
          "크래시 이름", "신호",
        ]
      ),
      (
        .reason,
        [
          "reason", "exception reason", "crash reason", "message", "description", "error",
          "崩溃原因", "异常原因", "错误原因", "原因", "이유", "사유", "원인", "예외 이유", "크래시 원인",
        ]
      ),
      (
        .time,
        [
          "time", "date", "timestamp", "crash time", "datetime", "date/time", "occurred at",
          "崩溃时间", "崩溃发生的时间", "异常时间", "发生时间", "时间", "日期", "시간", "시각", "날짜", "발생 시간", "발생 시각",
        ]
      ),
      (
        .app,
        ["app", "app name", "application", "process", "应用", "应用名称", "进程", "앱", "프로세스"]
      ),
      (
        .version,
        ["version", "app version", "appversion", "版本", "版本号", "应用版本", "버전", "앱 버전"]
      ),
      (.build, ["build", "build number", "build version", "构建版本", "构建号", "빌드", "빌드 번호"]),
      (
        .bundle,
        ["bundle", "bundle id", "bundle identifier", "bundleid", "identifier", "包名", "번들 id"]
      ),
      (
        .device,
        [
          "device", "device model", "model", "hardware", "设备", "设备型号", "手机型号", "机型", "기기", "기기 모델",
          "디바이스",
        ]
      ),
      (
        .os,
        [
          "os", "os version", "system", "system version", "ios", "ios version", "系统", "系统版本",
          "操作系统", "운영체제", "os 버전", "시스템",
        ]
      ),
      (
        .stack,
        [
          "stack", "stack trace", "stacktrace", "call stack", "callstack", "callstacksymbols",
          "call stack symbols", "backtrace", "symbols", "堆栈", "堆栈信息", "调用栈", "调用堆栈", "崩溃堆栈",
          "스택", "스택 트레이스", "호출 스택", "콜스택", "스택 정보",
        ]
      ),
      (.pid, ["pid", "process id", "进程号", "프로세스 id"]),
      (.thread, ["thread", "线程", "스레드", "쓰레드"]),
      (.other, ["userinfo", "user info", "slide", "slide address", "uuid", "memory", "附加信息"]),
    ]
    var words: [String: HandlerLabel] = [:]
    for (label, names) in table {
      for name in names { words[name] = label }
    }
    return words
  }()

  /// Splits `Label: value`, with an ASCII or a full-width colon, after the handler's decorations.
  ///
  /// - Returns: `nil` when the line begins with no label that is known.
  static func read(_ line: String) -> (label: HandlerLabel, value: String)? {
    var text = CrashText.trim(line)
    while let first = text.first, "-*#•·【[>".contains(first) {
      text = CrashText.trim(text.dropFirst())
    }
    guard let colon = text.firstIndex(where: { $0 == ":" || $0 == "：" || $0 == "】" }) else {
      return nil
    }
    let key = CrashText.trim(text[..<colon]).lowercased()
    guard key.utf8.count <= 40, let label = words[key] else { return nil }
    var value = text[text.index(after: colon)...]
    if value.hasPrefix(":") || value.hasPrefix("：") { value = value.dropFirst() }
    return (label, unwrapped(CrashText.trim(value)))
  }

  /// `Optional("x")`, as Swift prints an optional, is `x`.
  static func unwrapped(_ value: String) -> String {
    guard value.hasPrefix("Optional("), value.hasSuffix(")") else { return value }
    let inner = value.dropFirst(9).dropLast()
    let isQuoted = inner.count > 1 && inner.hasPrefix("\"") && inner.hasSuffix("\"")
    return String(isQuoted ? inner.dropFirst().dropLast() : inner)
  }
}
