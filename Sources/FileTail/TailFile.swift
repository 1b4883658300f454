// SPDX-License-Identifier: Apache-2.0

package import FileIO
package import LogModel

/// One generation of a log file that is being read.
///
/// All that must survive a restart is in `generation.checkpoint`, which counts what was handed on;
/// the rest only saves work.
package final class TailFile {
  package var generation: FileGeneration
  /// Nothing while the file is closed to save descriptors.
  package private(set) var reader: ContentReader? {
    didSet { budget?.used += (reader == nil ? 0 : 1) - (oldValue == nil ? 0 : 1) }
  }
  private let budget: ReaderBudget?
  /// The size and time when it was last read to its end, to see whether there is more.
  package var readSize: Int64 = -1
  package var readModified = Timestamp(nanoseconds: 0)
  /// The size and time that its name had at the last scan.
  package var seenSize: Int64 = 0
  /// The largest size that was seen while it still held what had been read of it: one that was
  /// truncated and filled again may be larger.
  package var provenSize: Int64 = 0
  package var modified = Timestamp(nanoseconds: 0)
  /// When it last grew, by our clock.
  package var lastGrowth: Timestamp
  /// The end of what was read of it.
  package var readEnd: Int64 = 0
  /// Up to where no newline was found in an overlong line: saves looking at those bytes again.
  package var scannedTo: Int64 = 0
  /// How many of its first bytes were looked at to choose its format.
  package var sampledBytes = 0
  /// What its last bytes are to what was stored.
  package var tip = Tip()
  /// When it was no longer found under any of the names we look at.
  package var unnamedSince: Timestamp?
  /// Whether the row in the store does not yet say what `generation` says.
  package var isGenerationDirty = true
  package let sourceIndex: Int

  package init(
    generation: FileGeneration, sourceIndex: Int, now: Timestamp, budget: ReaderBudget? = nil
  ) {
    self.budget = budget
    self.generation = generation
    self.sourceIndex = sourceIndex
    lastGrowth = now
  }

  /// What the last bytes of a file are to what was stored.
  package struct Tip: Sendable {
    /// Whether bytes behind the checkpoint wait for their newline.
    package var hasRest = false
    /// Whether the open record was stored without a newline.
    package var endsUnterminated = false
  }

  package var checkpoint: Checkpoint {
    get { generation.checkpoint }
    set { generation.checkpoint = newValue }
  }

  /// Where reading goes on: at the open record if there is one, since it may have grown.
  package var readOffset: Int64 {
    checkpoint.openOffset >= 0 ? checkpoint.openOffset : checkpoint.offset
  }

  /// Whether its content is the uncompressed stream of a gzip file; such a file does not grow.
  package var isCompressed: Bool { reader?.isCompressed ?? false }

  /// Whether it has changed since it was last read to its end.
  package var mayHaveMore: Bool { seenSize != readSize || modified != readModified }

  /// Takes over a reader that is open already.
  package func adopt(_ reader: ContentReader) { self.reader = reader }

  /// The open file; opened again when it was closed.
  ///
  /// - Throws: `FileError`; one with ESTALE when the name leads to another file by now.
  package func open() throws(FileError) -> ContentReader {
    if let reader { return reader }
    let opened = try ContentReader(path: generation.path)
    let status = try opened.status()
    let identity = generation.identity
    guard status.device == identity.device, status.inode == identity.inode else {
      throw FileError(action: "open", path: generation.path, errno: FileTailErrno.stale)
    }
    reader = opened
    return opened
  }

  package func close() { reader = nil }

  /// Closes it when too many files are open. A file without a name stays open: closed, its content
  /// would be gone.
  package func closeIfCrowded() {
    if let budget, budget.used > ReaderBudget.limit, unnamedSince == nil { reader = nil }
  }

  deinit { if reader != nil { budget?.used -= 1 } }

  /// Sets the state or problem, and remembers that the store must be told.
  package func set(state: FileState? = nil, problem: String? = nil, path: String? = nil) {
    if let state, state != generation.state {
      generation.state = state
      isGenerationDirty = true
    }
    if let problem, problem != generation.problem {
      generation.problem = problem
      isGenerationDirty = true
    }
    if let path, path != generation.path {
      generation.path = path
      isGenerationDirty = true
    }
  }
}

/// How many files are open for reading.
package final class ReaderBudget {
  /// Beyond this, files are closed when they have been read, and opened again by identity.
  package static let limit = 256
  package internal(set) var used = 0

  package init() {}
}

/// The errno for a name that leads to another file than before.
package enum FileTailErrno {
  package static let stale: Int32 = 116  // ESTALE
}
