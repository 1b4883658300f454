// SPDX-License-Identifier: Apache-2.0

/// What symbols say of a crash's cause.
enum CrashSymbol {
  /// Functions that report, raise or start: they stand in the stacks of unrelated crashes.
  private static let generic: Set<String> = [
    "abort", "__abort", "_abort", "abort_message", "raise", "gsignal", "kill", "pthread_kill",
    "tgkill", "__pthread_kill", "__pthread_kill_implementation", "__pthread_kill_internal",
    "__GI_raise", "__GI_abort", "__kill", "_sigtramp", "__restore_rt", "__abort_with_payload",
    "abort_with_payload_wrapper_internal", "abort_with_reason", "__assert_fail",
    "__assert_fail_base", "__assert_rtn", "swift_reportError", "swift::fatalError",
    "swift_unexpectedError", "_swift_stdlib_reportFatalError", "_assertionFailure",
    "_fatalErrorMessage", "_preconditionFailure", "__exceptionPreprocess",
    "objc_exception_throw", "objc_exception_rethrow", "objc_terminate", "_objc_terminate()",
    "__cxa_throw", "__cxa_rethrow", "std::terminate()", "std::__terminate(void (*)())",
    "__gnu_cxx::__verbose_terminate_handler()", "_Unwind_RaiseException",
    "+[NSException raise:format:]", "+[NSException raise:format:arguments:]",
    "-[NSException raise]", "_CFThrowFormattedException", "doesNotRecognizeSelector:",
    "-[NSObject(NSObject) doesNotRecognizeSelector:]", "___forwarding___",
    "_CF_forwarding_prep_0", "__stack_chk_fail", "__fortify_fail", "__chk_fail",
    "__libc_message", "malloc_printerr", "_int_free", "start", "_start", "__libc_start_main",
    "__libc_start_call_main", "__libc_start_main_impl", "start_thread", "clone", "clone3",
    "thread_start", "_pthread_start", "_pthread_body", "start_wqthread", "_dispatch_worker_thread",
    "_dispatch_worker_thread2", "_dispatch_client_callout", "_dispatch_call_block_and_release",
    "_dispatch_root_queue_drain", "_dispatch_lane_serial_drain", "swift_job_run",
    "completeTask(swift::AsyncContext*, swift::SwiftError*)",
    "completeTaskWithClosure(swift::AsyncContext*, swift::SwiftError*)", "malloc", "calloc",
    "realloc", "free", "cfree", "operator new(unsigned long)", "operator new[](unsigned long)",
    "operator delete(void*)", "operator delete[](void*)", "operator delete(void*, unsigned long)",
  ]

  private static let genericPrefixes = [
    "_assertionFailure(", "_fatalErrorMessage(", "_preconditionFailure(", "fatalError(",
    "_swift_runtime_on_report", "Swift runtime failure", "__pthread_kill", "__GI_", "swift_task_",
    "KSCrash", "kscrash", "SentryCrash", "sentrycrash", "bsg_", "BSG_KSCrash", "PLCrash",
    "__asan_", "__interceptor_", "__sanitizer", "kscm_", "runtime.", "sync.", "panic(", "core::",
    "std::",
    "alloc::", "__rustc", "rust_", "__rust_", "___rust_",
  ]

  /// Whether a function says nothing of the cause.
  static func isGeneric(_ symbol: String) -> Bool {
    var name = normalised(symbol)
    while name.hasPrefix("closure #"), let end = name.utf8.firstIndex(of: UInt8(ascii: "n")),
      name[end...].hasPrefix("n ")
    {
      name = String(name[name.utf8.index(end, offsetBy: 2)...])
    }
    if name.isEmpty || generic.contains(name) { return true }
    // `<core::fmt::Argument>::fmt`, as Rust names what belongs to a type.
    let path = name.drop { $0 == "<" }
    return genericPrefixes.contains { path.hasPrefix($0) } || name.contains("_assertionFailure")
  }

  /// Whether a function is called when a check of the program's own has failed.
  static func isFailedCheck(_ symbol: String) -> Bool {
    ["_assertionFailure", "_fatalErrorMessage"].contains { symbol.contains($0) }
      || checks.contains { symbol.hasPrefix($0) }
  }

