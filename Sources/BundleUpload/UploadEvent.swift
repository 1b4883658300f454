// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What `logagent-upload` tells: one JSON object a line.
///
/// | event | of | further members |
/// |---|---|---|
/// | `queued` | a file that is in the outbox now | |
/// | `progress` | bytes that have gone out | `sent`, `total` |
/// | `waiting` | an attempt that failed and comes again | `message`, `milliseconds` |
/// | `sent` | a file that the server took | `status`, `total` |
/// | `already` | a file that the server took before | `message` |
/// | `pending`, `failed` | a file that stays, and why | `message` |
/// | `problem` | something that is about no file | `message` |
/// | `item` | an item of the outbox, for `status` | `place`, `attempts`, … |
struct UploadEvent {
  private var text: String

  init(_ event: String) { text = "{\"event\":\(JSONText.quoted(event))" }

  func with(_ key: String, _ value: String?) -> UploadEvent {
    guard let value else { return self }
    var copy = self
    copy.text += ",\(JSONText.quoted(key)):\(JSONText.quoted(value))"
    return copy
  }

  func with(_ key: String, _ value: Int64) -> UploadEvent {
    var copy = self
    copy.text += ",\(JSONText.quoted(key)):\(value)"
    return copy
  }

  var line: String { text + "}\n" }
}
