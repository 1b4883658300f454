// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel

/// Which generation a file is that was not open before this scan.
///
/// What can't be read now is decided by nobody: an error is thrown, and the next scan looks again.
/// Taken for another file it would be stored twice.
extension Tailer {
  /// Goes on with a generation of the same inode, or finds that it was truncated or reused.
  ///
  /// - Throws: `ContentError` when it can't be told now.
  func resume(_ candidate: Candidate, now: Timestamp) throws(ContentError) -> TailFile? {
    // One of which nothing is stored has no content by which to know it: its inode may be that of a
    // copy by now.
    let sameInode = resting.values.filter {
      isAt(candidate.key, $0) && $0.state != .truncated && $0.state != .refused
        && $0.identity.headLength > 0
    }
    guard !sameInode.isEmpty, let reader = try open(candidate) else { return nil }
    // The newest first: an inode may have been used several times.
    for generation in sameInode.sorted(by: { $0.id > $1.id }) {
      guard try ContentIdentity.headMatches(reader, generation.identity) else {
        setAside(generation, state: .gone)
        continue
      }
      let isShorter =
        !reader.isCompressed && candidate.status.size < generation.checkpoint.offset
      let isSame = try ContentIdentity.tailMatches(reader, generation.checkpoint)
      if isShorter || !isSame {
        setAside(generation, state: .truncated)
        continue
      }
      return adopt(generation, candidate, reader, now: now)
    }
    return nil
  }

  /// Goes on in a copy of a generation whose file was truncated, compressed or lost.
  ///
  /// - Parameter undecided: files that are there and could not be read at this scan: a copy of what
  ///   such a file held may be its end, or not.
  /// - Throws: `ContentError` when it can't be told now.
  func continueCopy(
    _ candidate: Candidate, present: Set<FileKey>, undecided: [FileKey: ContentError],
    now: Timestamp
  ) throws(ContentError) -> TailFile? {
    guard candidate.status.size > 0, ignored[candidate.key] != candidate.status.size else {
      return nil
    }
    guard let reader = try open(candidate) else { return nil }
    let lost = files.values.filter { $0.unnamedSince != nil }
    for generation in resting.values.sorted(by: { $0.id > $1.id }) + lost.map(\.generation) {
      let identity = generation.identity
      let key = FileKey(device: identity.device, inode: identity.inode)
      // Its inode may be there and hold something else by now.
      let hasEnded = generation.state == .truncated || generation.state == .gone
      guard hasEnded || !present.contains(key) || undecided[key] != nil else { continue }
      guard generation.state != .refused, generation.role == .log else { continue }
      guard identity.headLength > 0, generation.checkpoint.offset > 0 else { continue }
      if !reader.isCompressed && candidate.status.size < generation.checkpoint.offset { continue }
      guard try ContentIdentity.headMatches(reader, identity),
        try ContentIdentity.tailMatches(reader, generation.checkpoint)
      else { continue }
      if !hasEnded, let error = undecided[key] { throw error }
      if let file = lost.first(where: { $0.generation.id == generation.id }) {
        files[self.key(of: file)] = nil
        file.close()
      }
      return adopt(generation, candidate, reader, now: now)
    }
    return nil
  }

  /// Begins a generation for a file that is new, unless it is not ours or may be a copy.
  ///
  /// - Throws: `ContentError` when it can't be told now.
  func begin(_ candidate: Candidate, now: Timestamp) throws(ContentError) -> TailFile? {
    // Without content there is nothing to lose, and nothing to know it by.
    guard candidate.status.size > 0 else { return nil }
    if ignored[candidate.key] == candidate.status.size { return nil }
    if try isCopyInTheMaking(candidate, now: now) { return nil }
    guard let reader = try open(candidate) else { return nil }
    try endRefilled(copiedTo: reader)
    if reader.isCompressed, try repeatsWhatIsStored(reader) {
      ignored[candidate.key] = candidate.status.size
      return nil
    }
    let source = sources[candidate.sourceIndex]
    switch try kind(of: reader, candidate) {
    case .report where source.name == nil:
      ignored[candidate.key] = candidate.status.size
      return nil
    case .binary(let reason) where !source.readsBinary:
      refuse(candidate, reason, now: now)
      return nil
    default:
      let generation = newGeneration(candidate, now: now)
      return adopt(generation, candidate, reader, now: now)
    }
  }

