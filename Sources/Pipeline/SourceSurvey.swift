// SPDX-License-Identifier: Apache-2.0

package import AgentConfig
internal import FileIO
internal import FileTail

/// Which files each source of a configuration means now, without reading them.
package struct SourceSurvey: Sendable {
  /// One `[[source]]`.
  package struct Source: Sendable {
    package var name: String
    /// The files, oldest first; those that an earlier source has are not among them.
    package var files: [String] = []
    /// Of `files`, those that cannot be opened, with the reason.
    package var unreadable: [(path: String, reason: String)] = []
    /// What its patterns run into: folders that cannot be listed, FIFOs, sockets.
    package var problems: [(path: String, reason: String)] = []
  }

  /// In the order of the configuration.
  package private(set) var sources: [Source] = []

  /// Looks at the file system.
  package init(_ configuration: Configuration) {
    let tails = AgentSources(configuration, findsRotated: false).tails
    sources = configuration.sources.map { Source(name: $0.name) }
    let state = FileSystem.absolutePath(configuration.stateDirectory)
    let all = Discovery(sources: Array(tails.prefix(sources.count)), excludedFolders: [state])
    for candidate in all.candidates {
      sources[candidate.sourceIndex].files.append(candidate.path)
      do throws(FileError) {
        _ = try FileDescriptor.openForReading(candidate.path)
      } catch {
        sources[candidate.sourceIndex].unreadable.append((candidate.path, error.reason))
      }
    }
    for (index, tail) in tails.prefix(sources.count).enumerated() {
      let own = Discovery(sources: [tail], excludedFolders: [state])
      sources[index].problems = own.problems.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
  }
}
