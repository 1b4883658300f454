// SPDX-License-Identifier: Apache-2.0

/// Bounds on what is uploaded.
public struct UploadLimits: Hashable, Sendable {
  /// Uploads that are begun in a day (UTC); 0 for no limit.
  public var uploadsPerDay: Int64 = 0
  /// Bytes sent in a day (UTC); 0 for no limit.
  public var bytesPerDay: Int64 = 0
  /// Bytes of all files that wait in the outbox.
  public var outboxBytes: Int64 = 256 << 20
  /// A program that ends with 0 when the network may be used; empty for none.
  public var unmeteredCommand: [String] = []

  public init() {}
}

/// What `logagent-upload` shall do: what `logagent upload` writes to its standard input.
public struct UploadJob: Hashable, Sendable {
  public enum Action: String, Sendable {
    /// Take `files` into the outbox and send these.
    case upload
    /// Take `files` into the outbox and send whatever is due.
    case due
    /// Send all that is in the outbox now, also what has failed.
    case retry
    /// Tell what is in the outbox.
    case status
  }

  /// A file to take.
  public struct File: Hashable, Sendable {
    public var path: String
    /// For the server and for messages.
    public var name: String
    /// The file is the outbox's alone, and removed from its place.
    public var isMoved = false
    /// What the file stands for, kept beside it: the last row of the store that it holds.
    public var watermark: Int64?

    public init(path: String, name: String) {
      self.path = path
      self.name = name
    }
  }

  public var action: Action
  /// The folder of the outbox.
  public var outbox: String
  /// `nil` when nothing is configured: then files need none, and others have their own.
  public var target: UploadTarget?
  /// Whether `target` is the configuration's, which files in the outbox follow when it changes.
  public var isTargetConfigured = false
  public var files: [File] = []
  public var limits = UploadLimits()
  /// Seconds to go on after a failure that may pass; `nil` for until it has passed.
  public var retrySeconds: Int64? = 0
  public var toolVersion = ""

  public init(_ action: Action, outbox: String) {
    self.action = action
    self.outbox = outbox
  }
}

extension UploadJob {
  /// As lines, for `init(_:)`.
  public var lines: FieldList {
    var lines = FieldList()
    lines["action"] = action.rawValue
    lines["outbox"] = outbox
    lines["retry-seconds"] = retrySeconds.map { String($0) }
    lines["tool-version"] = toolVersion
    lines["configured"] = isTargetConfigured ? "1" : nil
    lines["uploads-per-day"] = String(limits.uploadsPerDay)
    lines["bytes-per-day"] = String(limits.bytesPerDay)
    lines["outbox-bytes"] = String(limits.outboxBytes)
    for word in limits.unmeteredCommand { lines.append("unmetered", word) }
    for file in files {
      var one = FieldList()
      one["path"] = file.path
      one["name"] = file.name
      one["moved"] = file.isMoved ? "1" : nil
      one["watermark"] = file.watermark.map { String($0) }
      lines.append("file", one.text)
    }
    if let target { lines.append(contentsOf: target.lines) }
    return lines
  }

  /// What `lines` gave; `nil` when it is none of it.
  public init?(_ lines: FieldList) {
    guard let action = lines["action"].flatMap(Action.init(rawValue:)), let outbox = lines["outbox"]
    else { return nil }
    self.init(action, outbox: outbox)
    target = UploadTarget(lines)
    retrySeconds = lines.integer("retry-seconds")
    toolVersion = lines["tool-version"] ?? ""
    isTargetConfigured = lines["configured"] == "1"
    limits.uploadsPerDay = lines.integer("uploads-per-day") ?? 0
    limits.bytesPerDay = lines.integer("bytes-per-day") ?? 0
    limits.outboxBytes = lines.integer("outbox-bytes") ?? limits.outboxBytes
    limits.unmeteredCommand = lines.all("unmetered")
    for text in lines.all("file") {
      let one = FieldList(text)
      guard let path = one["path"] else { continue }
      var file = File(path: path, name: one["name"] ?? "bundle")
      file.isMoved = one["moved"] == "1"
      file.watermark = one.integer("watermark")
      files.append(file)
    }
  }
}
