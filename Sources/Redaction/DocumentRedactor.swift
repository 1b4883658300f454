// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Masks within a JSON document, string by string, so that it stays one.
///
/// Strings are looked through without their escapes. The value of a key that names a secret is
/// masked whole, also a number; so is the `value` beside a `name` that does, and the argument after
/// a flag such as `--token`.
package struct DocumentRedactor {
  private let redactor: Redactor
  private let place: RedactionPlace
  /// The innermost container, apart from those around it: it is asked for each string.
  private var top = Container(isObject: false, expectsKey: false)
  private var outer: [Container] = []
  private var depth = 0
  private var decoded: [UInt8] = []
  private var masked: [UInt8] = []
  /// Set while it only looks: the first rule that found something.
  private var finding: String?
  private let isLooking: Bool
  private var ignoresKeys = false

  private struct Container {
    var isObject: Bool
    /// The last key's value, or all values of an array, are secrets.
    var isSecret = false
    var expectsKey: Bool
    var namesSecret = false
    var key = KeyRole.other
  }

  /// What the last key says of the value beside it.
  private enum KeyRole {
    /// `name` or `key`: its value names what `value` holds.
    case name
    case value
    case other

    init(_ key: TextBytes) {
      switch key.count {
      case 3: self = key.matches("key", at: 0, ignoresCase: true) ? .name : .other
      case 4: self = key.matches("name", at: 0, ignoresCase: true) ? .name : .other
      case 5: self = key.matches("value", at: 0, ignoresCase: true) ? .value : .other
      default: self = .other
      }
    }
  }

  private init(_ redactor: Redactor, _ place: RedactionPlace, isLooking: Bool) {
    self.redactor = redactor
    self.place = place
    self.isLooking = isLooking
  }

  /// Appends the document with marks.
  ///
  /// - Returns: whether something was masked, in which case all of it is appended; `nil` for text
  ///   that is no JSON, and nothing is appended.
  package static func redact(
    _ text: TextBytes, with redactor: Redactor, at place: RedactionPlace, to target: inout [UInt8]
  ) -> Bool? {
    var walk = DocumentRedactor(redactor, place, isLooking: false)
    let start = target.count
    var isChanged = false
    guard walk.run(text, &target, &isChanged) else {
      target.removeSubrange(start...)
      return nil
    }
    if !isChanged { target.removeSubrange(start...) }
    return isChanged
  }

  /// The name of the first rule that would mask something in the document.
  ///
  /// - Parameters:
  ///   - text: the document. Numbers of its outermost object are ours: times and addresses.
  ///   - redactor: with the rules.
  ///   - ignoringKeys: whether only strings count: the keys are names of rules and the like.
  /// - Returns: `nil` for a clean document; for text that is no JSON what is found in it as text.
  package static func firstFinding(
    in text: TextBytes, with redactor: Redactor, ignoringKeys: Bool = false
  ) -> String? {
    var walk = DocumentRedactor(redactor, RedactionPlace(""), isLooking: true)
    walk.ignoresKeys = ignoringKeys
    var ignored: [UInt8] = []
    var isChanged = false
    if walk.run(text, &ignored, &isChanged) { return walk.finding }
    return walk.finding ?? redactor.firstFinding(in: text)
  }

  private mutating func run(
    _ text: TextBytes, _ target: inout [UInt8], _ isChanged: inout Bool
  ) -> Bool {
    var index = 0
    var copied = 0
    let members = isLooking && !ignoresKeys ? redactor.cleanMembers : nil
    var member = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\""):
        if let members, isBetweenMembers {
          let known = members.length(text, at: index)
          if known > 0 {
            index += known
            continue
          }
          member = index
        }
        guard let (end, hasEscapes) = Self.endOfString(text, index + 1) else { return false }
        let content = text.slice(index + 1..<end)
        if let replacement = replaceString(content, hasEscapes) {
          isChanged = true
          if finding != nil { return true }
          target.append(contentsOf: text.slice(copied..<index))
          JSONBytes.append(replacement, to: &target)
          copied = end + 1
        }
        index = end + 1
        continue
      case UInt8(ascii: "{"):
        push(Container(isObject: true, expectsKey: true))
      case UInt8(ascii: "["):
        // What a secret's key holds is secret, in a list, too.
        let isSecret = depth > 0 && top.isSecret && (!top.isObject || !top.expectsKey)
        push(Container(isObject: false, isSecret: isSecret, expectsKey: false))
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if !pop() { return false }
      case UInt8(ascii: ","):
        if top.isObject {
          top.expectsKey = true
          top.isSecret = false
          if let members, isBetweenMembers { members.insert(text, member..<index + 1) }
        }
      case UInt8(ascii: ":"): top.expectsKey = false
      case UInt8(ascii: "-"), 0x30...0x39:
        var end = index + 1
        while end < text.count, text[end] &- 0x30 < 10 { end += 1 }
        end = text.end(of: ByteClass.token, from: end)
        if isMaskedNumber(text.slice(index..<end)) {
          isChanged = true
          if finding != nil { return true }
          target.append(contentsOf: text.slice(copied..<index))
          target.append(contentsOf: masked)
          copied = end
        }
        index = end
        continue
      case 0...0x20, 0x61...0x7a: break
      default: return false
      }
      index += 1
    }
    guard depth == 0 else { return false }
    if isChanged { target.append(contentsOf: text.slice(copied..<text.count)) }
    return true
  }

  /// Whether a key of the outermost object may follow, and nothing that was read says anything of
  /// what comes: then a member that was clean once is so again.
  private var isBetweenMembers: Bool {
    depth == 1 && top.isObject && top.expectsKey && !top.isSecret && !top.namesSecret
  }

  private mutating func push(_ container: Container) {
    if depth > 0 { outer.append(top) }
    top = container
    depth += 1
  }

  /// Leaves a container; false when there is none.
  private mutating func pop() -> Bool {
    if depth == 0 { return false }
    depth -= 1
    top = outer.popLast() ?? Container(isObject: false, expectsKey: false)
    return true
  }

  /// Where the string ends whose content begins at `start`, and whether there are escapes in it.
  private static func endOfString(_ text: TextBytes, _ start: Int) -> (Int, Bool)? {
    guard start < text.count, let base = text.baseAddress,
      let quote = memchr(base + start, 0x22, text.count - start)
    else { return nil }
    let end = UnsafeRawPointer(quote) - UnsafeRawPointer(base)
    guard let escape = memchr(base + start, 0x5c, end - start) else { return (end, false) }
    var index = UnsafeRawPointer(escape) - UnsafeRawPointer(base)
    while index < text.count {
      if text[index] == UInt8(ascii: "\"") { return (index, true) }
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  /// What stands in the place of a string's content, without escapes; `nil` for the content itself.
  private mutating func replaceString(_ content: TextBytes, _ hasEscapes: Bool) -> [UInt8]? {
    guard hasEscapes else { return replace(content) }
    JSONBytes.unescape(content, into: &decoded)
    let text = decoded
    return text.withUnsafeBufferPointer { replace($0) }
  }

  private mutating func replace(_ text: TextBytes) -> [UInt8]? {
    if depth > 0 {
      if top.isObject, top.expectsKey { return replaceKey(text) }
      if isSecret {
        if top.isObject { top.isSecret = false }
        top.namesSecret = top.namesSecret && top.isObject
        return maskWhole(text)
      } else if top.isObject {
        if top.key == .name { top.namesSecret = redactor.isSecret(key: text) }
      } else {
        top.namesSecret = redactor.isSecretFlag(text)
      }
    }
    return replaceText(text)
  }

  private mutating func replaceKey(_ key: TextBytes) -> [UInt8]? {
    if redactor.isPlain(key: key) {
      top.isSecret = false
      top.key = .other
      return nil
    }
    top.isSecret = !ignoresKeys && redactor.isSecret(key: key)
    top.key = KeyRole(key)
    let replacement = replaceText(key)
    if replacement == nil, !ignoresKeys, !top.isSecret, top.key == .other {
      redactor.note(plainKey: key)
    }
    return replacement
  }

  private mutating func replaceText(_ text: TextBytes) -> [UInt8]? {
    if isLooking { return redactor.firstFinding(in: text).map { found($0) } }
    masked.removeAll(keepingCapacity: true)
    return redactor.redact(text, at: place, to: &masked) ? masked : nil
  }

  /// Whether the value that comes is a secret, whatever it is.
  private var isSecret: Bool {
    if top.isSecret { return true }
    return top.namesSecret && (!top.isObject || top.key == .value)
  }

  private mutating func maskWhole(_ text: TextBytes) -> [UInt8]? {
    // An Authorization header keeps its scheme, in a document as in text.
    if TrivialValues.contains(text) || text.isMark(0..<text.count) { return nil }
    if isLooking { return found(RuleID.secret.name) }
    var mark: [UInt8] = []
    redactor.appendMark(RuleID.secret.rawValue, text, place, &mark)
    return mark
  }

  private mutating func isMaskedNumber(_ number: TextBytes) -> Bool {
    if depth > 0, isSecret {
      masked.removeAll(keepingCapacity: true)
      if top.isObject { top.isSecret = false }
      if isLooking {
        finding = RuleID.secret.name
        return true
      }
      masked.append(UInt8(ascii: "\""))
      redactor.appendMark(RuleID.secret.rawValue, number, place, &masked)
      masked.append(UInt8(ascii: "\""))
      return true
    }
    guard number.count >= 13, !isLooking || depth > 1 else { return false }
    // A card's number without quotes.
    if isLooking {
      finding = redactor.firstFinding(in: number)
      return finding != nil
    }
    var text: [UInt8] = []
    guard redactor.redact(number, at: place, to: &text) else { return false }
    masked = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
    return true
  }

  private mutating func found(_ rule: String) -> [UInt8] {
    finding = rule
    return []
  }
}
