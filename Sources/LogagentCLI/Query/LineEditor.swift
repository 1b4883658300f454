// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc
internal import Synchronization

/// Lines from a terminal, with editing, history and completion by GNU readline or libedit where one
/// of them is installed, and plain lines elsewhere.
///
/// The library is looked for when a session begins and not linked: nobody needs it to ask one
/// question. Its interface is C functions and variables found by name, so this file handles
/// pointers; the signatures are those of readline.h, which libedit has in common.
final class LineEditor: LineInput {
  private typealias ReadLine = @convention(c) (UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?
  private typealias WithText = @convention(c) (UnsafePointer<CChar>) -> Int32
  private typealias Generator =
    @convention(c) (UnsafePointer<CChar>?, Int32) -> UnsafeMutablePointer<CChar>?
  private typealias Matches =
    @convention(c) (UnsafePointer<CChar>?, Generator)
    -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  private typealias Completer =
    @convention(c) (UnsafePointer<CChar>?, Int32, Int32)
    -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

  /// What a generator, which can hold nothing, needs.
  private struct Shared {
    var words: [String] = []
    /// Of the word that is completed now.
    var found: [String] = []
    /// The library's function that makes its list of our words.
    var matches: Matches?
  }

  private static let shared = Mutex(Shared())

  private var library: UnsafeMutableRawPointer?
  private var isPrepared = false
  private let historyFile: String?
  private var last = ""

  var completions: [String] = [] {
    didSet { Self.shared.withLock { $0.words = completions.sorted() } }
  }

  /// - Parameter historyFile: where lines are kept for the next session; `nil` for nowhere.
  init(historyFile: String?) {
    self.historyFile = historyFile
  }

  /// Before the first line: most commands never ask for one.
  private func prepare() {
    isPrepared = true
    let names = ["libedit.so.2", "libreadline.so.8", "libreadline.so.7", "libedit.so.0"]
    library = names.lazy.compactMap { dlopen($0, RTLD_NOW) }.first
    guard library != nil else { return }
    if let matches = function("rl_completion_matches", as: Matches.self) {
      Self.shared.withLock { $0.matches = matches }
      let completer: Completer = { text, _, _ in
        // The matches function calls the generator: it must not run under the lock.
        guard let matches = LineEditor.shared.withLock({ $0.matches }) else { return nil }
        return matches(text, LineEditor.generator)
      }
      set("rl_attempted_completion_function", completer)
      // A comma and a parenthesis end a word of SQL.
      set("rl_basic_word_break_characters", UnsafePointer(strdup(" \t\n\"'(),;=<>+-*/|")))
      set("rl_completer_word_break_characters", UnsafePointer(strdup(" \t\n\"'(),;=<>+-*/|")))
    }
    if let historyFile { _ = function("read_history", as: WithText.self)?(historyFile) }
  }

  private static let generator: Generator = { text, state in
    let prefix = text.map { String(cString: $0) } ?? ""
    let word = LineEditor.shared.withLock { shared -> String? in
      if state == 0 {
        let wanted = prefix.lowercased()
        shared.found = shared.words.filter { $0.lowercased().hasPrefix(wanted) }.reversed()
      }
      return shared.found.popLast()
    }
    // The library frees it.
    return word.flatMap { strdup($0) }
  }

  private func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    dlsym(library, name).map { unsafeBitCast($0, to: type) }
  }

  private func set<Value>(_ variable: String, _ value: Value) {
    dlsym(library, variable)?.assumingMemoryBound(to: Value.self).pointee = value
  }

  func read(prompt: String) -> String? {
    if !isPrepared { prepare() }
    guard let readLine = function("readline", as: ReadLine.self) else {
      return plainLine(prompt)
    }
    guard let pointer = readLine(prompt) else { return nil }
    defer { free(pointer) }
    let line = String(cString: pointer)
    if !line.isEmpty, line != last {
      _ = function("add_history", as: WithText.self)?(line)
      last = line
      keepHistory()
    }
    return line
  }

  /// Readable by its owner only: questions name what is looked for.
  private func keepHistory() {
    guard let historyFile else { return }
    try? FileSystem.makeFolder(FileSystem.folder(of: historyFile), permissions: 0o700)
    let mask = umask(0o077)
    _ = function("write_history", as: WithText.self)?(historyFile)
    umask(mask)
  }

  private func plainLine(_ prompt: String) -> String? {
    _ = prompt.withCString { write(1, $0, strlen($0)) }
    return Swift.readLine()
  }

  func begin() { Interruption.install() }

  // At the prompt SIGINT ends the program, as the library wants it: it puts the terminal right first.
  func end() { Interruption.uninstall() }
}
