// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogModel
internal import LogParser
internal import LogQuery
internal import SupportBundle

extension Command {
  /// `logagent upload FILE…`: bundles to the company's own server, through the outbox.
  static let upload: Command = {
    var command = Command("upload", "send bundles to your server", run: runUpload)
    command.operands = "[FILE…]"
    command.operandCount = 0...Int.max
    command.examples = [
      Example("logagent upload bundle.tar.gz", "To the server of the configuration"),
      Example("logagent upload --status", "What waits, and why"),
      Example("logagent upload --retry --wait", "Send all that waits or has failed"),
      Example(
        "logagent upload --url https://logs.example.com/in/ --token env:TOKEN b.tar.gz",
        "To another server"),
    ]
    command.flags = [
      Flag("url", value: "URL", "Send to this address instead"),
      Flag("method", value: "NAME", "put, post, s3, tus, put-range or kscrash"),
      Flag("token", value: "PLACE", "Where the bearer token is: env:NAME or file:PATH"),
      Flag("ca", value: "FILE", "Trust the authorities of this PEM file"),
      Flag("timeout", value: "TIME", "Give up a connection after so long without a byte"),
      Flag("retry-for", value: "TIME", "Try again for so long when it may help (1m)"),
      Flag("wait", "Try again until everything is sent or refused"),
      Flag("retry", "Send all that waits in the outbox or has failed"),
      Flag("automatic", "Send what is new if upload.automatic wants it, and what is due"),
      Flag("status", "Tell what is in the outbox"),
      Flag("json", "With --status: an object a line"),
    ]
    command.notes = [
      """
      A file is copied into the outbox and leaves it only when the server has answered 2xx; what \
      could not be sent is tried again by the agent, or by --retry. Answers 5xx, 408, 425 and 429 \
      and broken connections are tried again, after longer and longer pauses and not before \
      Retry-After; any other answer ends it with status 65. tus and put-range go on where a \
      connection broke. The status is 75 when it may work later, 69 when a certificate or a \
      credential must be mended.
      """,
      """
      What no manifest says to be redacted is not sent, unless upload.allow_unredacted is true. \
      [upload] of the configuration has the address, the method, the credentials and the limits.
      """,
    ]
    return command
  }()

  private static func runUpload(_ call: Invocation) throws -> ExitStatus {
    let arguments = call.arguments
    let configuration = try call.configuration()
    let modes = ["status", "retry", "automatic"].filter(arguments.has)
    if modes.count > 1 || (modes.count == 1 && !arguments.operands.isEmpty) {
      throw CommandError.usage(
        "upload: --status, --retry, --automatic and files are four different things")
    }
    if modes.isEmpty, arguments.operands.isEmpty {
      throw CommandError.usage("upload: which file? Or --retry, or --status")
    }
    let actions: [String: UploadJob.Action] = [
      "status": .status, "retry": .retry, "automatic": .due,
    ]
    let action = modes.first.flatMap { actions[$0] } ?? .upload
    var job = UploadJob(action, outbox: configuration.outboxPath)
    job.limits = configuration.upload.limits
    job.toolVersion = CLI.version
    (job.target, job.isTargetConfigured) = try target(call, configuration.upload)
    job.retrySeconds = try seconds("retry-for", call) ?? (action == .due ? 0 : 60)
    if arguments.has("wait") { job.retrySeconds = nil }
    if action == .upload, job.target == nil {
      throw CommandError(
        .configuration, "upload: no upload.url is configured; or say --url https://HOST/PATH")
    }
    if action == .due, job.target == nil || configuration.upload.automatic == .off {
      throw CommandError(.configuration, "upload: upload.url and upload.automatic are not set")
    }
    if action == .due { job.files = try automaticFiles(call, configuration) }
    for path in arguments.operands {
      job.files.append(try UploadFile.checked(path, configuration, job.target))
    }
    return try UploadRun(call).run(job, asJSON: arguments.has("json"))
  }

  private static func automaticFiles(
    _ call: Invocation, _ configuration: Configuration
  ) throws -> [UploadJob.File] {
    do {
      return try AutomaticUpload(call, configuration).make().map { [$0] } ?? []
    } catch let error as BundleError {
      // What waits in the outbox can go all the same.
      call.warn("no bundle could be made: \(error.description)")
      return []
    }
  }

