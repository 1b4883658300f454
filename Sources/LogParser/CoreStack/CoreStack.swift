// SPDX-License-Identifier: Apache-2.0

package import LogModel

/// The stack of a core's crashed thread, with functions and source lines: from the memory in the
/// core, and from the executable and its libraries, where they still are what crashed.
package enum CoreStack {
  /// Images of one core whose symbols are looked up.
  private static let maxImages = 16

  /// Gives a core's report its stack; other reports stay as they are.
  ///
  /// - Parameters:
  ///   - report: as `CrashReportParser` read it from `core`.
  ///   - core: the file, or its beginning; memory beyond that is missing from the stack.
  ///   - open: opens an executable or a library by its path; `nil` when it is not there.
  package static func complete(
    _ report: inout CrashReport, core: [UInt8], open: @escaping (String) -> (any ImageFile)?
  ) {
    guard report.format == ElfCore.name else { return }
    let reader = ByteReader(core)
    let notes = ElfCore.notes(reader)
    guard let status = notes.statusOffset,
      let memory = CoreMemory(
        reader, machine: notes.machine, status: status, mappings: notes.mappings)
    else { return }
    var walk = CoreWalk(memory, open)
    let steps = walk.steps()
    guard !steps.isEmpty else { return }
    let places = symbols(of: steps, open)
    report.frames = steps.map { frame($0, places) }
    report.reason = report.reason ?? CoreWords.find(memory, steps) ?? overflow(report, memory)
    if report.frames.prefix(8).contains(where: \.isFailedCheck) {
      report.kind = .assertion
    } else if report.frames.prefix(12).contains(where: { $0.symbol == "std::terminate" }) {
      report.kind = .exception
    }
    CrashFingerprint.apply(to: &report)
  }

  /// Memory just below the stack was touched: there is no more of it.
  private static func overflow(_ report: CrashReport, _ memory: CoreMemory) -> String? {
    guard report.signal == "SIGSEGV", let address = report.faultAddress, report.frames.count > 64,
      memory.word(at: address) == nil
    else { return nil }
    let distance = Int64(bitPattern: memory.registers[memory.stackColumn] &- address)
    return (-4096...1 << 20).contains(distance) ? "the stack overflowed" : nil
  }

  private struct Names {
    var functions: [UInt64: ElfSymbols.Function] = [:]
    var places: [UInt64: LineTable.Place] = [:]
  }

  /// By path of the image. Its tables are read once for all frames, and not kept.
  private static func symbols(
    of steps: [CoreWalk.Step], _ open: (String) -> (any ImageFile)?
  ) -> [String: Names] {
    var result: [String: Names] = [:]
    for step in steps where result.count < maxImages {
      guard let path = step.mapping?.path, let image = step.image, result[path] == nil else {
        continue
      }
      let addresses = Array(
        Set(steps.lazy.filter { $0.mapping?.path == path }.compactMap(\.lookup)))
      let sections = image.sections()
      let isStripped = sections[".symtab"] == nil || sections[".debug_line"] == nil
      let other =
        (isStripped ? DebugFile.find(for: image, at: path, sections, open) : nil)
        ?? (image, sections)
      let named = sections[".symtab"] == nil ? other : (image, sections)
      let lined = sections[".debug_line"] == nil ? other : (image, sections)
      result[path] = Names(
        functions: ElfSymbols.functions(at: addresses, in: named.0, named.1),
        places: LineTable.places(of: addresses, in: lined.0, lined.1))
    }
    return result
  }

  private static func frame(_ step: CoreWalk.Step, _ names: [String: Names]) -> CrashFrame {
    var frame = CrashFrame(address: step.counter)
    guard let mapping = step.mapping else { return frame }
    frame.image = CrashText.baseName(mapping.path)
    frame.offset = step.counter &- mapping.range.lowerBound &+ UInt64(mapping.offset)
    guard let lookup = step.lookup, let own = names[mapping.path] else { return frame }
    if let function = own.functions[lookup] {
      frame.symbol = SymbolName.readable(function.name)
      frame.offset = lookup - function.address + (step.isCall ? 1 : 0)
    }
    frame.file = own.places[lookup]?.file
    frame.line = own.places[lookup]?.line
    return frame
  }
}
