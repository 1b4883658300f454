// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// The arguments and the answer of one call of a function that is written in Swift.
package struct FunctionCall: ~Copyable {
  fileprivate let context: OpaquePointer?
  fileprivate let values: UnsafeMutablePointer<OpaquePointer?>?

  package borrowing func isNull(_ index: Int) -> Bool {
    sqlite3_value_type(values?[index]) == SQLITE_NULL
  }

  /// The argument as text; valid during the call of `body`.
  package borrowing func withText<Result>(
    _ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let start = sqlite3_value_text(values?[index])
    let count = start == nil ? 0 : Int(sqlite3_value_bytes(values?[index]))
    return body(UnsafeBufferPointer(start: start, count: count))
  }

  package borrowing func integer(_ index: Int) -> Int64 { sqlite3_value_int64(values?[index]) }

  package borrowing func text(_ index: Int) -> String {
    withText(index) { String(decoding: $0, as: UTF8.self) }
  }

  /// What an earlier call of the same statement kept for this argument, which must be a constant.
  package borrowing func kept(_ index: Int) -> AnyObject? {
    guard let kept = sqlite3_get_auxdata(context, Int32(index)) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(kept).takeUnretainedValue()
  }

  /// Keeps `object` for later calls; SQLite lets it go when the argument is no constant.
  package borrowing func keep(_ index: Int, _ object: AnyObject) {
    let kept = Unmanaged.passRetained(object).toOpaque()
    sqlite3_set_auxdata(context, Int32(index), kept) { kept in
      if let kept { Unmanaged<AnyObject>.fromOpaque(kept).release() }
    }
  }

  package borrowing func answer(_ value: Bool) { sqlite3_result_int(context, value ? 1 : 0) }
  /// Answers with a text, which is copied.
  package borrowing func answer(text bytes: UnsafeBufferPointer<UInt8>) {
    let start = UnsafeRawPointer(bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!)
    // SQLITE_TRANSIENT, a macro that Swift doesn't see.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_result_text(
      context, start.assumingMemoryBound(to: CChar.self), Int32(truncatingIfNeeded: bytes.count),
      transient)
  }

  package borrowing func answerNull() { sqlite3_result_null(context) }
  /// Ends the statement with this message.
  package borrowing func fail(_ message: String) { sqlite3_result_error(context, message, -1) }
}

extension Connection {
  /// Adds a function to SQL that gives the same answer for the same arguments.
  ///
  /// - Parameters:
  ///   - name: in SQL; an existing one is replaced.
  ///   - argumentCount: exactly so many.
  ///   - body: answers by the call's `answer` or `fail`; kept as long as the connection.
  /// - Throws: `SQLiteError` when SQLite refuses the name.
  package func define(
    _ name: String, argumentCount: Int32, _ body: @escaping (borrowing FunctionCall) -> Void
  ) throws(SQLiteError) {
    let box = Unmanaged.passRetained(FunctionBox(body)).toOpaque()
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(
      handle, name, argumentCount, flags, box, callFunction, nil, nil
    ) { box in
      if let box { Unmanaged<FunctionBox>.fromOpaque(box).release() }
    }
    guard code == SQLITE_OK else { throw SQLiteError.last(handle) }
  }
}

private final class FunctionBox {
  let body: (borrowing FunctionCall) -> Void

  init(_ body: @escaping (borrowing FunctionCall) -> Void) { self.body = body }
}

private func callFunction(
  _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let box = sqlite3_user_data(context) else { return }
  Unmanaged<FunctionBox>.fromOpaque(box).takeUnretainedValue()
    .body(FunctionCall(context: context, values: values))
}
