// SPDX-License-Identifier: Apache-2.0

package import AgentConfig
internal import FileIO
internal import FileTail
package import LogModel
package import LogParser

/// What files are taken for, and why, without storing anything.
package struct FormatSurvey {
  /// The first record of a file as it would be stored.
  package struct Sample: Sendable {
    package var time: Timestamp
    package var timeQuality: TimeQuality
    package var severity: Severity
    package var process: String
    package var scope: String
    package var body: String
    package var attributes: String
  }

  /// One file, and what it is taken for.
  package struct File: Sendable {
    package var path: String
    package var source: String
    /// The format's name; of a crash report the report's, of what is not read `-`.
    package var format: String
    package var reason: String
    package var candidates: [FormatDetection.Candidate] = []
    package var sample: Sample?
    package var isRefused = false
  }

  package private(set) var files: [File] = []
  /// Paths that can't be looked at, with the reason.
  package private(set) var problems: [String: String] = [:]

  private static let sampleBytes = 64 << 10
  private let formats: UserFormatReaders

  /// Looks at all files under the paths, or at those of the configuration's sources.
  ///
  /// - Throws: `UserFormatError` when a format of the configuration can't be used.
  package init(_ configuration: Configuration) throws(UserFormatError) {
    formats = UserFormatReaders(try UserFormats(configuration.formats))
    let sources = AgentSources(configuration, findsRotated: false)
    for path in sources.missing { problems[path] = "no such file or folder" }
    let state = FileSystem.absolutePath(configuration.stateDirectory)
    let discovery = Discovery(sources: sources.tails, excludedFolders: [state])
    problems.merge(discovery.problems) { first, _ in first }
    for candidate in discovery.candidates.sorted(by: { $0.path < $1.path }) {
      look(at: candidate, sources)
    }
  }

  private mutating func look(at candidate: Candidate, _ sources: AgentSources) {
    let source = sources.tails[candidate.sourceIndex]
    var file = File(
      path: candidate.path, source: source.sourceName(for: candidate.path), format: "-",
      reason: "empty")
    do throws(ContentError) {
      let sample = try Self.sample(of: candidate.path)
      if !sample.isEmpty {
        sample.withUnsafeBufferPointer {
          judge($0, candidate, sources.rules[candidate.sourceIndex], &file)
        }
      }
      files.append(file)
    } catch {
      problems[candidate.path] = error.problem
    }
  }

  private static func sample(of path: String) throws(ContentError) -> [UInt8] {
    let reader: ContentReader
    do throws(FileError) {
      reader = try ContentReader(path: path)
    } catch { throw .file(error) }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: sampleBytes, alignment: 1)
    defer { bytes.deallocate() }
    let count = try reader.read(into: bytes, at: 0)
    return Array(bytes[..<count])
  }

  private func judge(
    _ sample: UnsafeBufferPointer<UInt8>, _ candidate: Candidate, _ rule: LogReader.SourceRules,
    _ file: inout File
  ) {
    let head = UnsafeBufferPointer(rebasing: sample.prefix(4096))
    let name = FileSystem.name(of: candidate.path)
    switch ContentClassifier.classify(head, candidate.path) {
    case .report:
      file.format = CrashReportParser.recognise(head: head, name: name) ?? "-"
      file.reason = "a crash report, by its content"
    case .binary(let reason):
      file.reason = reason
      file.isRefused = true
    case .log:
      let encoding = TextEncoding(fileBeginning: sample)
      RecordAssembler.withText(of: sample, encoding) { text in
        let detection = FormatDetector.detect(
          sample: text, fileName: name, userFormats: formats.readers(for: candidate.path))
        file.format = detection.formatName
        file.reason = detection.reason
        file.candidates = detection.candidates
      }
      file.sample = firstRecord(of: sample, candidate, rule, encoding)
    }
  }

  private func firstRecord(
    of bytes: UnsafeBufferPointer<UInt8>, _ candidate: Candidate, _ rule: LogReader.SourceRules,
    _ encoding: TextEncoding
  ) -> Sample? {
    let now = SystemClock.now()
    var parser = RecordParser(
      file: FileContext(
        path: candidate.path, modified: candidate.status.modified, now: now, zone: rule.zone,
        multiline: rule.multiline, lastTime: nil, zoneNamed: HostTimeZone.named),
      userFormats: formats.readers(for: candidate.path))
    RecordAssembler.withText(of: bytes, encoding) { parser.detect(sample: $0) }
    var assembler = RecordAssembler(
      parser: parser, limits: AssemblyLimits(Limits()), isLinewise: rule.multiline == .off,
      encoding: encoding)
    let batch = RecordBatch()
    _ = assembler.assemble(
      bytes, at: 0, end: .partial, checkpoint: Checkpoint(generation: 0), observed: now,
      written: candidate.status.modified, into: batch
    )
    guard let record = batch.records.first else { return nil }
    return Sample(
      time: record.time, timeQuality: record.timeQuality, severity: record.severity,
      process: batch.arena.string(record.process), scope: batch.arena.string(record.scope),
      body: batch.arena.string(record.body), attributes: batch.arena.string(record.attributes))
  }
}
