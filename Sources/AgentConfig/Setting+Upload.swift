// SPDX-License-Identifier: Apache-2.0

internal import LogModel

extension Setting {
  /// The keys of `[upload]`.
  static let upload: [Setting] = uploadTarget + uploadCredentials + uploadLimits

  private typealias Apply =
    @Sendable (GivenValue, inout UploadConfiguration) throws(SettingError) -> Void

  private static func of(_ key: String, _ apply: @escaping Apply) -> Setting {
    Setting(key: "upload." + key) { (value, configuration) throws(SettingError) in
      try apply(value, &configuration.upload)
    }
  }

  private static let uploadTarget: [Setting] = [
    of("url") { (value, upload) throws(SettingError) in
      upload.target.url = try Expect.uploadAddress(value)
    },
    of("method") { (value, upload) throws(SettingError) in
      upload.target.method = try Expect.choice(value, of: UploadMethod.self)
    },
    of("field") { (value, upload) throws(SettingError) in
      upload.target.field = try Expect.string(value, "a form's field such as \"file\"")
    },
    of("fields") { (value, upload) throws(SettingError) in
      upload.target.fields = try Expect.pairs(value, example: "{ app = \"shop\" }")
    },
    of("headers") { (value, upload) throws(SettingError) in
      try Expect.headers(value, into: &upload.target)
    },
    of("region") { (value, upload) throws(SettingError) in
      upload.target.region = try Expect.string(value, "a region such as \"eu-central-1\"")
    },
    of("proxy") { (value, upload) throws(SettingError) in
      upload.target.proxy = try Expect.uploadAddress(value)
    },
    of("gzip") { (value, upload) throws(SettingError) in
      upload.target.usesGzip = try Expect.flag(value)
      upload.hasGzip = true
    },
    of("rate_limit") { (value, upload) throws(SettingError) in
      upload.target.rateLimit = try Expect.bytes(value, in: 0...(1 << 40))
    },
    of("connect_timeout") { (value, upload) throws(SettingError) in
      upload.target.connectSeconds = try Expect.seconds(value)
    },
    of("stall_timeout") { (value, upload) throws(SettingError) in
      upload.target.stallSeconds = try Expect.seconds(value)
    },
  ]

  private static let uploadCredentials: [Setting] = [
    of("token") { (value, upload) throws(SettingError) in
      upload.target.token = try Expect.secretSource(value)
    },
    of("user") { (value, upload) throws(SettingError) in
      upload.target.user = try Expect.secretSource(value)
    },
    of("password") { (value, upload) throws(SettingError) in
      upload.target.password = try Expect.secretSource(value)
    },
    of("session_token") { (value, upload) throws(SettingError) in
      upload.target.sessionToken = try Expect.secretSource(value)
    },
    of("ca_file") { (value, upload) throws(SettingError) in
      upload.target.caFile = try Expect.path(value)
    },
    of("client_certificate") { (value, upload) throws(SettingError) in
      upload.target.clientCertificate = try Expect.path(value)
    },
    of("client_key") { (value, upload) throws(SettingError) in
      upload.target.clientKey = try Expect.path(value)
    },
  ]

  private static let uploadLimits: [Setting] = [
    of("max_uploads_per_day") { (value, upload) throws(SettingError) in
      upload.limits.uploadsPerDay = try Expect.count(value, in: 0...1_000_000)
    },
    of("max_bytes_per_day") { (value, upload) throws(SettingError) in
      upload.limits.bytesPerDay = try Expect.bytes(value, in: 0...(1 << 50))
    },
    of("outbox_quota") { (value, upload) throws(SettingError) in
      upload.limits.outboxBytes = try Expect.bytes(value, in: (1 << 20)...(1 << 50))
    },
    of("unmetered_command") { (value, upload) throws(SettingError) in
      upload.limits.unmeteredCommand = try Expect.texts(value)
    },
    of("automatic") { (value, upload) throws(SettingError) in
      upload.automatic = try Expect.automatic(value)
    },
    of("automatic_range") { (value, upload) throws(SettingError) in
      upload.automaticRange = try Expect.duration(value, "1h")
    },
    of("automatic_max_bytes") { (value, upload) throws(SettingError) in
      upload.automaticMaxBytes = try Expect.bytes(value, in: 65_536...(1 << 40))
    },
    of("allow_unredacted") { (value, upload) throws(SettingError) in
      upload.allowsUnredacted = try Expect.flag(value)
    },
  ]
}
