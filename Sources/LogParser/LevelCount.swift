// SPDX-License-Identifier: Apache-2.0

/// Tells files whose lines have a level behind their time from those that have none, of which some
/// messages begin with such a word: "error loading the configuration" is a message.
struct LevelCount {
  /// Lines that say too little of a file.
  private static let minLines = 20

  private var lines = 0
  private var withLevel = 0

  /// Whether a word without brackets, a colon or capitals is a level: one line of five has one.
  @inline(__always)
  var isRegular: Bool { lines < Self.minLines || withLevel &* 5 >= lines }

  @inline(__always)
  mutating func note(hasLevel: Bool) {
    lines &+= 1
    if hasLevel { withLevel &+= 1 }
  }
}
