// SPDX-License-Identifier: Apache-2.0

internal import LogModel

extension Setting {
  /// The keys of `[upload]`.
  static let upload: [Setting] = uploadTarget + uploadCredentials + uploadLimits

  private typealias ApplyUpload =
    @Sendable (GivenValue, inout UploadConfiguration) throws(SettingError) -> Void

  private static func of(
    _ key: String, _ type: String, range: String? = nil, _ summary: String, usual: String? = nil,
    _ show: @escaping @Sendable (UploadConfiguration) -> String, _ apply: @escaping ApplyUpload
  ) -> Setting {
    Setting(
      "upload." + key, type, range: range, summary, usual: usual, show: { show($0.upload) },
      apply: { (value, configuration) throws(SettingError) in
        try apply(value, &configuration.upload)
      })
  }

  private static let uploadTarget: [Setting] = [
    of(
      "url", "address", "Where bundles go; one that ends in / gets the bundle's name appended",
      usual: "none",
      { $0.target.url.isEmpty ? "none" : TOMLText.quoted($0.target.url) },
      { (value, upload) throws(SettingError) in
        upload.target.url = try Expect.uploadAddress(value)
      }),
    of(
      "method", "name", range: UploadMethod.allCases.map(\.rawValue).joined(separator: ", "),
      "How: PUT, a form, signed for S3, tus 1.0, PUT answered 308, crash reports as KSCrash's",
      { TOMLText.quoted($0.target.method.rawValue) },
      { (value, upload) throws(SettingError) in
        upload.target.method = try Expect.choice(value, of: UploadMethod.self)
      }),
    of(
      "field", "name", "The field of the form that is the file (\"post\")",
      { TOMLText.quoted($0.target.field) },
      { (value, upload) throws(SettingError) in
        upload.target.field = try Expect.string(value, "a form's field such as \"file\"")
      }),
    of(
      "fields", "table of texts", "Further fields of the form; of tus, metadata",
      { TOMLText.table($0.target.fields.map { ($0.name, TOMLText.quoted($0.value)) }) },
      { (value, upload) throws(SettingError) in
        upload.target.fields = try Expect.pairs(value, example: "{ app = \"shop\" }")
      }),
    of(
      "headers", "table of texts or places of secrets", "Further headers",
      { upload in
        let plain = upload.target.headers.map { ($0.name, TOMLText.quoted($0.value)) }
        let secret = upload.target.secretHeaders.map { ($0.name, TOMLText.source($0.source)) }
        return TOMLText.table(plain + secret)
      },
      { (value, upload) throws(SettingError) in
        try Expect.headers(value, into: &upload.target)
      }),
    of(
      "region", "name", "The region of S3", { TOMLText.quoted($0.target.region) },
      { (value, upload) throws(SettingError) in
        upload.target.region = try Expect.string(value, "a region such as \"eu-central-1\"")
      }),
    of(
      "proxy", "address", "A proxy to go through", usual: "as the environment says",
      { $0.target.proxy.map(TOMLText.quoted) ?? "as the environment says" },
      { (value, upload) throws(SettingError) in
        upload.target.proxy = try Expect.uploadAddress(value)
      }),
    of(
      "gzip", "true or false", "Whether a form is sent compressed, if the server takes it",
      usual: "true for kscrash, false for others",
      { String(($0.configuredTarget ?? $0.target).usesGzip) },
      { (value, upload) throws(SettingError) in
        upload.target.usesGzip = try Expect.flag(value)
        upload.hasGzip = true
      }),
    of(
      "rate_limit", "size", "Bytes in a second; 0 for no limit",
      { TOMLText.size($0.target.rateLimit) },
      { (value, upload) throws(SettingError) in
        upload.target.rateLimit = try Expect.bytes(value, in: 0...(1 << 40))
      }),
    of(
      "connect_timeout", "duration", range: "1s or more", "So long a connection may take",
      { TOMLText.age($0.target.connectSeconds * 1_000_000_000) },
      { (value, upload) throws(SettingError) in
        upload.target.connectSeconds = try Expect.seconds(value)
      }),
    of(
      "stall_timeout", "duration", range: "1s or more",
      "So long without a byte, a connection is given up",
      { TOMLText.age($0.target.stallSeconds * 1_000_000_000) },
      { (value, upload) throws(SettingError) in
        upload.target.stallSeconds = try Expect.seconds(value)
      }),
  ]

  private typealias SecretPlace = WritableKeyPath<UploadTarget, SecretSource?> & Sendable
  private typealias PathPlace = WritableKeyPath<UploadTarget, String?> & Sendable

