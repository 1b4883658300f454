// SPDX-License-Identifier: Apache-2.0

package import LogModel

/// What is known of a file beside its bytes.
package struct FileContext: Sendable {
  /// Where it lies; only its last component is looked at.
  package var path: String
  /// When the file was last written, at the time this was made.
  package var modified: Timestamp
  package var now: Timestamp
  /// The zone of times that name none: the source's, or the host's.
  package var zone: TimeZone
  package var multiline: MultilineMode
  /// The time of the last record that had one, when reading goes on after a restart.
  package var lastTime: Timestamp?
  /// The zone by its name in the zone data base, for lines that name one; `nil` for no such zone.
  package var zoneNamed: @Sendable (String) -> TimeZone?

  /// The facts of one file.
  ///
  /// - Parameters:
  ///   - modified: when it was last written; dates that the text leaves out are counted from it.
  ///   - zone: of times that name none.
  ///   - lastTime: from the checkpoint, when reading goes on.
  ///   - zoneNamed: finds zones that lines name.
  package init(
    path: String, modified: Timestamp, now: Timestamp, zone: TimeZone = .utc,
    multiline: MultilineMode = .auto, lastTime: Timestamp? = nil,
    zoneNamed: @escaping @Sendable (String) -> TimeZone? = { _ in nil }
  ) {
    self.path = path
    self.modified = modified
    self.now = now
    self.zone = zone
    self.multiline = multiline
    self.lastTime = lastTime
    self.zoneNamed = zoneNamed
  }

  /// The last component of `path`.
  var fileName: Substring {
    path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
  }
}
