// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import FileTail
package import LogModel
package import LogParser

/// The formats of the configuration, compiled, with the files in which they may stand.
package struct UserFormats: Sendable {
  /// In the order of the configuration.
  package private(set) var all: [UserFormat] = []
  private var globs: [[GlobPattern]] = []

  /// Compiles `definitions` and reads the format files that they name.
  ///
  /// - Throws: `UserFormatError` for the first that can't be used.
  package init(_ definitions: [UserFormatDefinition]) throws(UserFormatError) {
    var names: Set<String> = []
    for given in definitions {
      for definition in try Self.expand(given) {
        guard names.insert(definition.name).inserted,
          !FormatRegistry.all.contains(where: { $0.name == definition.name })
        else {
          throw UserFormatError(
            place: definition.place, name: definition.name,
            reason: "another format has this name; built-in ones: logagent formats --list")
        }
        all.append(try UserFormat(definition))
        globs.append(given.files.map(GlobPattern.init))
      }
    }
  }

  /// No formats.
  package init() {}

  private static func expand(
    _ definition: UserFormatDefinition
  ) throws(UserFormatError) -> [UserFormatDefinition] {
    guard let path = definition.lnavFile else { return [definition] }
    return try lnavFormats(in: path, place: definition.place)
  }

  /// The formats of an lnav format file.
  ///
  /// - Parameter place: where it was asked for, for messages.
  /// - Throws: `UserFormatError`.
  package static func lnavFormats(
    in path: String, place: String
  ) throws(UserFormatError) -> [UserFormatDefinition] {
    func failure(_ reason: String) -> UserFormatError {
      UserFormatError(place: place, name: FileSystem.name(of: path), reason: reason)
    }
    let text: [UInt8]
    do throws(FileError) {
      text = try FileSystem.contents(of: path, limit: 4 << 20)
    } catch { throw failure(error.description) }
    do throws(LnavFormat.Failure) {
      return try LnavFormat.definitions(text, path: path)
    } catch { throw failure(error.description) }
  }

  /// Tries each on its samples.
  ///
  /// - Throws: `UserFormatError` for the first sample that is not read as it says.
  package func checkSamples() throws(UserFormatError) {
    for format in all { try format.checkSamples() }
  }

  /// Which of them may stand in the file at `path`, by their places in `all`.
  func places(for path: String) -> [Int] {
    all.indices.filter { index in
      all[index].allows(path: path)
        && (globs[index].isEmpty || globs[index].contains { $0.matches(path) })
    }
  }
}

/// What reads the formats of the configuration; for one thread.
final class UserFormatReaders {
  private let formats: UserFormats
  private let readers: [UserFormatReader]

  init(_ formats: UserFormats) {
    self.formats = formats
    readers = formats.all.map { UserFormatReader($0) }
  }

  /// Those that may read the file at `path`.
  func readers(for path: String) -> [UserFormatReader] {
    readers.isEmpty ? [] : formats.places(for: path).map { readers[$0] }
  }
}
