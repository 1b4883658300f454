// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogModel
internal import LogQuery
internal import SQLite
internal import SupportBundle

/// `logagent upload --automatic`: a bundle of what is new, and what waits in the outbox.
///
/// The agent starts it; a person or a timer may, too.
struct AutomaticUpload {
  private let call: Invocation
  private let configuration: Configuration

  init(_ call: Invocation, _ configuration: Configuration) {
    self.call = call
    self.configuration = configuration
  }

  /// The bundle for the outbox; `nil` when there is nothing new to send.
  ///
  /// - Throws: `CommandError`, `BundleError`, `QueryError`, `FileError`.
  func make() throws -> UploadJob.File? {
    let upload = configuration.upload
    let outgoing = Outgoing(configuration)
    try outgoing.noteAutomatic()
    let last = outgoing.taken
    let store = try QueryStore(path: configuration.storePath)
    var selection = BundleSelection(since: nil)
    if last == 0 {
      let now = call.context.now().nanoseconds
      selection.since = Timestamp(nanoseconds: now - upload.automaticRange)
    }
    selection.afterRecord = last
    // Also what was sent before the crash without it.
    selection.addsContext = true
    selection.asked = ["--automatic"]
    if upload.automatic == .onCrash {
      let since = selection.since?.nanoseconds ?? Int64.min
      var crashes: Int64 = 0
      // A report has a record of its own; other crashes are what records of logs tell.
      try store.forEach(
        """
        SELECT count(*) FROM logs WHERE id > \(last) AND time_unix_nano >= \(since)
        AND (crash_id NOT NULL OR id IN (SELECT log_id FROM crash_evidences))
        """
      ) { crashes = $0.integer(0) }
      if crashes == 0 { return nil }
    }
    let name = Command.bundleName(call)
    let path = try outgoing.placeForBundle() + "/" + name
    var request = BundleRequest(
      storePath: configuration.storePath, since: nil, output: .file(path),
      toolVersion: CLI.version)
    request.selection = selection
    request.redaction = try RedactionSetup.rules(configuration.redaction)
    request.maxBytes = upload.automaticMaxBytes
    request.host = call.context.hostName
    request.configuration = try call.loader.resolvedFile.map { try FileSystem.contents(of: $0) }
    request.shouldStop = call.context.shouldStop
    let summary = try SupportBundle.write(request)
    if summary.records == 0, summary.crashes == 0 {
      try FileSystem.remove(path)
      return nil
    }
    var file = UploadJob.File(path: path, name: name)
    file.isMoved = true
    file.watermark = summary.lastRecord
    return file
  }
}
