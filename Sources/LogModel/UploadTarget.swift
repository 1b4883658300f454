// SPDX-License-Identifier: Apache-2.0

/// How a file is given to a server.
package enum UploadMethod: String, CaseIterable, Sendable {
  /// `PUT` of the whole file, as WebDAV, nginx and presigned S3 addresses take it.
  case put
  /// `POST` of a form (multipart/form-data) with the file as one of its fields.
  case post
  /// `PUT` signed for S3 (AWS Signature Version 4).
  case s3
  /// The tus 1.0 protocol, which goes on where a broken connection ended.
  case tus
  /// `PUT`, which goes on after a broken connection: the server answers 308 with the `Range` that it
  /// has to a `Content-Range`.
  case putRange = "put-range"
  /// Crash reports as KSCrash's own sink sends them: a form with the field `reports`.
  case kscrash
}

/// A server, and how to talk to it. Holds no credential, only where they are.
package struct UploadTarget: Hashable, Sendable {
  /// A text with a name.
  package struct Pair: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A header whose value is a credential.
  package struct SecretHeader: Hashable, Sendable {
    package var name: String
    package var source: SecretSource

    package init(_ name: String, _ source: SecretSource) {
      self.name = name
      self.source = source
    }
  }

  /// `http` or `https`, without a user. One that ends in `/` gets the file's name appended by `put`,
  /// `put-range` and `s3`.
  package var url: String
  package var method = UploadMethod.put
  /// The form's field that is the file (`post`).
  package var field = "file"
  /// Further fields of the form (`post`), metadata (`tus`).
  package var fields: [Pair] = []
  package var headers: [Pair] = []
  package var secretHeaders: [SecretHeader] = []
  /// Sent as `Authorization: Bearer`.
  package var token: SecretSource?
  /// Of HTTP's basic authentication; for `s3` the access key's id.
  package var user: SecretSource?
  /// Of HTTP's basic authentication; for `s3` the secret key.
  package var password: SecretSource?
  /// Of a temporary S3 credential.
  package var sessionToken: SecretSource?
  /// Of S3.
  package var region = "us-east-1"
  /// PEM file of the authorities to trust instead of the system's.
  package var caFile: String?
  package var clientCertificate: String?
  package var clientKey: String?
  /// `http://host:3128`; `nil` for what the environment says.
  package var proxy: String?
  /// Bytes in a second; 0 for no limit.
  package var rateLimit: Int64 = 0
  /// Whether a form with a file that is not compressed is sent compressed, if the server takes it.
  package var usesGzip = false
  /// Seconds to wait for a connection.
  package var connectSeconds: Int64 = 30
  /// Seconds without a byte in either direction after which a connection is given up.
  package var stallSeconds: Int64 = 60

  package init(url: String) { self.url = url }
}

extension UploadTarget {
  /// As lines, for `init(_:)`.
  package var lines: FieldList {
    var lines = FieldList()
    lines["url"] = url
    lines["method"] = method.rawValue
    lines["field"] = field
    for pair in fields { lines.append("form", pair.name + "=" + pair.value) }
    for pair in headers { lines.append("header", pair.name + "=" + pair.value) }
    for header in secretHeaders {
      lines.append("secret-header", header.name + "=" + header.source.text)
    }
    lines["token"] = token?.text
    lines["user"] = user?.text
    lines["password"] = password?.text
    lines["session-token"] = sessionToken?.text
    lines["region"] = region
    lines["ca-file"] = caFile
    lines["client-certificate"] = clientCertificate
    lines["client-key"] = clientKey
    lines["proxy"] = proxy
    lines["rate-limit"] = String(rateLimit)
    lines["gzip"] = usesGzip ? "1" : "0"
    lines["connect-seconds"] = String(connectSeconds)
    lines["stall-seconds"] = String(stallSeconds)
    return lines
  }

  /// What `lines` gave; `nil` when there is no address.
  package init?(_ lines: FieldList) {
    guard let url = lines["url"] else { return nil }
    self.init(url: url)
    method = lines["method"].flatMap(UploadMethod.init(rawValue:)) ?? method
    field = lines["field"] ?? field
    fields = lines.all("form").compactMap(Pair.init(line:))
    headers = lines.all("header").compactMap(Pair.init(line:))
    secretHeaders = lines.all("secret-header").compactMap(Pair.init(line:)).compactMap { pair in
      SecretSource(text: pair.value).map { SecretHeader(pair.name, $0) }
    }
    token = lines["token"].flatMap(SecretSource.init(text:))
    user = lines["user"].flatMap(SecretSource.init(text:))
    password = lines["password"].flatMap(SecretSource.init(text:))
    sessionToken = lines["session-token"].flatMap(SecretSource.init(text:))
    region = lines["region"] ?? region
    caFile = lines["ca-file"]
    clientCertificate = lines["client-certificate"]
    clientKey = lines["client-key"]
    proxy = lines["proxy"]
    rateLimit = lines.integer("rate-limit") ?? rateLimit
    usesGzip = lines["gzip"] == "1"
    connectSeconds = lines.integer("connect-seconds") ?? connectSeconds
    stallSeconds = lines.integer("stall-seconds") ?? stallSeconds
  }
}

extension UploadTarget.Pair {
  init?(line: String) {
    guard let equals = line.firstIndex(of: "=") else { return nil }
    self.init(String(line[..<equals]), String(line[line.index(after: equals)...]))
  }
}
