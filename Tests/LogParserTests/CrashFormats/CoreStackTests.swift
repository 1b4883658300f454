// SPDX-License-Identifier: Apache-2.0

internal import FuzzTargets
internal import LogModel
internal import LogParser
internal import TestSupport
internal import Testing

@Suite struct CoreStackTests {
  private struct Program: ImageFile {
    var content: [UInt8]

    func bytes(at offset: Int, count: Int) -> [UInt8]? {
      offset <= content.count ? Array(content.dropFirst(offset).prefix(count)) : nil
    }

    func inflated(_ bytes: [UInt8], limit: Int) -> [UInt8]? { nil }
  }

  private func report(_ core: [UInt8], _ image: [UInt8]?) throws -> CrashReport {
    var report = try #require(parse(core, name: "core").first)
    CoreStack.complete(&report, core: core) { path in
      path == "/srv/shop" ? image.map(Program.init) : nil
    }
    return report
  }

  @Test(arguments: TinyCore.Machine.allCases)
  func theStackIsWalkedWithFunctionsAndLines(machine: TinyCore.Machine) throws {
    let tiny = TinyCore(machine)
    let report = try report(tiny.core, tiny.image)
    #expect(report.frames.map(\.symbol) == ["fail", "main"])
    #expect(report.frames.map(\.offset) == [0x10, 0x10])
    #expect(report.frames.map(\.file) == ["/src/shop.c", "/src/shop.c"])
    #expect(report.frames.map(\.line) == [7, 3])
    #expect(report.topFrame == "fail in shop at shop.c:7")
  }

  @Test func anExecutableThatIsAnotherOneByNowIsNotAsked() throws {
    let tiny = TinyCore(.amd64)
    var other = tiny.image
    other[100] ^= 1
    let report = try report(tiny.core, other)
    #expect(report.frames.first?.symbol == nil)
    #expect(report.topFrame == "shop + \(0x1050)")
  }

  @Test func withoutTheExecutableItIsTheAddressAlone() throws {
    let report = try report(TinyCore(.amd64).core, nil)
    #expect(report.frames.map(\.image) == ["shop"])
    #expect(report.frames.map(\.offset) == [0x1050])
  }

  @Test func everyByteMayBeWrong() throws {
    let tiny = TinyCore(.amd64)
    let target = try #require(FuzzTarget(name: "core-stack"))
    let seed = try #require(target.seeds.first)
    #expect(seed.count > tiny.core.count)
    for index in seed.indices where index % 3 == 0 && seed[index] != 0 || index % 61 == 0 {
      var bytes = seed
      bytes[index] = bytes[index] == 0xFF ? 0x7F : 0xFF
      #expect(target.failure(bytes) == nil, "byte \(index)")
    }
  }
}

@Suite struct SymbolNameTests {
  @Test(
    arguments: [
      ("_ZN4shop4Cart3addEi", "shop::Cart::add"), ("_Z5quietv", "quiet"),
      ("_ZSt9terminatev", "std::terminate"), ("_ZN4BaseC2Ev", "Base::Base"),
      ("_ZNSt6threadD1Ev", "std::thread::~thread"),
      ("_ZNKSt6vectorIiSaIiEE14_M_range_checkEm", "std::vector::_M_range_check"),
      ("_ZN4shop5tableILi3EE4findERKSs", "shop::table::find"), ("_ZN1AixEi", "A::operator"),
      ("_ZN12_GLOBAL__N_14loadEv", "(anonymous namespace)::load"),
      ("$s4Shop4CartC4loadyyF", "Shop.Cart.load"), ("main", "main"), ("_ZN4shop", "_ZN4shop"),
      ("_ZN9999999999999shopE", "_ZN9999999999999shopE"), ("_ZNIIII", "_ZNIIII"),
    ])
  func namesAreReadable(symbol: String, name: String) {
    #expect(SymbolName.readable(symbol) == name)
  }
}
