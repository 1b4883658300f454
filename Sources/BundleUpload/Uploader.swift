// SPDX-License-Identifier: Apache-2.0

package import FileIO
package import LogModel

/// Does a job: takes files into the outbox, and sends what is due until nothing is left to do now.
package final class Uploader {
  let job: UploadJob
  let environment: [String: String]
  let shouldStop: () -> Bool
  private let report: (String) -> Void
  let outbox: Outbox
  private let usage: DailyUsage
  private var status = UploadStatus.ok
  /// Until when failures are tried again; `nil` for ever.
  private let deadline: Int64?

  /// - Parameters:
  ///   - job: what to do.
  ///   - environment: for credentials.
  ///   - shouldStop: whether a signal came.
  ///   - report: takes lines of JSON; see `UploadEvent`.
  /// - Throws: `FileError` when the outbox can't be used.
  package init(
    _ job: UploadJob, environment: [String: String], shouldStop: @escaping () -> Bool,
    report: @escaping (String) -> Void
  ) throws(FileError) {
    self.job = job
    self.environment = environment
    self.shouldStop = shouldStop
    self.report = report
    outbox = try Outbox(folder: job.outbox, quota: job.limits.outboxBytes)
    usage = DailyUsage(folder: job.outbox, limits: job.limits)
    deadline = job.retrySeconds.map { UploadClock.now() + $0 * 1000 }
  }

  func tell(_ event: UploadEvent) { report(event.line) }

  func note(_ other: UploadStatus) { status = status.worst(other) }

  /// Does it.
  ///
  /// - Throws: `FileError` when the outbox can't be used.
  package func run() throws(FileError) -> UploadStatus {
    if job.action == .status {
      try tellItems()
      return .ok
    }
    var keys = enqueueFiles()
    switch job.action {
    case .retry: keys += try takeBackFailed() + outbox.keys(in: .pending)
    case .due:
      let now = UploadClock.now()
      keys += try outbox.keys(in: .pending).filter {
        (outbox.state(.pending, $0)?.next ?? 0) <= now
      }
    case .upload, .status: break
    }
    if !keys.isEmpty, try mayUseNetwork(Set(keys)) { try send(Set(keys)) }
    try writeNextTime()
    return status
  }

  // MARK: Taking files

  private func enqueueFiles() -> [String] {
    var keys: [String] = []
    for file in job.files {
      guard let target = job.target else {
        tell(UploadEvent("problem").with("message", "no upload.url is configured"))
        note(.usage)
        return []
      }
      do throws(OutboxError) {
        switch try outbox.enqueue(file, target, isConfigured: job.isTargetConfigured) {
        case .pending(let key):
          tell(UploadEvent("queued").with("key", key).with("name", file.name))
          keys.append(key)
        case .alreadySent(let key, let state):
          tell(
            UploadEvent("already").with("key", key).with("name", file.name).with(
              "message",
              "the server took it on \(UploadClock.text(state.sent)) (\(state.answer)); nothing is sent"
            ))
        case .busy(let key):
          note(.tryAgain)
          tell(
            UploadEvent("pending").with("key", key).with("name", file.name).with(
              "message", "another process is sending it"))
        }
      } catch {
        tell(UploadEvent("problem").with("name", file.name).with("message", error.description))
        note(
          error.error.isNotFound ? .noInput : error.error.isPermission ? .notAllowed : .cannotCreate
        )
      }
    }
    return keys
  }

  private func takeBackFailed() throws(FileError) -> [String] {
    let keys = try outbox.keys(in: .failed)
    for key in keys {
      guard var state = outbox.state(.failed, key) else { continue }
      state.failures = 0
      state.next = 0
      try state.write(folder: outbox.path(.failed, key))
      try FileSystem.rename(outbox.path(.failed, key), to: outbox.path(.pending, key))
    }
    return keys
  }

  private func mayUseNetwork(_ keys: Set<String>) throws(FileError) -> Bool {
    if job.limits.unmeteredCommand.isEmpty { return true }
    let child = try ChildProcess(job.limits.unmeteredCommand, environment: environment)
    _ = try child.readAll(limit: 4096)
    if child.wait() == .exited(0) { return true }
    for key in keys {
      guard let item = try outbox.claim(key) else { continue }
      try finish(
        item, .pending, "upload.unmetered_command says no", next: UploadClock.now() + 600_000)
    }
    note(.tryAgain)
    return false
  }

  // MARK: Sending

  private func send(_ keys: Set<String>) throws(FileError) {
    // Whoever asks in person does not wait for the end of an earlier pause.
    let isAsked = job.action != .due
    var waiting: [String: Int64] = [:]
    for key in keys {
      guard let state = outbox.state(.pending, key) else { continue }
      waiting[key] = isAsked ? state.notBefore : max(state.next, state.notBefore)
    }
    while let (key, due) = waiting.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      if shouldStop() { return note(.interrupted) }
      let now = UploadClock.now()
      if due > now {
        if let deadline, due > deadline {
          tellWaiting(key, due)
          note(.tryAgain)
          waiting[key] = nil
        } else {
          UploadClock.pause(milliseconds: min(due - now, 200))
        }
        continue
      }
      waiting[key] = nil
      guard let item = try outbox.claim(key) else {
        note(.tryAgain)
        continue
      }
      if let next = try attempt(item) { waiting[key] = next }
    }
  }

  private func tellWaiting(_ key: String, _ due: Int64) {
    guard let state = outbox.state(.pending, key) else { return }
    let reason = state.reason.map { $0 + "; " } ?? ""
    tell(
      UploadEvent("pending").with("key", key).with("name", state.name).with(
        "message", "\(reason)kept in the outbox, next attempt at \(UploadClock.text(due))"))
  }

  /// Tries once; returns when to try again, if it is to be tried again.
  private func attempt(_ item: consuming OutboxItem) throws(FileError) -> Int64? {
    let now = UploadClock.now()
    if let reason = usage.reasonToWait(for: item.state.size - item.state.offset, now: now) {
      note(.tryAgain)
      let tomorrow = (UploadClock.day(now) + 1) * 86_400_000
      try finish(item, .pending, reason, next: tomorrow)
      return nil
    }
    item.state.attempts += 1
    let (outcome, sentBytes) = try send(&item)
    try usage.add(uploads: 1, bytes: sentBytes, now: now)
    switch outcome {
    case .accepted(let response):
      try accept(item, response)
      return nil
    case .refused(let reason):
      note(.refused)
      try finish(item, .failed, reason)
      return nil
    case .blocked(let reason):
      note(.unavailable)
      try finish(item, .pending, reason, next: UploadClock.now() + Backoff.mostMilliseconds)
      return nil
    case .interrupted:
      note(.interrupted)
      try finish(item, .pending, "interrupted")
      return nil
    case .later(let reason, let after): return try postpone(item, reason, after)
    }
  }

  private func postpone(
    _ item: consuming OutboxItem, _ reason: String, _ after: Int64?
  ) throws(FileError) -> Int64? {
    let now = UploadClock.now()
    item.state.failures += 1
    var pause = Backoff.milliseconds(failures: item.state.failures)
    if let after {
      // A server that asks for more than a day is asked again after one.
      let wanted = min(after, 86_400) * 1000
      pause = max(wanted, after == 0 ? 0 : pause)
      item.state.notBefore = now + wanted
    } else {
      item.state.notBefore = 0
      if let deadline, now + pause > deadline {
        // One more attempt fits in before the time is over.
        let left = deadline - now
        if left >= Backoff.firstMilliseconds * 6 / 5 { pause = left }
      }
    }
    let key = item.key
    let name = item.state.name
    item.state.reason = reason
    item.state.next = now + pause
    let next = item.state.next
    try outbox.put(item, in: .pending)
    if deadline.map({ next <= $0 }) ?? true {
      tell(
        UploadEvent("waiting").with("key", key).with("name", name).with("message", reason)
          .with("milliseconds", pause))
    }
    return next
  }

  private func finish(
    _ item: consuming OutboxItem, _ place: Outbox.Place, _ reason: String, next: Int64 = 0
  ) throws(FileError) {
    item.state.reason = reason
    item.state.next = next
    try outbox.put(item, in: place)
    tell(
      UploadEvent(place == .failed ? "failed" : "pending").with("key", item.key)
        .with("name", item.state.name).with("message", reason))
  }

  private func accept(_ item: consuming OutboxItem, _ response: HTTPResponse) throws(FileError) {
    item.state.record(response)
    item.state.sent = UploadClock.now()
    item.state.offset = item.state.size
    // A kill before the mark moves only makes the next bundle overlap this one.
    try outbox.put(item, in: .completed)
    if let watermark = item.state.watermark { try outbox.acknowledge(watermark) }
    try FileSystem.remove("\(job.outbox)/made/\(item.state.sha256)")
    tell(
      UploadEvent("sent").with("key", item.key).with("name", item.state.name)
        .with("status", Int64(response.status)).with("total", item.state.size))
  }
}
