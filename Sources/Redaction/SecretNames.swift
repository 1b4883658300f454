// SPDX-License-Identifier: Apache-2.0

/// Tells from the name of a key whether its value is a secret.
///
/// A name is taken apart into words, at `_`, `-`, `.` and where a capital begins; its last words
/// decide: `blogPassword`, `client-secret` and `AWS_SECRET_ACCESS_KEY` do, `passwordPolicy` not.
struct SecretNames {
  /// Names of the configuration, lower case, without separators.
  var own: Set<[UInt8]> = []
  /// Names that were looked at before: logs say the same ones again and again.
  private let harmless = KnownTexts()

  enum Kind {
    case secret
    /// The value is a header's: a scheme, then the secret up to the end of the line.
    case authorization
    case cookie
    /// Blanks belong to it.
    case phrase
    /// A secret if the value looks like one: tests pass, too.
    case likely
  }

  private static let words: Set<String> = [
    "pwd", "pw", "psk", "otp", "totp", "cvv", "cvc", "passcode", "jwt", "sessid", "phpsessid",
    "jsessionid", "asp", "credential", "credentials", "creds", "kennwort", "passwort", "sid",
    "bearer", "passwords",
  ]
  private static let endings = [
    "password", "passwd", "passphrase", "secret", "token", "apikey", "privatekey", "secretkey",
    "accesskey", "accountkey", "sessionid", "credentials", "authkey", "passwort",
  ]
  /// With which `key` is a secret.
  private static let keyKinds: Set<String> = [
    "api", "access", "secret", "private", "account", "shared", "auth", "encryption", "signing",
    "master", "session", "storage", "service", "deploy", "hmac", "ssh", "license", "app", "admin",
    "root", "subscription", "crypto", "decryption", "cipher", "webhook", "role", "instrumentation",
  ]
  private static let codeKinds: Set<String> = [
    "auth", "authorization", "verification", "security", "pin", "recovery", "backup",
  ]
  /// Words behind the name that change nothing.
  private static let tails: Set<String> = [
    "value", "string", "text", "plain", "plaintext", "raw", "base64", "b64", "hex", "hash", "enc",
    "encrypted", "base", "new", "old", "confirmation", "confirm", "current", "again", "repeat",
    "salt",
  ]

  /// What a value of this key is.
  ///
  /// - Parameters:
  ///   - name: the key without quotes.
  ///   - before: the word that stands before it, after one blank; as in `API key: …`.
  ///   - isAssigned: it is quoted, or `=` follows: then short words count, too.
  ///   - inQuery: it stands in a URL's query.
  func kind(
    _ name: TextBytes, before: TextBytes? = nil, isAssigned: Bool = true, inQuery: Bool = false
  ) -> Kind? {
    // Most keys of logs end by two letters that no secret's name ends by.
    var end = name.count
    while end > 0, name[end - 1] &- 0x30 < 10 || !name.isWord(end - 1) { end -= 1 }
    guard end > 1,
      name[end - 1] | 0x20 == 0x62 || Self.lastLetters[Self.pair(name[end - 2], name[end - 1])]
    else {
      return own.isEmpty ? nil : ownKind(name)
    }
    if harmless.contains(name) { return nil }
    if isHarmless(name) {
      harmless.insert(name)
      return nil
    }
    return wordKind(name, before, isAssigned, inQuery)
  }

  /// Whether no context makes this a secret's name.
  private func isHarmless(_ name: TextBytes) -> Bool {
    guard wordKind(name, nil, true, true) == nil else { return false }
    // These depend on the word before them, which may stand before the name.
    let words = Self.words(of: name)
    return words.count > 1 || !["key", "keys", "code", "id"].contains(words.last ?? "")
  }

