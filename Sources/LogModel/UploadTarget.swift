// SPDX-License-Identifier: Apache-2.0

/// How a file is given to a server.
public enum UploadMethod: String, CaseIterable, Sendable {
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
public struct UploadTarget: Hashable, Sendable {
  /// A text with a name.
  public struct Pair: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A header whose value is a credential.
  public struct SecretHeader: Hashable, Sendable {
    public var name: String
    public var source: SecretSource

    public init(_ name: String, _ source: SecretSource) {
      self.name = name
      self.source = source
    }
  }

  /// `http` or `https`, without a user. One that ends in `/` gets the file's name appended by `put`,
  /// `put-range` and `s3`.
  public var url: String
  public var method = UploadMethod.put
  /// The form's field that is the file (`post`).
  public var field = "file"
  /// Further fields of the form (`post`), metadata (`tus`).
  public var fields: [Pair] = []
  public var headers: [Pair] = []
  public var secretHeaders: [SecretHeader] = []
  /// Sent as `Authorization: Bearer`.
  public var token: SecretSource?
  /// Of HTTP's basic authentication; for `s3` the access key's id.
  public var user: SecretSource?
  /// Of HTTP's basic authentication; for `s3` the secret key.
  public var password: SecretSource?
  /// Of a temporary S3 credential.
  public var sessionToken: SecretSource?
  /// Of S3.
  public var region = "us-east-1"
  /// PEM file of the authorities to trust instead of the system's.
  public var caFile: String?
  public var clientCertificate: String?
  public var clientKey: String?
  /// `http://host:3128`; `nil` for what the environment says.
  public var proxy: String?
  /// Bytes in a second; 0 for no limit.
  public var rateLimit: Int64 = 0
  /// Whether a form with a file that is not compressed is sent compressed, if the server takes it.
  public var usesGzip = false
  /// Seconds to wait for a connection.
  public var connectSeconds: Int64 = 30
  /// Seconds without a byte in either direction after which a connection is given up.
  public var stallSeconds: Int64 = 60

  public init(url: String) { self.url = url }
}

extension UploadTarget {
  /// As lines, for `init(_:)`.
  public var lines: FieldList {
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
  public init?(_ lines: FieldList) {
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
