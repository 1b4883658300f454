// SPDX-License-Identifier: Apache-2.0

/// What glibc said when it ended the program: it keeps the text in memory for cores
/// (`__abort_msg`: a pointer to a size and the text).
enum CoreWords {
  private static let maxBytes = 4096

  /// The message of a failed assertion or of the allocator; `nil` when there is none.
  static func find(_ memory: CoreMemory, _ steps: [CoreWalk.Step]) -> String? {
    let library = steps.first { step in
      let name = step.mapping.map { CrashText.baseName($0.path) } ?? ""
      return name.hasPrefix("libc.so") || name.hasPrefix("libc-2")
    }
    // The first mapping of the file is where its address 0 went.
    guard let library, let image = library.image, let path = library.mapping?.path,
      let first = memory.mappings.first(where: { $0.path == path && $0.offset == 0 }),
      let variable = ElfSymbols.variable("__abort_msg", in: image, image.sections()),
      let pointer = memory.word(at: first.range.lowerBound &+ variable), pointer != 0,
      let text = memory.text(at: pointer &+ 4, count: maxBytes)
    else { return nil }
    let words = CrashText.trim(text)
    guard let reason = DyingWords(words)?.reason else { return CrashText.meaningful(words) }
    return "Assertion failed: " + reason
  }
}
