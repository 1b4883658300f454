// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import LogModel
internal import LogQuery
internal import Pipeline

/// One look at everything that an agent needs: its configuration, its store, what it reads, the host
/// and the host's other programs.
struct Examination {
  let host: HostRoot
  let configuration: Configuration
  /// `nil` when it cannot be opened; that is a finding of its own.
  let store: QueryStore?
  let now: Timestamp
  let environment: [String: String]
  /// Which files the sources mean now.
  let survey: SourceSurvey
  var findings: [Finding] = []

  init(
    _ configuration: Configuration, host: HostRoot, store: QueryStore?, now: Timestamp,
    environment: [String: String]
  ) {
    self.configuration = configuration
    self.host = host
    self.store = store
    self.now = now
    self.environment = environment
    survey = SourceSurvey(configuration)
  }

  /// Looks at all of it, in an order in which a person would mend it.
  mutating func run() {
    checkState()
    checkStore()
    checkDisk()
    checkSources()
    checkSpools()
    checkLag()
    checkInotify()
    checkClock()
    checkTimeZone()
    checkLogrotate()
    checkSwiftBacktraces()
    checkCorePattern()
    checkJournal()
    checkUploads()
  }

  mutating func add(_ finding: Finding) { findings.append(finding) }
}
