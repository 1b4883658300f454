// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Real deaths of real programs: each is one crash, with why, and where in the source.
@Suite(.serialized) struct DeathTests {
  /// Lets a program die in each way, from a folder of its own, and reads what that left behind.
  private func deaths(
    _ ways: [String], of program: String, in folder: TemporaryDirectory,
    cores: Bool = false, environment: [String: String] = [:]
  ) throws -> [String: String] {
    let state = folder.file("state")
    for way in ways {
      try FileManager.default.createDirectory(
        atPath: folder.file("spool/" + way), withIntermediateDirectories: true)
      let limit = cores ? "ulimit -c unlimited; " : "ulimit -c 0; "
      try Logagent.run(
        "exec", "--quiet", "--name", way, "--log-dir", folder.file("logs"), "--", "sh", "-c",
        "cd '\(folder.file("spool/" + way))'; \(limit) exec '\(program)' \(way)", state: state,
        environment: environment)
    }
    let read = try Logagent.run(
      "import", folder.file("logs"), folder.file("spool"), state: state)
    #expect(read.status == 0, "\(read.errors)")
    #expect(
      try Store.text(state, "SELECT count(*) FROM crashes") == "\(ways.count)", "one of each")
    var found: [String: String] = [:]
    for way in ways {
      found[way] = try Store.text(
        state,
        """
        SELECT kind || '|' || COALESCE(signal, '') || '|' || COALESCE(reason, '') || '|'
          || COALESCE(top_frame, '') FROM crashes WHERE process = '\(way)'
        """)
    }
    return found
  }

  @Test(.enabled(if: MortalPrograms.leaveCores, "cores go elsewhere on this machine"))
  func aCProgramIsExplainedByItsCore() throws {
    let folder = try TemporaryDirectory()
    let program = try MortalPrograms.compile(
      MortalPrograms.c, "mortal.c", ["cc", "-O0", "-fstack-protector-all", "-w"], in: folder)
    let expected = [
      "assert": "assertion|SIGABRT|Assertion failed: c == 77|main in mortal at mortal.c:14",
      "abort": "signal|SIGABRT||main in mortal at mortal.c:15",
      "null": "signal|SIGSEGV||touch in mortal at mortal.c:6",
      "divide": "signal|SIGFPE||divide in mortal at mortal.c:7",
      "smash":
        "signal|SIGABRT|*** stack smashing detected ***: terminated|smash in mortal at mortal.c:8",
      "twice":
        "signal|SIGABRT|free(): double free detected in tcache 2|twice in mortal at mortal.c:9",
      "deep": "signal|SIGSEGV|the stack overflowed|deep in mortal at mortal.c:10",
    ]
    let found = try deaths(expected.keys.sorted(), of: program, in: folder, cores: true)
    #expect(found == expected)
  }

  /// As distributions ship programs: stripped, with packed debug information in another file.
  @Test(.enabled(if: MortalPrograms.leaveCores, "cores go elsewhere on this machine"))
  func aStrippedProgramIsExplainedByItsCoreAndItsDebugFile() throws {
    let folder = try TemporaryDirectory()
    let program = try MortalPrograms.compile(
      MortalPrograms.c, "mortal.c", ["cc", "-O0", "-w", "-Wl,--build-id"], in: folder)
    try SmallFileSystem.run(
      "sh", "-c",
      """
      cd '\(folder.path)' && mkdir .debug &&
      objcopy --only-keep-debug --compress-debug-sections=zlib '\(program)' .debug/mortal.debug &&
      strip '\(program)' && objcopy --add-gnu-debuglink=.debug/mortal.debug '\(program)'
      """)
    let expected = [
      "null": "signal|SIGSEGV||touch in mortal at mortal.c:6",
      "divide": "signal|SIGFPE||divide in mortal at mortal.c:7",
    ]
    #expect(try deaths(expected.keys.sorted(), of: program, in: folder, cores: true) == expected)
  }

  @Test(.enabled(if: MortalPrograms.leaveCores, "cores go elsewhere on this machine"))
  func aCxxProgramIsExplainedByItsCore() throws {
    let folder = try TemporaryDirectory()
    let program = try MortalPrograms.compile(
      MortalPrograms.cxx, "mortal.cpp", ["c++", "-O0", "-w"], in: folder)
    let expected = [
      "throw": "exception|SIGABRT|no tea\nno milk|shop::pay in mortal at mortal.cpp:6",
      "quiet": "exception|SIGABRT|loud|quiet in mortal at mortal.cpp:7",
      "pure": "exception|SIGABRT|pure virtual method called|Base::call in mortal at mortal.cpp:3",
    ]
    let found = try deaths(expected.keys.sorted(), of: program, in: folder, cores: true)
    #expect(found == expected)
  }

  /// The function and the line, without what the optimiser and the linker add.
  private static func place(_ summary: String) -> String {
    summary.replacingOccurrences(of: " in mortal", with: "")
      .replacingOccurrences(of: "static Mortal", with: "Mortal")
  }

  @Test func aSwiftProgramIsExplainedByItsBacktraceAndItsWords() throws {
    let folder = try TemporaryDirectory()
    let program = try MortalPrograms.compile(
      MortalPrograms.swift, "mortal.swift", ["swiftc", "-parse-as-library", "-Onone"], in: folder)
    let check = "assertion|SIGILL|"
    let expected = [
      "fatal": check + "Fatal error: out of tea|Mortal.main() at mortal.swift:16",
      "precondition": check + "Precondition failed: n is 77|Mortal.main() at mortal.swift:17",
      "index": check + "Fatal error: Index out of range|Mortal.main() at mortal.swift:18",
      "nil": check
        + "Fatal error: Unexpectedly found nil while unwrapping an Optional value"
        + "|number(_:) at mortal.swift:6",
      "try": check
        + "Fatal error: 'try!' expression unexpectedly raised an error: mortal.Oops(why: \"no tea\")"
        + "|Mortal.main() at mortal.swift:20",
      "trap": check + "Swift runtime failure: arithmetic overflow|sum(_:) at mortal.swift:8",
      "actor": check + "Dispatch assertion failed: not on the expected queue or actor"
        + "|closure #2 in Mortal.main() at mortal.swift:28",
    ]
    let found = try deaths(expected.keys.sorted() + ["throw"], of: program, in: folder)
    for (way, summary) in expected { #expect(Self.place(found[way] ?? "") == summary) }
    #expect(
      found["throw"]?.hasPrefix(
        check + "Fatal error: Error raised at top level: mortal.Oops(why: \"no tea\")") == true)
  }

  @Test(.enabled(if: MortalPrograms.leaveCores, "cores go elsewhere on this machine"))
  func aCoreTellsWhereASwiftProgramDiedThatTheBacktraceDoesNot() throws {
    let folder = try TemporaryDirectory()
    let program = try MortalPrograms.compile(
      MortalPrograms.swift, "mortal.swift", ["swiftc", "-parse-as-library", "-Onone"], in: folder)
    let found = try deaths(["access", "cast", "deep"], of: program, in: folder, cores: true)
    #expect(found["access"]?.hasPrefix("assertion|SIGABRT|Simultaneous accesses to 0x") == true)
    #expect(found["access"]?.contains("Mortal.main in mortal") == true)
    #expect(found["cast"]?.hasPrefix("assertion|SIGABRT|Could not cast value of type ") == true)
    #expect(found["cast"]?.hasSuffix("Mortal.main in mortal at mortal.swift:24") == true)
    #expect(found["deep"]?.contains("deep") == true)
    #expect(found["deep"]?.hasSuffix("at mortal.swift:10") == true)
  }

  @Test func aSanitizerIsUnderstoodInAFileAndOnStandardError() throws {
    let folder = try TemporaryDirectory()
    let program = try MortalPrograms.compile(
      MortalPrograms.c, "mortal.c", ["clang", "-O0", "-w", "-fsanitize=address,undefined"],
      in: folder)
    let ways = ["late", "null", "wrap"]
    let options = "halt_on_error=1:print_stacktrace=1"
    let found = try deaths(
      ways, of: program, in: folder,
      environment: ["UBSAN_OPTIONS": options, "ASAN_OPTIONS": "detect_leaks=0"])
    #expect(found["late"]?.hasPrefix("sanitizer||heap-use-after-free") == true)
    #expect(found["late"]?.contains("late") == true)
    #expect(found["late"]?.hasSuffix("at mortal.c:11") == true)
    #expect(found["null"]?.hasSuffix("at mortal.c:6") == true)
    #expect(found["wrap"]?.contains("signed integer overflow") == true)
    #expect(found["wrap"]?.hasSuffix("at mortal.c:12") == true)
  }
}
