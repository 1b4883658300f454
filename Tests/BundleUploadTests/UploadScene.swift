// SPDX-License-Identifier: Apache-2.0

import FileIO
import Foundation
import LogModel
import TestSupport
import Testing

@testable import BundleUpload

/// A file to upload, an outbox, and what the uploader told.
final class UploadScene {
  let folder: TemporaryDirectory
  let bytes: [UInt8]
  let path: String
  var job: UploadJob
  private(set) var told: [String] = []
  var environment = ["LOGTEST_TOKEN": "tok-1"]

  /// - Parameters:
  ///   - size: of the file, in bytes.
  ///   - retrySeconds: how long failures are tried again.
  init(size: Int = 300_000, retrySeconds: Int64 = 20) throws {
    folder = try TemporaryDirectory()
    // Each block is another one, so that a hole or a part that is there twice shows.
    var bytes: [UInt8] = []
    var block = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    while bytes.count < size {
      block[bytes.count >> 12 & 4095] &+= 1
      bytes += block.prefix(size - bytes.count)
    }
    self.bytes = bytes
    path = try folder.write("b.tar.gz", bytes)
    job = UploadJob(.upload, outbox: folder.file("outbox"))
    job.files = [UploadJob.File(path: path, name: "b.tar.gz")]
    job.retrySeconds = retrySeconds
    job.toolVersion = "1"
  }

  var sha256: String { SHA256.hex(bytes) }

  /// Sends the job's file to `url`.
  func upload(
    to url: String, _ method: UploadMethod = .put, _ edit: (inout UploadTarget) -> Void = { _ in }
  ) throws -> UploadStatus {
    var target = UploadTarget(url: url)
    target.method = method
    target.stallSeconds = 2
    target.connectSeconds = 5
    edit(&target)
    job.target = target
    return try run()
  }

  /// Does the job as it is.
  func run() throws -> UploadStatus {
    told = []
    let uploader = try Uploader(
      job, environment: environment, shouldStop: { false }, report: { self.told.append($0) })
    return try uploader.run()
  }

  /// The values of a member in the events of a kind.
  func told(_ event: String, _ member: String = "message") -> [String] {
    told.compactMap { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard object?["event"] as? String == event else { return nil }
      return object?[member].map { "\($0)" }
    }
  }

  /// The names in a place of the outbox.
  func items(_ place: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.file("outbox/" + place))
  }
}
