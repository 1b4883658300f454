// SPDX-License-Identifier: Apache-2.0

internal import FileTail
internal import LogModel

extension Agent {
  /// Reads all that is there now, once. What was stored before is not stored again.
  ///
  /// - Throws: `AgentError` when the store fails.
  package func importOnce() throws(AgentError) -> AgentSummary {
    for path in sources.missing { tell(path, "no such file or folder") }
    for zone in sources.unknownZones { tell(zone, "the system knows no such time zone") }
    let now = self.now()
    var queue = tailer.scan(now: now).ready
    tellScanProblems()
    let total = queue.reduce(0) { $0 + max(0, $1.seenSize - $1.checkpoint.offset) }
    var finished: Int64 = 0
    while !queue.isEmpty, !sink.hasFailed {
      let file = queue.removeFirst()
      let start = file.checkpoint.offset
      let (current, hasMore) = read(file, .partial, now: now)
      if hasMore { queue.insert(current, at: 0) }
      finished += max(0, current.checkpoint.offset - start)
      events.progress(doneBytes: min(finished, total), totalBytes: total)
      if !hasMore {
        reader.forget(current)
        current.close()
      }
    }
    for journal in journals { readToEnd(journal) }
    if sources.readsStandardInput { readStandardInput(now: now) }
    // One look takes a bounded number of reports. The clock goes on once: a report that looks
    // unfinished is taken as it is when it stays so.
    var (moment, hasWaited) = (now, false)
    while let look = collectReports(now: moment), look <= moment || !hasWaited {
      hasWaited = hasWaited || look > moment
      moment = max(moment, look)
    }
    let files = tailer.files.count
    try finish(isUrgent: false)
    return AgentSummary(problems: told, files: files)
  }

  private func readStandardInput(now: Timestamp) {
    var generation = FileGeneration(
      id: tailer.makeID(), source: "stdin", path: "-",
      identity: FileIdentity(device: 0, inode: 0), firstSeen: now)
    generation.state = .active
    let file = TailFile(generation: generation, sourceIndex: sources.rules.count - 1, now: now)
    file.modified = now
    file.adopt(ContentReader(adopting: 0, path: "standard input"))
    sink.batch.generations.append(file.generation)
    while !sink.hasFailed, read(file, .end(.eof), now: now).hasMore {}
    file.set(state: .gone)
    sink.batch.generations.append(file.generation)
  }
}
