// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import LogModel

extension Agent {
  /// Reads a journal for one turn; true when it is at its end.
  @discardableResult
  func read(_ journal: JournalSource, follows: Bool) -> Bool {
    let path = JournalSource.path(journal.configuration.name)
    let (problem, isOver) = journal.read(into: sink, follows: follows, now: now())
    if let problem {
      tell(path, problem)
    } else if !isOver, journal.descriptor != nil {
      recover(path)
    }
    return isOver
  }

  /// Reads what a journal holds now.
  func readToEnd(_ journal: JournalSource) {
    while !sink.hasFailed, !read(journal, follows: false) { journal.wait() }
  }
}