  private static let checks = [
    "Swift runtime failure", "swift_errorInMain", "swift::fatalError",
    "swift_task_reportUnexpected",
    "_dispatch_assert_queue_fail", "__assert_fail", "__assert_rtn",
  ]

  private static let standardTypes: Set<Substring> = [
    "Array", "ArraySlice", "AutoreleasingUnsafeMutablePointer", "BidirectionalCollection",
    "Collection", "ContiguousArray", "Dictionary", "InlineArray", "MutableCollection", "Optional",
    "Range", "RangeReplaceableCollection", "RawSpan", "Sequence", "Set", "Span", "String",
    "Substring", "UnsafeBufferPointer", "UnsafeMutableBufferPointer", "UnsafeMutablePointer",
    "UnsafePointer", "UnsafeRawBufferPointer", "_ArrayBuffer", "_ContiguousArrayBuffer",
    "_NativeDictionary", "_NativeSet", "_StringGuts",
  ]

  /// Whether it is a method of Swift's standard library that was compiled into the program:
  /// `specialized Array.subscript.getter`.
  static func isStandardLibraryCopy(_ symbol: String) -> Bool {
    // A mangled name that begins with no module: the library's own, or a thunk.
    if symbol.hasPrefix("$s"), let next = symbol.utf8.dropFirst(2).first {
      return !isDigit(next)
    }
    guard symbol.hasPrefix("specialized ") else { return false }
    let name = symbol.dropFirst(12).prefix { $0 != "." && $0 != "<" && $0 != "(" }
    return standardTypes.contains(name)
  }

  /// Without what differs between builds of the same source.
  static func normalised(_ symbol: String) -> String {
    var text = Substring(symbol)
    for prefix in ["specialized ", "merged ", "partial apply for ", "_$s"] {
      guard text.hasPrefix(prefix) else { continue }
      text = prefix == "_$s" ? text.dropFirst() : text.dropFirst(prefix.count)
    }
    if let at = text.firstIndex(of: "@"), at > text.startIndex, text[at...].hasPrefix("@@") {
      text = text[..<at]
    }
    return withoutCrateHashes(withoutRustHash(withoutCloneSuffix(text)))
  }

  /// `f.cold.3`, `f.isra.0`, `…_block_invoke.263`, `…_block_invoke375`.
  private static func withoutCloneSuffix(_ text: Substring) -> Substring {
    let utf8 = text.utf8
    var text = text
    for mark in [".cold", ".part.", ".isra.", ".constprop.", ".llvm.", ".lto_priv."] {
      if let range = find(mark, in: text) { text = text[..<range] }
    }
    guard let range = find("_block_invoke", in: text) else { return text }
    let end = utf8.index(range, offsetBy: 13)
    let isSuffix = text[end...].utf8.allSatisfy { isDigit($0) || $0 == 0x2E || $0 == 0x5F }
    return isSuffix ? text[..<end] : text
  }

  /// `shop::load::h0123456789abcdef`
  private static func withoutRustHash(_ text: Substring) -> String {
    let tail = text.utf8.suffix(19)
    guard tail.count == 19, tail.starts(with: "::h".utf8),
      tail.dropFirst(3).allSatisfy({ isHexDigit($0) })
    else { return String(text) }
    return String(text[..<tail.startIndex])
  }

  /// `core[c1f1a4ba060b9bfa]::panicking::panic_fmt`
  private static func withoutCrateHashes(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "[")) else { return text }
    var result: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.first {
      let inner = rest.dropFirst().prefix(16)
      if byte == UInt8(ascii: "["), inner.count == 16, inner.allSatisfy({ isHexDigit($0) }),
        rest.dropFirst(17).first == UInt8(ascii: "]")
      {
        rest = rest.dropFirst(18)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte >= 0x61 && byte <= 0x66)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private static func find(_ needle: String, in text: Substring) -> String.Index? {
    let wanted = Array(needle.utf8)
    let utf8 = text.utf8
    return utf8.indices.first { utf8[$0] == wanted[0] && utf8[$0...].starts(with: wanted) }
  }
}
