// SPDX-License-Identifier: Apache-2.0

package import SQLite

/// A store that can't be read, or a query that can't be answered.
package struct QueryError: Error, CustomStringConvertible, Sendable {
  /// What a program needs to know of it.
  package enum Kind: Sendable, CaseIterable {
    /// There is no store at that place.
    case missing
    /// There is something else, or a store of a later version, or a damaged one.
    case notAStore
    /// The file system does not let us read it.
    case notAllowed
    /// The statement would do more than read.
    case refused
    /// The SQL text is wrong, or fails on the data.
    case sql
    /// A regular expression is wrong.
    case pattern
    /// Another process held the store for too long.
    case busy
    case timedOut
    case interrupted
    /// Reading failed.
    case storage
  }

  package var kind: Kind
  /// One line for people.
  package var message: String
  /// The line of the statement and a caret under the spot, where it is known.
  package var excerpt: String?

  package init(_ kind: Kind, _ message: String, excerpt: String? = nil) {
    self.kind = kind
    self.message = message
    self.excerpt = excerpt
  }

  package var description: String { excerpt.map { message + "\n" + $0 } ?? message }

  /// What SQLite's error means for someone who reads `path`.
  ///
  /// - Parameters:
  ///   - error: of a statement on the store.
  ///   - path: the store's file.
  package init(_ error: SQLiteError, path: String) {
    let name = SafeText.escaped(path)
    if error.isCorrupt {
      self.init(
        .notAStore,
        "\(name): not a logagent store, or a damaged one: \(error.message); when the agent starts "
          + "it sets a damaged store aside and reads the files again")
    } else if error.isBusy {
      self.init(.busy, "\(name): in use by another process; try again")
    } else if error.isInterrupted {
      self.init(.interrupted, "interrupted")
    } else if error.isStorageFault {
      self.init(.storage, "\(name): cannot read: \(error.message)")
    } else {
      let excerpt = error.sql.flatMap { sql in
        error.offset.map { SQLExcerpt.text(sql, offset: $0) }
      }
      self.init(.sql, "SQL error: \(SafeText.escaped(error.message))", excerpt: excerpt)
    }
  }
}

/// Shows where in a statement something is wrong.
enum SQLExcerpt {
  /// The line around byte `offset` of `sql`, and below it a caret under the spot.
  ///
  /// A long line is shown in part.
  static func text(_ sql: String, offset: Int) -> String {
    let bytes = Array(sql.utf8)
    let spot = min(max(0, offset), bytes.count)
    let newline = UInt8(ascii: "\n")
    let start = bytes[..<spot].lastIndex(of: newline).map { $0 + 1 } ?? 0
    let end = bytes[spot...].firstIndex(of: newline) ?? bytes.count
    // Blanks keep the caret in its place where a tab would not.
    let line = { (part: ArraySlice<UInt8>) in
      let text = String(decoding: part, as: UTF8.self)
      return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\t" ? " " : $0 }))
    }
    var before = SafeText.escaped(line(bytes[start..<spot]))
    var after = SafeText.escaped(line(bytes[spot..<end]))
    if SafeText.width(before) > 50 {
      before = "…" + String(String.UnicodeScalarView(before.unicodeScalars.suffix(45)))
    }
    after = SafeText.cut(after, to: 72 - SafeText.width(before))
    let number = bytes[..<start].count { $0 == newline } + 1
    let isOnly = number == 1 && end == bytes.count
    let prefix = isOnly ? "  " : "  line \(number): "
    let indent = String(repeating: " ", count: prefix.count + SafeText.width(before))
    return prefix + before + after + "\n" + indent + "^"
  }
}