  private static func secret(_ key: String, _ place: any SecretPlace, _ summary: String) -> Setting
  {
    of(
      key, "place of a secret", summary, usual: "none",
      { $0.target[keyPath: place].map(TOMLText.source) ?? "none" },
      { (value, upload) throws(SettingError) in
        upload.target[keyPath: place] = try Expect.secretSource(value)
      })
  }

  private static func path(_ key: String, _ place: any PathPlace, _ summary: String) -> Setting {
    of(
      key, "path", summary, usual: "none",
      { $0.target[keyPath: place].map(TOMLText.quoted) ?? "none" },
      { (value, upload) throws(SettingError) in
        upload.target[keyPath: place] = try Expect.path(value)
      })
  }

  private static let uploadCredentials: [Setting] = [
    secret("token", \.token, "Where the bearer token is"),
    secret("user", \.user, "Where the user is; of S3 the access key"),
    secret("password", \.password, "Where the password is; of S3 the secret key"),
    secret("session_token", \.sessionToken, "Where the token of a temporary S3 credential is"),
    path("ca_file", \.caFile, "Authorities (PEM) to trust instead of the system's"),
    path("client_certificate", \.clientCertificate, "Our own certificate (PEM)"),
    path("client_key", \.clientKey, "The key of our own certificate (PEM)"),
  ]

  private static let uploadLimits: [Setting] = [
    of(
      "max_uploads_per_day", "whole number", "Uploads begun in a day of UTC; 0 for no limit",
      { String($0.limits.uploadsPerDay) },
      { (value, upload) throws(SettingError) in
        upload.limits.uploadsPerDay = try Expect.count(value, in: 0...1_000_000)
      }),
    of(
      "max_bytes_per_day", "size", "Bytes sent in a day of UTC; 0 for no limit",
      { TOMLText.size($0.limits.bytesPerDay) },
      { (value, upload) throws(SettingError) in
        upload.limits.bytesPerDay = try Expect.bytes(value, in: 0...(1 << 50))
      }),
    of(
      "outbox_quota", "size", range: "1MiB or more", "What waits in the outbox, together",
      { TOMLText.size($0.limits.outboxBytes) },
      { (value, upload) throws(SettingError) in
        upload.limits.outboxBytes = try Expect.bytes(value, in: (1 << 20)...(1 << 50))
      }),
    of(
      "unmetered_command", "list of words", "Nothing is sent unless this program ends with 0",
      { TOMLText.list($0.limits.unmeteredCommand) },
      { (value, upload) throws(SettingError) in
        upload.limits.unmeteredCommand = try Expect.texts(value)
      }),
    of(
      "automatic", "\"off\", \"crash\" or a duration", range: "durations of 1m or more",
      "Bundles that nobody has to ask for: after a crash, or so often",
      { upload in
        switch upload.automatic {
        case .off: "\"off\""
        case .onCrash: "\"crash\""
        case .every(let time): TOMLText.age(time)
        }
      },
      { (value, upload) throws(SettingError) in
        upload.automatic = try Expect.automatic(value)
      }),
    of(
      "automatic_range", "duration", range: "1s or more",
      "How far such a bundle reaches back when none was sent before",
      { TOMLText.age($0.automaticRange) },
      { (value, upload) throws(SettingError) in
        upload.automaticRange = try Expect.duration(value, "1h")
      }),
    of(
      "automatic_max_bytes", "size", range: "64KiB or more", "The most bytes of such a bundle",
      { TOMLText.size($0.automaticMaxBytes) },
      { (value, upload) throws(SettingError) in
        upload.automaticMaxBytes = try Expect.bytes(value, in: 65_536...(1 << 40))
      }),
    of(
      "allow_unredacted", "true or false",
      "Whether files go out of which no manifest says that they are redacted",
      { String($0.allowsUnredacted) },
      { (value, upload) throws(SettingError) in
        upload.allowsUnredacted = try Expect.flag(value)
      }),
  ]
}

extension TOMLText {
  /// An inline table of values that are TOML already.
  static func table(_ pairs: [(String, String)]) -> String {
    pairs.isEmpty
      ? "{}" : "{ " + pairs.map { "\(quoted($0)) = \($1)" }.joined(separator: ", ") + " }"
  }

  /// The place of a secret.
  static func source(_ source: SecretSource) -> String {
    switch source {
    case .environment(let name): table([("env", quoted(name))])
    case .file(let path): table([("file", quoted(path))])
    case .command(let words): table([("command", list(words))])
    }
  }
}
