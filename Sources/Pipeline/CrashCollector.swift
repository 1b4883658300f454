internal import AgentConfig
internal import LogModel

final class CrashCollector {
  init(_ c: Configuration, mixedPaths: [String], known: [FileGeneration]) {}
  struct Outcome {
    var problems: [String: String?] = [:]
    var nextLook: Timestamp?
  }
  func collect(now: Timestamp, newID: () -> UInt32, into sink: BatchSink, events: any AgentEvents)
    -> Outcome
  { Outcome() }
  var folders: Set<String> { [] }
  func covers(_ path: String) -> Bool { false }
}
