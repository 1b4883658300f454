// SPDX-License-Identifier: Apache-2.0

/// What was stripped from an image and lies in a file of its own: symbols and source lines.
enum DebugFile {
  /// The file of the image's build ID where packages of symbols put it, or the one that the image
  /// names (`.gnu_debuglink`), beside it, in `.debug` or under `/usr/lib/debug`: the places that gdb
  /// looks at. One of another build is not taken.
  ///
  /// - Parameter path: of the image.
  static func find(
    for image: ElfImage, at path: String, _ sections: [String: ElfImage.Section],
    _ open: (String) -> (any ImageFile)?
  ) -> (image: ElfImage, sections: [String: ElfImage.Section])? {
    guard let id = buildID(of: image, sections) else { return nil }
    let digits = id.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    var places = ["/usr/lib/debug/.build-id/\(digits[0])/\(digits.dropFirst().joined()).debug"]
    if let name = linkedName(in: image, sections) {
      let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
      places += [
        "\(folder)/\(name)", "\(folder)/.debug/\(name)", "/usr/lib/debug\(folder)/\(name)",
      ]
    }
    for place in places where place != path {
      guard let file = open(place), let found = ElfImage(file) else { continue }
      let sections = found.sections()
      if buildID(of: found, sections) == id { return (found, sections) }
    }
    return nil
  }

  /// The note is three lengths and the name "GNU", of four bytes each, and the ID.
  private static func buildID(
    of image: ElfImage, _ sections: [String: ElfImage.Section]
  ) -> [UInt8]? {
    guard let note = image.content(of: sections[".note.gnu.build-id"]) else { return nil }
    let reader = ByteReader(note)
    guard let length = reader.int32(4), (2...64).contains(length),
      let id = reader.slice(16, length)
    else { return nil }
    return Array(id)
  }

  private static func linkedName(
    in image: ElfImage, _ sections: [String: ElfImage.Section]
  ) -> String? {
    guard let bytes = image.content(of: sections[".gnu_debuglink"]) else { return nil }
    let name = ByteReader(bytes).text(0, 255)
    return name.isEmpty || name.contains("/") ? nil : name
  }
}
