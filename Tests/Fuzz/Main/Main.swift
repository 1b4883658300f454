// SPDX-License-Identifier: Apache-2.0

// libFuzzer's entry. FUZZ_TARGET names what is fed; with FUZZ_SEEDS the first inputs of the target
// are written into that folder, and nothing else is done.

import FuzzTargets
import Glibc

private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

private let target: FuzzTarget = {
  guard let name = variable("FUZZ_TARGET"), let target = FuzzTarget(name: name) else {
    let names = FuzzTarget.all.map(\.name).joined(separator: " ")
    fatalError("FUZZ_TARGET: one of \(names)")
  }
  return target
}()

@_cdecl("LLVMFuzzerInitialize")
public func initialise(
  _ count: UnsafeMutablePointer<CInt>?, _ arguments: UnsafeMutableRawPointer?
) -> CInt {
  if variable("FUZZ_LIST") != nil {
    for target in FuzzTarget.all { puts(target.name) }
    exit(0)
  }
  guard let folder = variable("FUZZ_SEEDS") else { return 0 }
  for (index, seed) in target.seeds.enumerated() {
    guard let file = fopen("\(folder)/seed-\(index)", "w") else {
      fatalError("cannot write \(folder)")
    }
    fwrite(seed, 1, seed.count, file)
    fclose(file)
  }
  exit(0)
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  if let failure = target.failure(bytes) { fatalError("\(target.name): \(failure)") }
  return 0
}
