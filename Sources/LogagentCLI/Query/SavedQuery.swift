// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel
internal import LogQuery

/// A question that lies in a file `NAME.sql`, with what it answers in a comment on top.
struct SavedQuery {
  var name: String
  /// The first comment, without a full stop; empty for none.
  var summary: String
  var sql: String

  /// Those in `folders`; the first of a name counts.
  static func all(in folders: [String]) -> [SavedQuery] {
    var queries: [SavedQuery] = []
    for folder in folders {
      for file in (try? FileSystem.names(in: folder)) ?? [] where file.hasSuffix(".sql") {
        let name = String(file.dropLast(4))
        guard !queries.contains(where: { $0.name == name }),
          let bytes = try? FileSystem.contents(of: folder + "/" + file, limit: 1 << 20)
        else { continue }
        let sql = String(decoding: bytes, as: UTF8.self)
        let first = sql.split(separator: "\n").first ?? ""
        let summary = first.hasPrefix("--") ? first.dropFirst(2).drop { $0 == " " } : ""
        queries.append(SavedQuery(name: name, summary: String(summary), sql: sql))
      }
    }
    return queries.sorted { $0.name < $1.name }
  }

  /// The one of this name.
  ///
  /// - Throws: `CommandError` with the nearest one, or that there is none at all.
  static func named(_ name: String, in folders: [String]) throws(CommandError) -> SavedQuery {
    let queries = all(in: folders)
    if let query = queries.first(where: { $0.name == name }) { return query }
    guard !queries.isEmpty else {
      throw CommandError(
        .noInput, "no saved queries in \(folders.joined(separator: ", ")); put NAME.sql there")
    }
    throw CommandError(
      .noInput,
      "no saved query '\(SafeText.escaped(name))'"
        + NearestName.hint(name, in: queries.map(\.name)) + " ('logagent query --list' lists them)")
  }

  /// Where they are looked for: the user's, the host's, those of the installation, and those of the
  /// checkout that the program was built in.
  static func folders(environment: [String: String], program: String?) -> [String] {
    var folders: [String] = []
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      folders.append(folder + "/logagent/queries")
    } else if let home = environment["HOME"] {
      folders.append(home + "/.config/logagent/queries")
    }
    folders.append("/etc/logagent/queries")
    var folder = program.map(FileSystem.folder) ?? "/usr/bin"
    folders.append(FileSystem.folder(of: folder) + "/share/logagent/queries")
    while folder != "/" && folder != "." {
      folder = FileSystem.folder(of: folder)
      if (try? FileStatus(path: folder + "/Package.swift")) != nil {
        folders.append(folder + "/contrib/queries")
        break
      }
    }
    return folders
  }
}