  /// The server: the configuration's, or the one that flags name.
  private static func target(
    _ call: Invocation, _ upload: UploadConfiguration
  ) throws -> (UploadTarget?, isConfigured: Bool) {
    let arguments = call.arguments
    var target = upload.configuredTarget
    var isConfigured = target != nil
    if let url = arguments.value("url") {
      // Before the file is in the outbox, which would keep what no server can ever take.
      guard ["http", "https"].contains(url.prefix { $0 != ":" }.lowercased()) else {
        throw CommandError.usage("--url: expected an address such as https://HOST/PATH")
      }
      // Credentials are for the server that they were configured for.
      let isSame = target.map { origin($0.url) == origin(url) } ?? false
      if isSame { target?.url = url } else { target = UploadTarget(url: url) }
      isConfigured = false
    }
    guard var target else { return (nil, false) }
    let before = target
    if let method = try arguments.choice("method", of: UploadMethod.self) {
      target.method = method
      if method == .kscrash { target.usesGzip = true }
    }
    if let text = arguments.value("token") {
      guard let source = SecretSource(text: text) else {
        throw CommandError.usage(
          "--token: expected env:NAME or file:PATH; a command line is no place for a secret")
      }
      target.token = source.absolute
    }
    if let file = arguments.value("ca") { target.caFile = FileSystem.absolutePath(file) }
    if let timeout = try seconds("timeout", call) {
      target.stallSeconds = max(1, timeout)
      target.connectSeconds = max(1, timeout)
    }
    return (target, isConfigured && target == before)
  }

  private static func origin(_ url: String) -> String {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    return parts.prefix(3).joined(separator: "/").lowercased()
  }

  private static func seconds(_ flag: String, _ call: Invocation) throws -> Int64? {
    guard let text = call.arguments.value(flag) else { return nil }
    // A bare number is seconds: other tools have it so.
    guard let time = Quantity.nanoseconds(text) ?? Quantity.nanoseconds(text + "s") else {
      throw CommandError.usage("--\(flag): expected a time such as 30s or 5m, got '\(text)'")
    }
    return time / 1_000_000_000
  }
}

extension SecretSource {
  /// With a path that holds wherever it is read.
  fileprivate var absolute: SecretSource {
    if case .file(let path) = self { .file(FileSystem.absolutePath(path)) } else { self }
  }
}

extension Configuration {
  /// Where files wait for their upload.
  var outboxPath: String { stateDirectory + "/outbox" }
}

/// A file that may be uploaded.
enum UploadFile {
  /// Looks whether the file may go out.
  ///
  /// - Throws: `CommandError` of status `notAllowed` for what nobody says to be redacted.
  static func checked(
    _ path: String, _ configuration: Configuration, _ target: UploadTarget?
  ) throws -> UploadJob.File {
    let isKSCrash = target?.method == .kscrash
    let own = FileSystem.absolutePath(path)
    let file = { () throws -> UploadJob.File in
      isKSCrash ? try reports(own, configuration) : .init(path: own, name: FileSystem.name(of: own))
    }
    if configuration.upload.allowsUnredacted, !isKSCrash { return try file() }
    let remedy = "upload.allow_unredacted = true would let it go"
    do {
      let isRedacted = try BundleVerifier.verify(path).isRedacted
      if isRedacted || configuration.upload.allowsUnredacted { return try file() }
    } catch let error as BundleError {
      if isKSCrash { throw CommandError(.dataError, error.description) }
      throw CommandError(
        .notAllowed,
        "\(error.description); nothing says that it is redacted, so it stays here; \(remedy)")
    }
    throw CommandError(
      .notAllowed, "\(path): its manifest says that it is not redacted; \(remedy)")
  }

  /// The crash reports of a bundle, as a file of their own for the outbox.
  private static func reports(
    _ bundle: String, _ configuration: Configuration
  ) throws -> UploadJob.File {
    var bytes = try BundleExtract.crashReports(of: bundle)
    // A report that breaks off would spoil all.
    if !JSONTree(bytes).isWhole {
      bytes = try BundleExtract.crashReports(of: bundle, isOwnFormOnly: true)
    }
    guard bytes.count > 2 else {
      throw CommandError(.nothingFound, "\(bundle): there are no crash reports in it")
    }
    let folder = try Outgoing(configuration).placeForBundle()
    let made = try AtomicFile(target: folder + "/reports.json")
    try made.descriptor.write(bytes)
    try made.commit()
    var file = UploadJob.File(path: folder + "/reports.json", name: "reports.json")
    file.isMoved = true
    return file
  }
}
