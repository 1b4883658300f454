// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import Testing

@Suite struct CrashFingerprintTests {
  private func report(_ frames: [CrashFrame], signal: String? = "SIGSEGV") -> CrashReport {
    var report = CrashReport(format: "test")
    report.kind = .signal
    report.signal = signal
    report.process = "shop"
    report.frames = frames
    CrashFingerprint.apply(to: &report)
    return report
  }

  private func frame(
    _ symbol: String?, _ image: String = "shop", address: UInt64 = 0x1000, offset: UInt64 = 12
  ) -> CrashFrame {
    CrashFrame(address: address, image: image, symbol: symbol, offset: offset)
  }

  @Test func isSixteenHexadecimalDigits() {
    let text = report([frame("f")]).fingerprint
    #expect(text.count == 16)
    #expect(UInt64(text, radix: 16) != nil)
  }

  /// Groups in people's stores depend on it: a change of the rule needs another version.
  @Test func theRuleOfVersionOneStaysAsItIs() {
    #expect(CrashFingerprint.version == 1)
    #expect(
      report([frame("abort", "libc.so.6"), frame("f"), frame("main")]).fingerprint
        == "c58348f1b7c995f2")
  }

  @Test func addressesOffsetsAndLinesTakeNoPart() {
    var moved = frame("load()", address: 0xFFFF_0000, offset: 99)
    moved.file = "/other/checkout/load.swift"
    moved.line = 7
    #expect(report([moved]).fingerprint == report([frame("load()")]).fingerprint)
  }

  @Test func codeOfTheStandardLibraryInTheProgramIsNotItsOwn() {
    var copy = frame("specialized Array.subscript.getter")
    copy.file = "//<compiler-generated>"
    var own = frame("specialized Shop.pay(_:position:)")
    own.file = "/src/shop/shop.swift"
    own.line = 65
    let optimised = report([copy, own])
    #expect(optimised.topFrame == "Shop.pay(_:position:) in shop at shop.swift:65")
    #expect(optimised.fingerprint == report([own]).fingerprint)
    #expect(report([copy]).topFrame != nil)
  }

  @Test func anotherFunctionIsAnotherCause() {
    #expect(report([frame("load()")]).fingerprint != report([frame("save()")]).fingerprint)
  }

  @Test func anotherSignalIsAnotherCause() {
    let other = report([frame("load()")], signal: "SIGABRT")
    #expect(other.fingerprint != report([frame("load()")]).fingerprint)
  }

  @Test(
    arguments: [
      ("abort", "libc.so.6"), ("raise", "libc.so.6"),
      ("__pthread_kill_implementation", "libc.so.6"),
      ("_assertionFailure(_:_:file:line:flags:)", "libswiftCore.so"),
      ("closure #1 in closure #1 in _assertionFailure(_:_:file:line:flags:)", "libswiftCore.so"),
      ("swift_reportError", "libswiftCore.so"), ("objc_exception_throw", "libobjc.A.dylib"),
      ("__exceptionPreprocess", "CoreFoundation"), ("_sigtramp", "libsystem_platform.dylib"),
      ("Swift runtime failure: arithmetic overflow", "shop"),
      ("__libc_start_call_main", "libc.so.6"),
    ])
  func genericFramesTakeNoPart(symbol: String, image: String) {
    let own = [frame("load()"), frame("main")]
    let more = report([frame(symbol, image)] + own)
    #expect(more.fingerprint == report(own).fingerprint)
    #expect(more.topFrame == "load() in shop")
  }

  @Test func theDepthOfARecursionTakesNoPart() {
    let deep = Array(repeating: frame("walk(_:)"), count: 500)
    let shallow = Array(repeating: frame("walk(_:)"), count: 20)
    #expect(
      report(deep + [frame("main")]).fingerprint == report(shallow + [frame("main")]).fingerprint)
  }

  @Test(
    arguments: [
      ("load()", "specialized load()"), ("load", "load.cold.3"), ("load", "load.isra.0"),
      ("wait", "wait@@GLIBC_2.34"), ("$s4Shop4loadyyF", "_$s4Shop4loadyyF"),
      ("__32-[App run]_block_invoke", "__32-[App run]_block_invoke375"),
      ("shop::load", "shop::load::h0123456789abcdef"),
    ])
  func namesThatCompilersGiveToCopiesAreTheSame(plain: String, copy: String) {
    #expect(report([frame(copy)]).fingerprint == report([frame(plain)]).fingerprint)
  }

  @Test func aFrameWithoutASymbolCountsByItsPlaceInTheImage() {
    let one = report([frame(nil, address: 0x5000_0100, offset: 0x100)])
    let moved = report([frame(nil, address: 0x9000_0100, offset: 0x100)])
    let other = report([frame(nil, address: 0x5000_0200, offset: 0x200)])
    #expect(one.fingerprint == moved.fingerprint)
    #expect(one.fingerprint != other.fingerprint)
  }

  @Test func withoutFramesOfItsOwnTheProcessCounts() {
    var abort = report([frame("__pthread_kill_implementation", "libc.so.6")], signal: "SIGABRT")
    let first = abort.fingerprint
    abort.process = "other"
    CrashFingerprint.apply(to: &abort)
    #expect(abort.fingerprint != first)
  }

  @Test(
    arguments: [
      ("$s4Shop11CartManagerC4loadyyF", "Shop.CartManager.load in shop"),
      ("_$s4main3fooyyF", "main.foo in shop"), ("$s4Shop", "$s4Shop in shop"),
      ("$s9999Shop1a", "$s9999Shop1a in shop"), ("$sSa4load", "$sSa4load in shop"),
    ])
  func aMangledNameIsMadeReadable(symbol: String, text: String) {
    #expect(report([frame(symbol)]).topFrame == text)
  }

  @Test func withoutFramesTheReasonCountsWithoutItsNumbers() {
    func fingerprint(_ reason: String) -> String {
      var report = CrashReport(format: "test")
      report.reason = reason
      CrashFingerprint.apply(to: &report)
      return report.fingerprint
    }
    #expect(fingerprint("object 0x1e59bc50 at 7") == fingerprint("object 0x2f00aa10 at 12"))
    #expect(fingerprint("object 0x1e59bc50 at 7") != fingerprint("subject 0x1e59bc50 at 7"))
  }
}
