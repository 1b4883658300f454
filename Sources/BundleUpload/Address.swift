// SPDX-License-Identifier: Apache-2.0

internal import CCurl

/// An `http` or `https` address, taken apart by libcurl.
package struct Address: Hashable, Sendable {
  /// As it is asked for; without a user and a fragment.
  package let url: String
  package let scheme: String
  package let host: String
  package let port: String
  /// Without the query.
  package let path: String

  /// Whether a credential for one may be sent to the other: same scheme, host and port.
  package func isSameOrigin(as other: Address) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  /// It leads to this machine.
  var isLoopback: Bool { host == "localhost" || host == "[::1]" || host.hasPrefix("127.") }

  /// For messages: a query may hold a signature, so it is left away.
  package var shown: String {
    let usual = scheme == "https" ? "443" : "80"
    return "\(scheme)://\(host)\(port == usual ? "" : ":" + port)\(path)"
  }

  /// - Parameters:
  ///   - text: an absolute address.
  ///   - base: what a relative one is relative to.
  /// - Throws: `AddressError` for anything that is no address, or one with a user in it.
  package init(_ text: String, relativeTo base: Address? = nil) throws(AddressError) {
    guard let parts = curl_url() else { throw AddressError("out of memory") }
    defer { curl_url_cleanup(parts) }
    if let base { curl_url_set(parts, CURLUPART_URL, base.url, 0) }
    guard curl_url_set(parts, CURLUPART_URL, text, 0) == CURLUE_OK else {
      throw AddressError("this is no address; expected https://HOST/PATH")
    }
    let part = { (which: CURLUPart) -> String? in
      var value: UnsafeMutablePointer<CChar>?
      guard curl_url_get(parts, which, &value, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK else {
        return nil
      }
      defer { curl_free(value) }
      return value.map { String(cString: $0) }
    }
    guard let scheme = part(CURLUPART_SCHEME)?.lowercased(), ["http", "https"].contains(scheme)
    else { throw AddressError("only http and https addresses can be uploaded to") }
    guard part(CURLUPART_USER) == nil, part(CURLUPART_PASSWORD) == nil else {
      throw AddressError("an address must hold no user or password; use upload.user and .password")
    }
    curl_url_set(parts, CURLUPART_FRAGMENT, nil, 0)
    var whole: UnsafeMutablePointer<CChar>?
    guard curl_url_get(parts, CURLUPART_URL, &whole, 0) == CURLUE_OK, let whole else {
      throw AddressError("this is no address; expected https://HOST/PATH")
    }
    defer { curl_free(whole) }
    url = String(cString: whole)
    self.scheme = scheme
    host = part(CURLUPART_HOST)?.lowercased() ?? ""
    port = part(CURLUPART_PORT) ?? ""
    path = part(CURLUPART_PATH) ?? "/"
  }

  /// With `name` as a last component, if the path ends in a slash.
  package func naming(_ name: String) throws(AddressError) -> Address {
    guard path.hasSuffix("/") else { return self }
    let query = url.firstIndex(of: "?") ?? url.endIndex
    return try Address(url[..<query] + Self.encoded(name) + url[query...])
  }

  /// Percent-encoded, with all but unreserved characters.
  private static func encoded(_ name: String) -> String {
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    var text = String.UnicodeScalarView()
    for byte in name.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
        text.append(Unicode.Scalar(byte))
      default: text += ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(text)
  }
}

/// A text that is no address for an upload. It does not quote the text, which may hold a secret.
package struct AddressError: Error, CustomStringConvertible, Sendable {
  package var description: String

  init(_ description: String) { self.description = description }
}
