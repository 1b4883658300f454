// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import FileIO
internal import Glibc
internal import LogModel
internal import Synchronization

/// The program `logagent-upload`: a job on standard input, lines of JSON on standard output.
package enum UploadProgram {
  private static let isAskedToStop = Atomic<Bool>(false)

  /// Does the job; returns the exit status.
  package static func main() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    installSignals()
    let output = FileDescriptor.adopting(dup(1), path: "standard output")
    let report = { (line: String) in
      // A reader that went away does not end an upload.
      _ = try? output.write(line)
    }
    guard CommandLine.arguments.count == 1 else {
      report(
        UploadEvent("problem").with(
          "message", "logagent-upload is started by 'logagent upload', which takes the arguments"
        ).line)
      return UploadStatus.usage.rawValue
    }
    let input = (try? readInput()) ?? []
    guard let job = UploadJob(FieldList(String(decoding: input, as: UTF8.self))),
      la_curl_start() == CURLE_OK
    else {
      report(UploadEvent("problem").with("message", "there is no job on standard input").line)
      return UploadStatus.usage.rawValue
    }
    umask(0o077)
    do throws(FileError) {
      let uploader = try Uploader(
        job, environment: ProcessEnvironment.variables(),
        shouldStop: { isAskedToStop.load(ordering: .relaxed) }, report: report)
      return try uploader.run().rawValue
    } catch {
      report(UploadEvent("problem").with("message", error.description).line)
      return (error.isPermission ? UploadStatus.notAllowed : .inputOutput).rawValue
    }
  }

  private static func readInput() throws(FileError) -> [UInt8] {
    let input = FileDescriptor.adopting(dup(0), path: "standard input")
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      var failure: FileError?
      let count = chunk.withUnsafeMutableBytes { buffer -> Int in
        do throws(FileError) {
          return try input.read(into: buffer) ?? 0
        } catch {
          failure = error
          return 0
        }
      }
      if let failure { throw failure }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  private static func installSignals() {
    // The variable must exist before a handler, which may not allocate, can touch it.
    _ = isAskedToStop.load(ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in
        UploadProgram.isAskedToStop.store(true, ordering: .relaxed)
      }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }
}
