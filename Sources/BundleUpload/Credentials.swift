// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel

/// The credentials of a target, read for one attempt and then forgotten.
struct Credentials {
  var token: String?
  var user: String?
  var password: String?
  var sessionToken: String?
  var headers: [UploadTarget.Pair] = []

  /// There is none, so anybody may listen.
  var isEmpty: Bool { token == nil && password == nil && sessionToken == nil && headers.isEmpty }

  /// Reads what the target names.
  ///
  /// - Throws: `CredentialError` that names the place, never what is there.
  init(_ target: UploadTarget, environment: [String: String]) throws(CredentialError) {
    let read = { (source: SecretSource?) throws(CredentialError) -> String? in
      guard let source else { return nil }
      return try Self.read(source, environment)
    }
    token = try read(target.token)
    user = try read(target.user)
    password = try read(target.password)
    sessionToken = try read(target.sessionToken)
    for header in target.secretHeaders {
      headers.append(.init(header.name, try Self.read(header.source, environment)))
    }
  }

  private static let limit = 64 << 10

  private static func read(
    _ source: SecretSource, _ environment: [String: String]
  ) throws(CredentialError) -> String {
    var bytes: [UInt8]
    switch source {
    case .environment(let name):
      guard let value = environment[name] else {
        throw CredentialError("\(source.name) is not set")
      }
      bytes = Array(value.utf8)
    case .file(let path):
      do throws(FileError) {
        bytes = try FileSystem.contents(of: path, limit: limit)
      } catch {
        throw CredentialError(error.description)
      }
    case .command(let words):
      bytes = try output(of: words, source, environment)
    }
    while let last = bytes.last, last == 0x0a || last == 0x0d { bytes.removeLast() }
    guard !bytes.isEmpty else { throw CredentialError("\(source.name) is empty") }
    // A line break would begin a header of its own.
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
      throw CredentialError("\(source.name) holds a control character or several lines")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func output(
    of words: [String], _ source: SecretSource, _ environment: [String: String]
  ) throws(CredentialError) -> [UInt8] {
    do throws(FileError) {
      let child = try ChildProcess(words, environment: environment)
      let bytes = try child.readAll(limit: limit)
      if child.wait() == .exited(0) { return bytes }
    } catch {
      throw CredentialError(error.description)
    }
    throw CredentialError("\(source.name) failed")
  }
}

/// A credential that could not be had.
package struct CredentialError: Error, CustomStringConvertible, Sendable {
  package var description: String

  init(_ description: String) { self.description = description }
}