  /// Whether a file repeats one that is still there: `cp` of copytruncate, or gzip at work. It is
  /// left alone until the original is truncated or gone; a copy that a person made is read later.
  private func isCopyInTheMaking(
    _ candidate: Candidate, now: Timestamp
  ) throws(ContentError) -> Bool {
    let plain = candidate.path.hasSuffix(".gz") ? String(candidate.path.dropLast(3)) : nil
    var isCopy = plain.map { (try? FileStatus(path: $0)) != nil } ?? false
    if !isCopy, let reader = try open(candidate) {
      for file in files.values where !isCopy { isCopy = try repeats(reader, candidate, file) }
    }
    guard isCopy else { return false }
    let since = deferred[candidate.key] ?? now
    deferred[candidate.key] = since
    return now.nanoseconds - since.nanoseconds < Self.copyGrace
  }

  /// Ends files without a name that were truncated and filled again with what the copy holds: it is
  /// read there.
  private func endRefilled(copiedTo copy: ContentReader) throws(ContentError) {
    for file in files.values where file.unnamedSince != nil {
      guard let original = try truncatedOriginal(file) else { continue }
      let head = try ContentIdentity.head(of: original)
      guard head.length > 0, try ContentIdentity.head(of: copy, length: head.length) == head
      else { continue }
      end(file, .truncated)
    }
  }

  /// Whether a compressed file holds what a file that is still there held, to the last stored byte:
  /// gzip of a file that has another name too.
  private func repeatsWhatIsStored(_ copy: ContentReader) throws(ContentError) -> Bool {
    for file in files.values {
      let checkpoint = file.checkpoint
      guard file.generation.identity.headLength > 0, checkpoint.offset > 0,
        try ContentIdentity.headMatches(copy, file.generation.identity),
        try ContentIdentity.tailMatches(copy, checkpoint)
      else { continue }
      let next = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
      defer { next.deallocate() }
      if try copy.read(into: next, at: checkpoint.offset) == 0 { return true }
    }
    return false
  }

  private func repeats(
    _ copy: ContentReader, _ candidate: Candidate, _ file: TailFile
  ) throws(ContentError) -> Bool {
    let identity = file.generation.identity
    let checkpoint = file.checkpoint
    guard file.sourceIndex == candidate.sourceIndex, identity.headLength > 0,
      file.unnamedSince == nil, try ContentIdentity.headMatches(copy, identity),
      let (original, size) = try openOriginal(file)
    else { return false }
    if try isTruncated(original, size, checkpoint) {
      // Since it was read last; reading will find it. Then this is its copy.
      guard checkpoint.offset > 0 else { return false }
      return try ContentIdentity.tailMatches(copy, checkpoint)
    }
    // A compressed one is judged by what is stored.
    guard !copy.isCompressed, size >= candidate.status.size else { return false }
    return try ContentIdentity.tail(of: copy, before: candidate.status.size)
      == ContentIdentity.tail(of: original, before: candidate.status.size)
  }

  private func isTruncated(
    _ reader: ContentReader, _ size: Int64, _ checkpoint: Checkpoint
  ) throws(ContentError) -> Bool {
    if size < checkpoint.offset { return true }
    return try !ContentIdentity.tailMatches(reader, checkpoint)
  }

  /// The open file, if it was truncated since it was read last.
  private func truncatedOriginal(_ file: TailFile) throws(ContentError) -> ContentReader? {
    guard let (original, size) = try openOriginal(file),
      try isTruncated(original, size, file.checkpoint)
    else { return nil }
    return original
  }

