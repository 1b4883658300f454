// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel

extension Uploader {
  /// Prepares and makes one attempt; returns what came of it and the bytes that went out.
  ///
  /// - Throws: `FileError` when the outbox can't be used.
  func send(_ item: inout OutboxItem) throws(FileError) -> (UploadOutcome, Int64) {
    let given = item.state.isConfigured ? job.target ?? item.state.target : item.state.target
    guard let target = given else { return (.blocked("no upload.url is configured"), 0) }
    let address: Address
    let credentials: Credentials
    do {
      address = try Address(target.url)
      credentials = try Credentials(target, environment: environment)
      if !credentials.isEmpty, address.scheme != "https", !address.isLoopback {
        return (.blocked("\(address.shown): credentials are sent by https only"), 0)
      }
    } catch {
      return (.blocked("\(error)"), 0)
    }
    let prepared = try prepareBody(item, target)
    let file = try FileDescriptor.openForReading(item.folder + "/" + prepared.name)
    let size = try file.status().size
    guard prepared.isCompressed || size == item.state.size else {
      return (.refused("its copy in the outbox has changed"), 0)
    }
    do throws(TransferError) {
      let client = try HTTPClient(
        target, credentials, origin: address,
        userAgent: "logagent-upload/" + job.toolVersion, shouldStop: shouldStop)
      let before = item.state.offset
      let total = item.state.size
      let name = item.state.name
      let key = item.key
      var last: Int64 = 0
      client.progress = { sent in
        let now = UploadClock.now()
        guard sent > 0, now - last > 250 else { return }
        last = now
        self.tell(
          UploadEvent("progress").with("key", key).with("name", name)
            .with("sent", min(before + sent, total)).with("total", total))
      }
      var attempt = UploadAttempt(
        target: target, client: client, address: address, file: file, size: size,
        isCompressed: prepared.isCompressed)
      let outcome = try save { () throws(FileError) in try attempt.run(&item) }
      return (outcome, attempt.sentBytes)
    } catch {
      return (UploadOutcome(error), 0)
    }
  }

  private func save(
    _ body: () throws(FileError) -> UploadOutcome
  ) throws(TransferError) -> UploadOutcome {
    do throws(FileError) {
      return try body()
    } catch {
      throw TransferError(.local, error.description)
    }
  }

  /// The file that is sent: the bundle, or a compressed form of what would be sent.
  private func prepareBody(
    _ item: borrowing OutboxItem, _ target: UploadTarget
  ) throws(FileError) -> (name: String, isCompressed: Bool) {
    let isForm = target.method == .post || target.method == .kscrash
    guard target.usesGzip, isForm, !item.state.isGzipRefused else { return ("bundle", false) }
    let bundle = try FileDescriptor.openForReading(item.folder + "/bundle")
    var magic: [UInt8] = [0, 0]
    let count = try read(bundle, into: &magic, at: 0)
    // What is compressed already gains nothing.
    if count == 2, magic == [0x1f, 0x8b] { return ("bundle", false) }
    let path = item.folder + "/body.gz"
    try FileSystem.remove(path)
    let form = UploadForm(target, key: item.key, name: item.state.name)
    var writer = GzipWriter(try FileDescriptor.create(path))
    try writer.write(form.prefix)
    var chunk = [UInt8](repeating: 0, count: 256 << 10)
    var offset: Int64 = 0
    while case let count = try read(bundle, into: &chunk, at: offset), count > 0 {
      try writer.write(Array(chunk[..<count]))
      offset += Int64(count)
    }
    try writer.write(form.suffix)
    try writer.finish()
    return ("body.gz", true)
  }

  private func read(
    _ file: borrowing FileDescriptor, into bytes: inout [UInt8], at offset: Int64
  ) throws(FileError) -> Int {
    var failure: FileError?
    let count = bytes.withUnsafeMutableBytes { buffer -> Int in
      do throws(FileError) {
        return try file.read(into: buffer, at: offset)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return count
  }
}