  private func wordKind(
    _ name: TextBytes, _ before: TextBytes?, _ isAssigned: Bool, _ inQuery: Bool
  ) -> Kind? {
    var words = Self.words(of: name)
    while let word = words.last, word.allSatisfy(\.isNumber) { words.removeLast() }
    while words.count > 1, let word = words.last, Self.tails.contains(word) { words.removeLast() }
    guard let word = words.last else { return nil }
    var previous = words.count > 1 ? words[words.count - 2] : nil
    if previous == nil, let before { previous = Self.words(of: before).last }
    switch word {
    case "authorization": return .authorization
    case "cookie", "cookies": return .cookie
    case "passphrase": return .phrase
    case "key", "keys":
      if word == "keys", !isAssigned { break }
      if previous.map(Self.keyKinds.contains) == true { return .secret }
    case "code": if previous.map(Self.codeKinds.contains) == true { return .secret }
    case "id":
      if previous == "session" || previous == "sess" || previous == "secret" { return .secret }
    case "pass": return isAssigned || words.count > 1 ? .secret : .likely
    case "auth": if words.count > 1 || (isAssigned && inQuery) { return .secret }
    case "sig", "signature", "sign": if inQuery { return .secret }
    case "pw", "sid", "otp", "asp", "creds", "bearer", "jwt":
      if isAssigned || words.count > 1 { return .secret }
    default:
      if Self.words.contains(word) || Self.endings.contains(where: word.hasSuffix) {
        return .secret
      }
    }
    return ownKind(name)
  }

  private func ownKind(_ name: TextBytes) -> Kind? {
    if own.isEmpty { return nil }
    return own.contains(Self.normalized(name)) ? .secret : nil
  }

  static func normalized(_ name: some Sequence<UInt8>) -> [UInt8] {
    name.compactMap { byte in
      if byte &- 0x41 < 26 { return byte | 0x20 }
      return byte &- 0x61 < 26 || byte &- 0x30 < 10 ? byte : nil
    }
  }

  /// A number for two letters, whether capital or small.
  private static func pair(_ first: UInt8, _ second: UInt8) -> Int {
    Int(first & 31) << 5 | Int(second & 31)
  }

  private static let lastLetters: [Bool] = {
    var letters = [Bool](repeating: false, count: 1024)
    for word in lastWords {
      // As they stand before digits: base64 ends by its e.
      let name = Array(word.utf8)
      let end = (name.lastIndex { !($0 &- 0x30 < 10) } ?? 0) + 1
      letters[pair(name[max(0, end - 2)], name[end - 1])] = true
    }
    return letters
  }()

  /// What a name that means something ends by, but for digits.
  private static let lastWords =
    words.union(endings).union(tails)
    .union(["key", "keys", "code", "id", "pass", "auth", "sig", "signature", "sign"])
    .union(["authorization", "cookie", "cookies"])

  /// Whether `kind` or `PairedName` may know a name that ends by three letters, by `lastThree`.
  static let lastThree: [Bool] = {
    var letters = [Bool](repeating: false, count: 32 << 10)
    for word in lastWords.union(["some", "value"]) {
      let name = word.utf8.filter { !($0 &- 0x30 < 10) }
      let (second, last) = (name[max(0, name.count - 2)], name[name.count - 1])
      // Before a short word stands whatever parts it from others.
      let firsts = name.count > 2 ? [name[name.count - 3]] : Array(0..<32)
      for first in firsts { letters[lastThree(first, second, last)] = true }
    }
    return letters
  }()

  /// A number for three bytes, whether capital or small.
  @inline(__always)
  static func lastThree(_ first: UInt8, _ second: UInt8, _ last: UInt8) -> Int {
    Int(first & 31) << 10 | Int(second & 31) << 5 | Int(last & 31)
  }

  /// The words of a name, in lower case.
  private static func words(of name: TextBytes) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    let end = { (word: inout [UInt8]) in
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word.removeAll(keepingCapacity: true)
    }
    for index in name.indices {
      let byte = name[index]
      guard name.isWord(index) else {
        end(&word)
        continue
      }
      // A capital begins a word after a small letter, or before one: blogPassword, DBPassword.
      if name.has(index, ByteClass.upper), index > 0,
        !name.has(index - 1, ByteClass.upper)
          || (name.has(index + 1, ByteClass.letter) && !name.has(index + 1, ByteClass.upper))
      {
        end(&word)
      }
      word.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
    }
    end(&word)
    return words
  }
}
