// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel

/// What the outbox remembers of a file, in `state` beside it; replaced as a whole at each change.
struct ItemState {
  private var fields: FieldList

  /// For the server and for messages.
  var name: String { fields["name"] ?? "bundle" }
  /// Bytes.
  var size: Int64 { fields.integer("size") ?? 0 }
  var sha256: String { fields["sha256"] ?? "" }
  /// Milliseconds since 1970.
  var queued: Int64 { fields.integer("queued") ?? 0 }
  /// The last row of the store that the file holds.
  var watermark: Int64? { fields.integer("watermark") }
  /// Whether it goes where the configuration says, also after that has changed.
  var isConfigured: Bool { fields["configured"] == "1" }
  var target: UploadTarget? { fields["target"].flatMap { UploadTarget(FieldList($0)) } }

  /// Attempts that were begun.
  var attempts: Int {
    get { Int(fields.integer("attempts") ?? 0) }
    set { fields["attempts"] = String(newValue) }
  }
  /// Attempts since the server last acknowledged something new.
  var failures: Int {
    get { Int(fields.integer("failures") ?? 0) }
    set { fields["failures"] = String(newValue) }
  }
  /// When it is tried next, in milliseconds since 1970.
  var next: Int64 {
    get { fields.integer("next") ?? 0 }
    set { fields["next"] = String(newValue) }
  }
  /// The server asked for no attempt before this time.
  var notBefore: Int64 {
    get { fields.integer("not-before") ?? 0 }
    set { fields["not-before"] = newValue > 0 ? String(newValue) : nil }
  }
  /// Bytes were sent, and no answer came: the server may have them.
  var isUnanswered: Bool {
    get { fields["unanswered"] == "1" }
    set { fields["unanswered"] = newValue ? "1" : nil }
  }
  /// The server has shown that it can go on in the middle.
  var isResumable: Bool {
    get { fields["resumable"] == "1" }
    set { fields["resumable"] = newValue ? "1" : nil }
  }
  /// The server did not take a compressed body.
  var isGzipRefused: Bool {
    get { fields["gzip-refused"] == "1" }
    set { fields["gzip-refused"] = newValue ? "1" : nil }
  }
  /// Of tus: where this file's upload lies.
  var uploadURL: String? {
    get { fields["upload-url"] }
    set { fields["upload-url"] = newValue }
  }
  /// Bytes that the server has acknowledged.
  var offset: Int64 {
    get { fields.integer("offset") ?? 0 }
    set { fields["offset"] = newValue > 0 ? String(newValue) : nil }
  }
  /// Why the last attempt failed.
  var reason: String? {
    get { fields["reason"] }
    set { fields["reason"] = newValue }
  }
  /// The status of the answer with which the server took it.
  var answer: Int {
    get { Int(fields.integer("answer") ?? 0) }
    set { fields["answer"] = String(newValue) }
  }
  /// When the server took it, in milliseconds since 1970.
  var sent: Int64 {
    get { fields.integer("sent") ?? 0 }
    set { fields["sent"] = String(newValue) }
  }

  /// A new file.
  init(
    _ file: UploadJob.File, size: Int64, sha256: String, target: UploadTarget, isConfigured: Bool
  ) {
    fields = FieldList()
    fields["name"] = file.name
    fields["size"] = String(size)
    fields["sha256"] = sha256
    fields["queued"] = String(UploadClock.now())
    fields["watermark"] = file.watermark.map { String($0) }
    set(target, isConfigured: isConfigured)
  }

  /// Where it goes, and whether that is for the configuration to say.
  mutating func set(_ target: UploadTarget, isConfigured: Bool) {
    fields["configured"] = isConfigured ? "1" : nil
    fields["target"] = target.lines.text
  }

  /// Reads the state of the item in `folder`.
  ///
  /// - Throws: `FileError`.
  init(folder: String) throws(FileError) {
    let bytes = try FileSystem.contents(of: folder + "/state", limit: 1 << 20)
    fields = FieldList(String(decoding: bytes, as: UTF8.self))
  }

  /// Keeps the words that the server gave for the file: where it lies, its tag.
  mutating func record(_ response: HTTPResponse) {
    answer = response.status
    for name in ["location", "etag"] { fields[name] = response.header(name) }
    reason = nil
    isUnanswered = false
  }

  /// Writes it, on the disk when this returns.
  ///
  /// - Throws: `FileError`.
  func write(folder: String) throws(FileError) {
    let file = try AtomicFile(target: folder + "/state")
    try file.descriptor.write(fields.text)
    try file.commit()
  }
}