  /// A file that may have been copied, with its size; nothing for a stream, and for a name that
  /// leads elsewhere by now.
  private func openOriginal(_ file: TailFile) throws(ContentError) -> (ContentReader, Int64)? {
    do throws(FileError) {
      let original = try file.open()
      let size = try original.status().size
      return original.isStream ? nil : (original, size)
    } catch {
      if error.isNotFound || error.errno == FileTailErrno.stale { return nil }
      throw .file(error)
    }
  }

  private func kind(
    of reader: ContentReader, _ candidate: Candidate
  ) throws(ContentError) -> ContentKind {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
    defer { buffer.deallocate() }
    let count = try reader.read(into: buffer, at: 0)
    let head = UnsafeRawBufferPointer(rebasing: buffer[..<count])
    return classify(head.assumingMemoryBound(to: UInt8.self), candidate.path)
  }

  private func newGeneration(_ candidate: Candidate, now: Timestamp) -> FileGeneration {
    // A refused file that has become readable keeps its row, and one of which nothing is stored.
    let known = resting.values.first {
      isAt(candidate.key, $0)
        && ($0.state == .refused
          || $0.identity.headLength == 0 && ($0.state == .active || $0.state == .rotated))
    }
    return FileGeneration(
      id: known?.id ?? makeID(),
      source: sources[candidate.sourceIndex].sourceName(for: candidate.path),
      path: candidate.path,
      identity: FileIdentity(device: candidate.key.device, inode: candidate.key.inode),
      firstSeen: now)
  }

  private func isAt(_ key: FileKey, _ generation: FileGeneration) -> Bool {
    generation.identity.device == key.device && generation.identity.inode == key.inode
  }

  private func adopt(
    _ generation: FileGeneration, _ candidate: Candidate, _ reader: ContentReader, now: Timestamp
  ) -> TailFile {
    if resting.removeValue(forKey: generation.id) != nil { resumed.append(generation.id) }
    changed[generation.id] = nil
    losses.removeAll { $0.generation == generation.id }
    var generation = generation
    let isRenamed = generation.path != candidate.path
    let isOther = generation.identity.inode != candidate.key.inode
    generation.identity.device = candidate.key.device
    generation.identity.inode = candidate.key.inode
    generation.path = candidate.path
    generation.problem = ""
    generation.state = isRenamed || isOther ? .rotated : .active
    let file = TailFile(
      generation: generation, sourceIndex: candidate.sourceIndex, now: now, budget: budget)
    if budget.used < ReaderBudget.limit { file.adopt(reader) }
    file.modified = candidate.status.modified
    file.seenSize = candidate.status.size
    file.provenSize = file.seenSize
    files[candidate.key] = file
    return file
  }

  /// Nothing when the file has no name any more, or its name has passed to another one.
  private func open(_ candidate: Candidate) throws(ContentError) -> ContentReader? {
    do throws(FileError) {
      let reader = try ContentReader(path: candidate.path)
      return FileKey(try reader.status()) == candidate.key ? reader : nil
    } catch {
      if error.isNotFound { return nil }
      throw .file(error)
    }
  }

  private func refuse(_ candidate: Candidate, _ reason: String, now: Timestamp) {
    ignored[candidate.key] = candidate.status.size
    var generation = newGeneration(candidate, now: now)
    generation.state = .refused
    generation.problem = reason
    resting[generation.id] = generation
    changed[generation.id] = generation
  }

  func setAside(_ generation: FileGeneration, state: FileState) {
    var generation = generation
    let checkpoint = generation.checkpoint
    if checkpoint.size > checkpoint.offset {
      losses.append(
        Gap(
          generation: generation.id, from: checkpoint.offset, to: checkpoint.size,
          reason: state == .truncated ? .truncated : .deleted))
    }
    // An open record stays open: a copy may go on with it.
    generation.state = state
    resting[generation.id] = generation
    changed[generation.id] = generation
  }
}
