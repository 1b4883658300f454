// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import TestSupport
internal import Testing

@Suite struct KernelOopsTests {
  private static let oops = """
    [ 1234.567890] BUG: kernel NULL pointer dereference, address: 0000000000000008
    [ 1234.567920] CPU: 3 PID: 4242 Comm: tea pot Tainted: G           O       6.1.0-13-amd64 #1
    [ 1234.567930] RIP: 0010:brew_ioctl+0x1f/0x60 [teapot]
    [ 1234.567990] Call Trace:
    [ 1234.567995]  <TASK>
    [ 1234.568000]  ? __die_body.cold+0x1a/0x1f
    [ 1234.568010]  __x64_sys_ioctl+0x8d/0xd0
    [ 1234.568040] ---[ end trace 0000000000000000 ]---
    [ 1235.000000] BUG: another
    """

  @Test(arguments: ["", "<1>", "Nov 30 12:00:00 host kernel: "])
  func anOopsIsReadWithWhateverStandsBeforeIt(prefix: String) throws {
    let text = Self.oops.split(separator: "\n").map { prefix + $0 }.joined(separator: "\n")
    let report = try #require(parse(text))
    #expect(report.format == "kernel-oops")
    #expect(report.kind == .panic)
    #expect(report.process == "tea pot" && report.pid == 4242)
    #expect(report.reason == "BUG: kernel NULL pointer dereference, address: 0000000000000008")
    #expect(report.frames.map(\.symbol) == ["brew_ioctl", "__x64_sys_ioctl"])
    #expect(report.frames.map(\.image) == ["teapot", "vmlinux"])
    #expect(report.osVersion == "6.1.0-13-amd64")
  }

  @Test func theProcessThatWasEndedForMemoryIsNotTheOneThatAsked() throws {
    let report = try #require(
      parse(
        """
        [1.1] kettle invoked oom-killer: gfp_mask=0x100cca, order=0
        [1.2] CPU: 0 PID: 99 Comm: kettle Not tainted 6.1.0 #1
        [1.4] Memory cgroup out of memory: Killed process 4242 (teapot) total-vm:1000kB
        """))
    #expect(report.kind == .outOfMemory)
    #expect(report.process == "teapot" && report.pid == 4242)
  }

  @Test func aWarningEndsNothing() throws {
    let report = try #require(
      parse("[1.0] WARNING: CPU: 1 PID: 7 Comm: a at fs/x.c:3 f+0x1/0x2\n"))
    #expect(report.kind == .unknown)
    #expect(report.note == "a warning of the kernel; nothing ended")
  }

  @Test func theKernelsLogIsNoReport() {
    #expect(recognise([UInt8](Self.oops.utf8), name: "dmesg") == nil)
  }

  @Test("what Crashpad keeps beside its reports is no crash")
  func companions() {
    let name = "aaaaaaaa-1111-2222-3333-444444444444.meta"
    #expect(parse([1, 0, 0, 0], name: name).isEmpty)
    #expect(parse([1, 2, 3], name: "settings.dat").isEmpty)
    #expect(parse([1, 0, 0, 0], name: "shop.meta").map(\.format) == ["unknown"])
  }
}
