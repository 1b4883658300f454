// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestSupport

/// A headless Chromium with one page, spoken to over two pipes (the DevTools protocol).
final class Browser {
  /// What it said when a script or a command failed, or nothing when it ended.
  struct Failure: Error {
    let text: String
  }

  static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private let folder: TemporaryDirectory
  private let process = Process()
  private let commands: FileHandle
  private let answers: FileHandle
  private var rest = Data()
  private var lastID = 0
  private var session: String?

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["commands", "answers"] where mkfifo(folder.file(name), 0o600) != 0 {
      throw Failure(text: "mkfifo \(name)")
    }
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments =
      [
        "-c", "cd \"$0\" && exec \"$@\" 3<commands 4>answers 2>errors", folder.path,
        Self.path ?? "", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--remote-debugging-pipe", "--user-data-dir=\(folder.file("profile"))",
        "--log-net-log=\(folder.file("net.json"))", "about:blank",
      ]
    try process.run()
    // The shell opens its ends in this order, and waits for ours.
    commands = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("commands")))
    answers = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.file("answers")))
    let targets = try command("Target.getTargets")["targetInfos"] as? [[String: Any]] ?? []
    let page = targets.first { $0["type"] as? String == "page" }?["targetId"] as? String ?? ""
    session =
      try command("Target.attachToTarget", ["targetId": page, "flatten": true])["sessionId"]
      as? String
    _ = try command("Page.enable")
  }

  deinit {
    if process.isRunning { _ = try? end() }
  }

  /// Ends it; what it noted of its network.
  func end() throws -> String {
    session = nil
    _ = try? command("Browser.close")
    process.waitUntilExit()
    return try String(contentsOfFile: folder.file("net.json"), encoding: .utf8)
  }

  // MARK: The page

  /// Opens a file, and waits until its script has run.
  func open(_ path: String) throws {
    _ = try command("Page.navigate", ["url": "file://" + path])
    while try next()["method"] as? String != "Page.loadEventFired" {}
  }

  /// What an expression or a promise gives: a number, a text, a list of them.
  @discardableResult
  func run(_ script: String) throws -> Any {
    let answer = try command(
      "Runtime.evaluate", ["expression": script, "returnByValue": true, "awaitPromise": true])
    if let details = answer["exceptionDetails"] { throw Failure(text: "\(script): \(details)") }
    return (answer["result"] as? [String: Any])?["value"] ?? ""
  }

  func text(_ script: String) throws -> String { try run(script) as? String ?? "" }

  func number(_ script: String) throws -> Double {
    guard let number = try run(script) as? NSNumber else { throw Failure(text: script) }
    return number.doubleValue
  }

  /// The pixels of the window.
  func resize(_ width: Int, _ height: Int) throws {
    _ = try command(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
  }

  func prefer(_ scheme: String) throws {
    _ = try command(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": scheme]]])
  }

  /// Presses and lets go a key, as on a keyboard.
  func press(_ key: String) throws {
    var event: [String: Any] = ["type": "keyDown", "key": key]
    if key.count == 1 { event["text"] = key }
    _ = try command("Input.dispatchKeyEvent", event)
    _ = try command("Input.dispatchKeyEvent", ["type": "keyUp", "key": key])
  }

  /// Holds the mouse's button from one place to another.
  func drag(from: (x: Double, y: Double), to: (x: Double, y: Double), clicks: Int = 1) throws {
    let steps: [(String, (x: Double, y: Double))] = [
      ("mousePressed", from), ("mouseMoved", to), ("mouseReleased", to),
    ]
    for (type, place) in steps {
      _ = try command(
        "Input.dispatchMouseEvent",
        [
          "type": type, "x": place.x, "y": place.y, "button": "left", "buttons": 1,
          "clickCount": clicks,
        ])
    }
  }

  /// The page on paper, as a PDF.
  func printed() throws -> Data {
    let answer = try command("Page.printToPDF")
    return Data(base64Encoded: answer["data"] as? String ?? "") ?? Data()
  }

  // MARK: The protocol

  private func command(
    _ method: String, _ parameters: [String: Any] = [:]
  ) throws -> [String: Any] {
    lastID += 1
    var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
    message["sessionId"] = session
    try commands.write(contentsOf: JSONSerialization.data(withJSONObject: message) + [0])
    while true {
      let answer = try next()
      guard answer["id"] as? Int == lastID else { continue }
      if let error = answer["error"] { throw Failure(text: "\(method): \(error)") }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  /// The next answer or event; each ends by a zero byte.
  private func next() throws -> [String: Any] {
    while true {
      if let end = rest.firstIndex(of: 0) {
        let message = rest[..<end]
        rest = Data(rest[rest.index(after: end)...])
        return try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
      }
      let piece = answers.availableData
      if piece.isEmpty {
        throw Failure(text: try String(contentsOfFile: folder.file("errors"), encoding: .utf8))
      }
      rest += piece
    }
  }
}
