// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc
internal import LogModel

/// Builds the configuration: flags before environment before file before defaults.
///
/// Every key that takes one value can also be given as an environment variable: `LOGAGENT_` and the
/// key in capitals, with `_` for the dot, as in `LOGAGENT_RETENTION_MAX_BYTES`.
package struct ConfigurationLoader: Sendable {
  /// A key that a flag sets.
  package struct Override: Sendable {
    /// In full, as in `retention.max_bytes`.
    package var key: String
    package var value: String
    /// The flag with its dashes, for errors.
    package var flag: String

    package init(key: String, value: String, flag: String) {
      self.key = key
      self.value = value
      self.flag = flag
    }
  }

  /// The keys that take one value, in full; those of `[[source]]` and `[[spool]]` not included.
  package static let keys = Setting.all.map(\.key)

  /// Variables of ours that are no keys.
  private static let otherVariables = ["LOGAGENT_CONFIG", "LOGAGENT_PAGER"]

  /// The file that `--config` names; `nil` for the usual place, where it may be missing.
  package var file: String?
  package var environment: [String: String]
  package var overrides: [Override] = []
  /// The numerical user id: root's files lie elsewhere.
  package var userID: UInt32

  /// A loader.
  ///
  /// - Parameters:
  ///   - file: what `--config` names.
  ///   - environment: the variables of the process.
  ///   - userID: `nil` for the process's own.
  package init(file: String?, environment: [String: String], userID: UInt32? = nil) {
    self.file = file
    self.environment = environment
    self.userID = userID ?? getuid()
  }

  /// The file that is read: the named one, `LOGAGENT_CONFIG`'s, or that of the usual place if there
  /// is one.
  package var resolvedFile: String? {
    if let named = file ?? environment["LOGAGENT_CONFIG"] { return named }
    let usual = usualFile
    return (try? FileStatus(path: usual)) == nil ? nil : usual
  }

  /// Where the file lies when none is named.
  package var usualFile: String {
    if userID == 0 { return "/etc/logagent/logagent.toml" }
    return userFolder("XDG_CONFIG_HOME", ".config") + "/logagent/logagent.toml"
  }

  /// Reads and checks everything.
  ///
  /// - Throws: `ConfigurationError` with all problems of the first part that has any: the file,
  ///   then the environment and the flags.
  package func load() throws(ConfigurationError) -> Configuration {
    var configuration = Configuration(stateDirectory: defaultStateDirectory)
    if let path = resolvedFile {
      try read(path, into: &configuration)
      configuration.file = FileSystem.absolutePath(path)
    }
    var problems: [ConfigurationError.Problem] = []
    applyEnvironment(to: &configuration, &problems)
    applyOverrides(to: &configuration, &problems)
    if !problems.isEmpty { throw ConfigurationError(problems: problems) }
    configuration.stateDirectory = FileSystem.absolutePath(configuration.stateDirectory)
    configuration.agentLog = configuration.agentLog.map(FileSystem.absolutePath)
    return configuration
  }

  /// What holds when the configuration cannot be used: the defaults, with the state directory that
  /// a flag or a variable names.
  package var fallback: Configuration {
    let named = overrides.last { $0.key == "state_dir" }?.value ?? environment["LOGAGENT_STATE_DIR"]
    return Configuration(
      stateDirectory: FileSystem.absolutePath(named ?? defaultStateDirectory))
  }

  private func read(
    _ path: String, into configuration: inout Configuration
  ) throws(ConfigurationError) {
    let place = ConfigurationError.Problem.Origin.file(path: path, line: 0, column: 0)
    let text: [UInt8]
    do throws(FileError) {
      guard try FileStatus(path: path).kind != .folder else {
        throw FileError(action: "read", path: path, errno: EISDIR)
      }
      // Far above any real configuration, far below what would hurt.
      text = try FileSystem.contents(of: path, limit: 8 << 20)
    } catch {
      throw ConfigurationError(problems: [
        .init(origin: place, key: "", message: "cannot read: \(error.reason)")
      ])
    }
    var reader = ConfigurationReader(path: path, configuration: configuration)
    reader.read(text)
    guard reader.problems.isEmpty else { throw ConfigurationError(problems: reader.problems) }
    configuration = reader.configuration
  }

  private func applyEnvironment(
    to configuration: inout Configuration, _ problems: inout [ConfigurationError.Problem]
  ) {
    let known = Setting.all.map(\.environmentName) + Self.otherVariables
    for (name, value) in environment.sorted(by: { $0.key < $1.key })
    where name.hasPrefix("LOGAGENT_") && !Self.otherVariables.contains(name) {
      if let setting = Setting.all.first(where: { $0.environmentName == name }) {
        attempt(setting, value, .environment(name), &configuration, &problems)
      } else if let near = NearestName.find(name, in: known) {
        // Other tools may own other names with our prefix; a slip of one of ours is an error.
        problems.append(
          .init(
            origin: .environment(name), key: "",
            message: "unknown name; did you mean '\(near)'?"))
      }
    }
  }

  private func applyOverrides(
    to configuration: inout Configuration, _ problems: inout [ConfigurationError.Problem]
  ) {
    for override in overrides {
      let origin = ConfigurationError.Problem.Origin.flag(override.flag)
      guard let setting = Setting.all.first(where: { $0.key == override.key }) else {
        let hint = NearestName.hint(override.key, in: Setting.all.map(\.key))
        problems.append(.init(origin: origin, key: override.key, message: "unknown key" + hint))
        continue
      }
      attempt(setting, override.value, origin, &configuration, &problems)
    }
  }

  private func attempt(
    _ setting: Setting, _ value: String, _ origin: ConfigurationOrigin,
    _ configuration: inout Configuration, _ problems: inout [ConfigurationError.Problem]
  ) {
    do throws(SettingError) {
      try setting.apply(.text(value), &configuration)
      configuration.origins[setting.key] = origin
    } catch {
      problems.append(.init(origin: origin, key: setting.key, message: error.message))
    }
  }

  private var defaultStateDirectory: String {
    userID == 0 ? "/var/lib/logagent" : userFolder("XDG_STATE_HOME", ".local/state") + "/logagent"
  }

  // The base directory specification wants relative values ignored.
  private func userFolder(_ variable: String, _ inHome: String) -> String {
    if let folder = environment[variable], folder.hasPrefix("/") { return folder }
    return (environment["HOME"] ?? "/") + "/" + inHome
  }
}
