// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc
internal import LogQuery

/// Where the bytes of a bundle go: a file that appears when it is complete, or a stream.
final class BundleTarget {
  private enum Kind {
    case file
    case device
    case sink(any OutputSink)
  }

  private let kind: Kind
  private let path: String
  private var file: AtomicFile?
  private var device: FileDescriptor?
  /// What goes to a stream lies here, without a name, until it has been looked through.
  private var spool: Spool?
  private(set) var bytes: Int64 = 0

  /// The folder of the file, or `nil` for a stream.
  let folder: String?

  /// Begins the output.
  ///
  /// - Throws: `BundleError` when the place does not take it.
  init(_ output: BundleRequest.Output, temporaryFolder: String) throws(BundleError) {
    switch output {
    case .sink(let sink):
      (kind, path, folder) = (.sink(sink), "", nil)
      spool = try Self.makeSpool(temporaryFolder)
    case .file(let path):
      self.path = path
      if let status = try? FileStatus(path: path) {
        if status.kind == .folder {
          throw BundleError(.cannotCreate, "\(SafeText.escaped(path)): a folder; name a file in it")
        }
        // A file is replaced as a whole; a device must never be.
        if status.kind == .special {
          (kind, folder) = (.device, nil)
          device = try Self.openDevice(path)
          spool = try Self.makeSpool(temporaryFolder)
          return
        }
      }
      kind = .file
      folder = FileSystem.folder(of: path)
      Self.removeLeftovers(of: path)
      do throws(FileError) {
        file = try AtomicFile(target: path)
      } catch {
        throw Self.error(.cannotCreate, error, path)
      }
    }
  }

  private struct Spool: ~Copyable {
    let writer: FileDescriptor
    let reader: FileDescriptor
  }

  private static func makeSpool(_ folder: String) throws(BundleError) -> Spool {
    let path = "\(folder)/.logagent.tar.\(getpid()).tmp"
    do throws(FileError) {
      try FileSystem.remove(path)
      let spool = Spool(
        writer: try FileDescriptor.create(path), reader: try FileDescriptor.openForReading(path))
      try FileSystem.remove(path)
      return spool
    } catch {
      throw Self.error(.cannotCreate, error, path)
    }
  }

  /// What was written, for reading from its beginning.
  ///
  /// - Throws: `BundleError`.
  func finished() throws(BundleError) -> FileDescriptor {
    do throws(FileError) {
      // A descriptor of its own, so that nobody's position moves.
      let path = file?.temporaryPath ?? "/proc/self/fd/\(spool?.reader.number ?? -1)"
      return try FileDescriptor.openForReading(path)
    } catch {
      throw Self.error(.inputOutput, error, path)
    }
  }

  private static func openDevice(_ path: String) throws(BundleError) -> FileDescriptor {
    let number = Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else {
      throw error(.cannotCreate, FileError.last("open", path), path)
    }
    return .adopting(number, path: path)
  }

  /// Removes what exports that were killed have left beside their bundles.
  ///
  /// Only names of our form, `.NAME.PID.tmp`, whose process is gone and which are ours.
  private static func removeLeftovers(of path: String) {
    let folder = FileSystem.folder(of: path)
    for name in (try? FileSystem.names(in: folder)) ?? [] {
      guard name.hasPrefix("."), name.hasSuffix(".tmp") else { continue }
      let parts = name.dropFirst().dropLast(4).split(separator: ".")
      let leftover = folder + "/" + name
      guard let pid = parts.last.flatMap({ pid_t($0) }), pid > 1, parts.contains("tar"),
        kill(pid, 0) != 0, errno == ESRCH,
        let status = try? FileStatus(path: leftover, followLinks: false),
        status.kind == .regular, status.owner == geteuid(), status.permissions == 0o600
      else { continue }
      _ = try? FileSystem.remove(leftover)
    }
  }

  /// - Throws: `BundleError`.
  func write(_ buffer: UnsafeRawBufferPointer) throws(BundleError) {
    bytes += Int64(buffer.count)
    do throws(FileError) {
      if case .file = kind {
        try file?.descriptor.write(buffer)
      } else {
        try spool?.writer.write(buffer)
      }
    } catch {
      throw Self.error(.inputOutput, error, path)
    }
  }

  /// Puts the file in its place, or sends it.
  ///
  /// - Throws: `BundleError`, `OutputError`.
  func commit() throws {
    guard let file = file.take() else { return try send() }
    do throws(FileError) {
      try file.commit()
    } catch {
      throw Self.error(.inputOutput, error, path)
    }
  }

  private func send() throws {
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var offset: Int64 = 0
    do {
      while true {
        let count = try buffer.withUnsafeMutableBytes {
          try spool?.reader.read(into: $0, at: offset) ?? 0
        }
        if count == 0 { return }
        offset += Int64(count)
        try buffer[..<count].withUnsafeBytes { piece in
          if case .sink(let sink) = kind { try sink.write(piece) } else { try device?.write(piece) }
        }
      }
    } catch let error as FileError {
      throw Self.error(.inputOutput, error, path)
    }
  }

  /// The name to use in messages about the output.
  var name: String {
    if case .sink = kind { return "standard output" }
    return path
  }

  /// An error on a temporary file is one on the bundle, for the person who asked for it.
  static func error(_ kind: BundleError.Kind, _ error: FileError, _ path: String) -> BundleError {
    var text = "\(SafeText.escaped(path)): cannot write: \(error.reason)"
    if error.isNoSpace { text += "; make room, or name a file elsewhere with -o" }
    return BundleError(kind, text)
  }
}
