// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import Testing

@Suite struct LastWordsTests {
  @Test(
    "the kernel names the process that it ends",
    arguments: [
      ("shop[4242]: segfault at 0 ip 0 sp 0 error 4 in shop[400000+1000]", "SIGSEGV", "shop", 4242),
      ("[ 12.345678] shop[42]: segfault at 8 ip 0 sp 0 error 4", "SIGSEGV", "shop", 42),
      ("traps: die[77] trap invalid opcode ip:1 sp:2 error:0 in die[3+4]", "SIGILL", "die", 77),
      ("traps: a b[7] trap divide error ip:1 sp:2 error:0", "SIGFPE", "a b", 7),
      ("traps: die[7] general protection fault ip:1 sp:2 error:0", "SIGSEGV", "die", 7),
      ("Out of memory: Killed process 99 (hog) total-vm:1kB", "out of memory", "hog", 99),
      ("Memory cgroup out of memory: Kill process 9 (x) score 1", "out of memory", "x", 9),
    ])
  func kernel(text: String, type: String, process: String, pid: Int) throws {
    let file = ParsedFile("Nov 30 10:00:01 host kernel: \(text)\n")
    #expect(file.records[0].flags.contains(.lastWords))
    #expect(file.records[0].severity == .fatal)
    #expect(file.string(file.records[0].process) == "kernel")
    let attributes = try file.attributes(0)
    #expect(attributes["exception.type"] as? String == type)
    #expect(attributes["process.executable.name"] as? String == process)
    #expect(attributes["process.pid"] as? Int == pid)
  }

  @Test("the kernel does so behind the times of dmesg -T, too")
  func kernelTimes() throws {
    let file = ParsedFile(
      "[Mon Nov 30 12:00:03 2026] shop[42]: segfault at 0 ip 0 sp 0 error 4 in shop[400000+1000]\n"
        + "[Mon Nov 30 12:00:04 2026] shop[42]: segfaults are rare\n")
    #expect(file.records.map(\.severity.number) == [21, 0])
    #expect(file.records[0].time == parseTime("2026-11-30T12:00:03Z"))
    #expect(try file.attributes(0)["process.executable.name"] as? String == "shop")
  }

  @Test(
    "other lines of the kernel, and such words of others, are no deaths",
    arguments: [
      "kernel: eth0: link up [100 Mbit]", "kernel: usb 1-1[2]: segfault",
      "kernel: []: segfault at 0 ip 0", "kernel: shop[x]: segfault at 0 ip 0", "kernel: [",
      "kernel: Out of memory: Killed process (hog)", "app[5]: shop[4]: segfault at 0 ip 0 sp",
    ])
  func noDeath(text: String) {
    let file = ParsedFile("Nov 30 10:00:01 host \(text)\n")
    #expect(!file.records[0].flags.contains(.lastWords))
  }

  @Test(
    "the words of a runtime are told from a logger's",
    arguments: [
      ("shop/a.swift:1: Fatal error: no tea", true), ("panic: runtime error: no tea", true),
      ("thread 'main' panicked at src/main.rs:2:5:", true),
      ("thread 'main' (77) panicked at src/main.rs:2:5:", true),
      ("thread 'worker' panicked at src/main.rs:2:5:", false),
      ("2026-11-30T10:00:00Z CRITICAL the shop is closed", false),
      ("panicking is not what we do: never", false),
    ])
  func words(text: String, isLast: Bool) {
    #expect(ParsedFile(text + "\n").records[0].flags.contains(.lastWords) == isLast)
  }
}
