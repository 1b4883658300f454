// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import Glibc
internal import LogQuery
internal import Pipeline

/// Settings of other programs on this host that lose logs or crash reports before anybody can read
/// them.
extension Examination {
  mutating func checkLogrotate() {
    let rules = LogrotateRules(host).rules
    var told: Set<String> = []
    for source in survey.sources {
      let lag = lagSeconds(of: source.name) ?? 0
      for file in source.files {
        guard let rule = rules.first(where: { $0.covers(file) }) else { continue }
        let pattern = rule.patterns.joined(separator: " ")
        guard told.insert(rule.place + pattern).inserted else { continue }
        if rule.copiesAndTruncates {
          add(
            .warning(
              "logrotate",
              "\(rule.place) rotates \(pattern) with copytruncate: what is written "
                + "between the copy and the cut is lost to everybody",
              remedy: "use create instead, where the program can reopen its log"))
        }
        if rule.rotations == 0 {
          add(
            .problem(
              "logrotate",
              "\(rule.place) keeps no rotated file of \(pattern): what is not read at "
                + "the moment of rotation is lost",
              remedy: "write rotate 2, or more, in \(rule.place)"))
        } else if let period = rule.period, Int64(rule.rotations) * period < lag {
          add(
            .problem(
              "logrotate",
              "\(rule.place) keeps \(rule.rotations) files of \(pattern), "
                + "\(Int64(rule.rotations) * period / 3600) h, and \(source.name) is \(lag / 3600) h "
                + "behind",
              remedy: "raise rotate in \(rule.place) until the agent has caught up"))
        }
      }
    }
    if told.isEmpty { add(.ok("logrotate", "no rule about what is read")) }
  }

  mutating func checkSwiftBacktraces() {
    var settings: [(who: String, value: String)] = []
    if let own = environment["SWIFT_BACKTRACE"] { settings.append(("this shell", own)) }
    for line in (host.text("/etc/environment") ?? "").split(separator: "\n")
    where line.hasPrefix("SWIFT_BACKTRACE=") {
      let value = line.dropFirst("SWIFT_BACKTRACE=".count).filter { $0 != "\"" }
      settings.append(("/etc/environment", value))
    }
    for pid in host.processes {
      if let value = host.variable("SWIFT_BACKTRACE", of: pid) {
        settings.append(("\(host.processName(pid) ?? "a process") (pid \(pid))", value))
      }
    }
    var told: Set<String> = []
    for setting in settings {
      guard let folder = SwiftBacktraceSetting.folder(setting.value, on: host),
        told.insert(folder).inserted
      else { continue }
      if !host.isFolder(folder) {
        add(
          .problem(
            "SWIFT_BACKTRACE",
            "\(setting.who) writes backtraces to \(folder), which does not "
              + "exist: the runtime drops them without a word",
            remedy: "mkdir -p \(folder), writable for that program"))
      } else if !isRead(folder) {
        add(
          .warning(
            "SWIFT_BACKTRACE", "\(setting.who) writes backtraces to \(folder), which is not read",
            remedy: "add [[spool]] with path = \"\(folder)\" to logagent.toml"))
      } else {
        add(.ok("SWIFT_BACKTRACE", folder))
      }
    }
  }

  private func isRead(_ folder: String) -> Bool {
    let folders = configuration.spools.map(\.path) + configuration.paths
    return folders.contains { folder == $0 || folder.hasPrefix($0 + "/") }
  }

  mutating func checkCorePattern() {
    guard let line = host.text("/proc/sys/kernel/core_pattern")?.split(separator: "\n").first else {
      return
    }
    let pattern = String(line)
    if pattern.hasPrefix("|") {
      checkCoreHandler(pattern.dropFirst().split(separator: " ").first.map(String.init) ?? "")
    } else if pattern.hasPrefix("/") {
      checkCoreFolder(FileSystem.folder(of: pattern))
    } else {
      add(
        .warning(
          "core_pattern", "cores named '\(pattern)' are left in each program's own folder",
          remedy: "sysctl kernel.core_pattern=/var/crash/core.%e.%p, and [[spool]] /var/crash"))
    }
  }

  private mutating func checkCoreHandler(_ program: String) {
    guard host.status(program) != nil else {
      return add(
        .problem(
          "core_pattern",
          "the kernel gives cores to \(program), which does not exist: they are lost",
          remedy: "install it, or sysctl kernel.core_pattern=/var/crash/core.%e.%p"))
    }
    // What the usual programs leave behind, and where.
    let places = [
      ("systemd-coredump", "/var/lib/systemd/coredump"), ("apport", "/var/crash"),
      ("abrt-hook-ccpp", "/var/spool/abrt"),
    ]
    guard let (handler, folder) = places.first(where: { program.contains($0.0) }),
      host.isFolder(folder), !isRead(folder)
    else { return add(.ok("core_pattern", program)) }
    addUnreadCores(in: folder, putBy: handler)
  }

  private mutating func checkCoreFolder(_ folder: String) {
    guard host.isFolder(folder) else {
      return add(
        .problem(
          "core_pattern",
          "the kernel puts cores into \(folder), which does not exist: they are lost",
          remedy: "mkdir -p \(folder)"))
    }
    if isRead(folder) {
      add(.ok("core_pattern", folder))
    } else {
      addUnreadCores(in: folder, putBy: "the kernel")
    }
  }

  private mutating func addUnreadCores(in folder: String, putBy who: String) {
    add(
      .warning(
        "core_pattern", "\(who) puts cores into \(folder), which is not read",
        remedy: "add [[spool]] with path = \"\(folder)\" to logagent.toml"))
  }

  mutating func checkJournal() {
    var settings: [String: (value: String, place: String)] = [:]
    let folder = "/etc/systemd/journald.conf.d"
    let files = ["/etc/systemd/journald.conf"] + host.names(folder).map { folder + "/" + $0 }
    for file in files {
      for line in (host.text(file) ?? "").split(separator: "\n") where !line.hasPrefix("#") {
        guard let equals = line.firstIndex(of: "=") else { continue }
        let key = line[..<equals].filter { $0 != " " }
        settings[key] = (line[line.index(after: equals)...].filter { $0 != " " }, file)
      }
    }
    if files.allSatisfy({ host.status($0) == nil }) { return }
    var isSound = true
    // journald's own default is 10000 messages of a service in 30 seconds; 0 is no limit.
    if let burst = settings["RateLimitBurst"], let number = Int(burst.value), (1..<10_000) ~= number
    {
      isSound = false
      add(
        .warning(
          "journald", "\(burst.place) drops all but \(number) messages of a service in an interval",
          remedy: "raise RateLimitBurst, or set it to 0 for no limit"))
    }
    if let storage = settings["Storage"], storage.value == "none" {
      isSound = false
      add(
        .problem(
          "journald", "\(storage.place) has Storage=none: the journal keeps nothing",
          remedy: "set Storage=auto"))
    }
    if isSound { add(.ok("journald", "no tight limits")) }
  }
}
