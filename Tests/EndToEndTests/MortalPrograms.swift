// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Programs that die in the way their first argument names, compiled where they are needed.
enum MortalPrograms {
  static let c = """
    #include <assert.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    volatile int zero = 0;
    __attribute__((noinline)) void touch(int *p) { *p = 1; }
    __attribute__((noinline)) int divide(int n) { return n / zero; }
    __attribute__((noinline)) void smash(const char *s) { char b[8]; strcpy(b, s); puts(b); }
    __attribute__((noinline)) void twice(void) { char *p = malloc(32); free(p); free(p); }
    __attribute__((noinline)) int deep(int n) { volatile char b[999]; b[0] = n; return deep(n + 1) + b[0]; }
    __attribute__((noinline)) int late(void) { char *p = malloc(9); free(p); return p[3]; }
    __attribute__((noinline)) int wrap(int n) { return n + 2147483647; }
    int main(int c, char **v) {
      if (!strcmp(v[1], "assert")) assert(c == 77);
      if (!strcmp(v[1], "abort")) abort();
      if (!strcmp(v[1], "null")) touch(0);
      if (!strcmp(v[1], "divide")) return divide(c);
      if (!strcmp(v[1], "smash")) smash("much longer than what is there for it");
      if (!strcmp(v[1], "twice")) twice();
      if (!strcmp(v[1], "deep")) return deep(0);
      if (!strcmp(v[1], "late")) return late();
      if (!strcmp(v[1], "wrap")) return wrap(c);
    }
    """

  static let cxx = """
    #include <stdexcept>
    #include <string>
    struct Base { Base() { call(); } void call() { f(); } virtual void f() = 0; };
    struct Derived : Base { void f() override {} };
    namespace shop { struct Error : std::runtime_error { using runtime_error::runtime_error; }; }
    namespace shop { void pay() { throw Error("no tea\\nno milk"); } }
    void quiet() noexcept { throw std::logic_error("loud"); }
    int main(int, char **v) {
      std::string how = v[1];
      if (how == "throw") shop::pay();
      if (how == "quiet") quiet();
      if (how == "pure") Derived();
    }
    """

  static let swift = """
    import Dispatch
    import Glibc
    struct Oops: Error { var why: String }
    final class Box { var n = 0 }
    let box = Box()
    func number(_ text: String) -> Int { Int(text)! }
    func fail() throws -> Int { throw Oops(why: "no tea") }
    func sum(_ value: Int) -> Int { value + Int.max }
    func change(_ n: inout Int, _ body: () -> Void) { body(); n += 1 }
    func deep(_ n: Int) -> Int { var list = [n, n]; list[0] += 1; return deep(list[0]) + list[1] }
    @MainActor func onMain() { print("main") }
    @main enum Mortal {
      static func main() throws {
        let n = CommandLine.arguments.count
        switch CommandLine.arguments[1] {
        case "fatal": fatalError("out of tea")
        case "precondition": precondition(n == 77, "n is 77")
        case "index": print([1, 2][n + 3])
        case "nil": print(number("tea"))
        case "try": print(try! fail())
        case "throw": print(try fail())
        case "trap": print(sum(n))
        case "access": change(&box.n) { box.n += 1 }
        case "cast": print((n as Any) as! String)
        case "deep": print(deep(n))
        case "actor":
          let done = DispatchSemaphore(value: 0)
          DispatchQueue.global().async { MainActor.assumeIsolated { onMain() }; done.signal() }
          done.wait()
        default: abort()
        }
      }
    }
    """

  /// Compiles `source`, the text of `name`, to a program beside it.
  static func compile(
    _ source: String, _ name: String, _ command: [String], in folder: TemporaryDirectory
  ) throws -> String {
    let file = try folder.write(name, source)
    let program = folder.file(String(name.prefix { $0 != "." }))
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = command + ["-g", "-o", program, file]
    compiler.standardError = Pipe()
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0)
    return program
  }

  /// Whether the kernel writes cores into the folder of the dying program.
  static var leaveCores: Bool {
    let pattern = try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    return pattern?.first == "c" && limit.rlim_max > 100_000_000
  }
}
