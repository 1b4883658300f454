// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogModel
internal import LogQuery
internal import Pipeline
internal import SQLite

/// The kernel's limits, the clock and the time zone.
extension Examination {
  mutating func checkInotify() {
    let folders = Set(survey.sources.flatMap { $0.files.map(FileSystem.folder) })
    let needed = Int64(folders.count + configuration.spools.count)
    var isSound = true
    if let watches = host.number("/proc/sys/fs/inotify/max_user_watches"), watches < needed + 64 {
      isSound = false
      add(
        .problem(
          "inotify",
          "fs.inotify.max_user_watches is \(watches); the \(needed) folders of the sources need more",
          remedy: "echo fs.inotify.max_user_watches=65536 > /etc/sysctl.d/60-logagent.conf; "
            + "sysctl --system"))
    }
    if let instances = host.number("/proc/sys/fs/inotify/max_user_instances"), instances < 16 {
      isSound = false
      add(
        .problem(
          "inotify", "fs.inotify.max_user_instances is \(instances): other programs use them up",
          remedy: "echo fs.inotify.max_user_instances=128 > /etc/sysctl.d/60-logagent.conf; "
            + "sysctl --system"))
    }
    if isSound { add(.ok("inotify", "enough watches for \(needed) folders")) }
  }

  mutating func checkClock() {
    // The first day of the year in which this program was first released.
    let release = Timestamp(seconds: 1_767_225_600, nanoseconds: 0) ?? now
    if now < release {
      return add(
        .problem(
          "clock", "this host's clock says \(now), before this program was made",
          remedy: "set the clock: timedatectl set-ntp true"))
    }
    guard let store else { return }
    var observed: Int64?
    var latest: Int64?
    try? store.forEach(
      """
      SELECT (SELECT time FROM observation ORDER BY record DESC LIMIT 1),
        (SELECT max(time) FROM record)
      """
    ) { row in
      observed = row.optionalInteger(0)
      latest = row.optionalInteger(1)
    }
    let minute: Int64 = 60_000_000_000
    if let observed, observed > now.nanoseconds + 5 * minute {
      return add(
        .problem(
          "clock", "records were stored at \(Timestamp(nanoseconds: observed)), and it is \(now)",
          remedy: "the clock has been set back; timedatectl set-ntp true"))
    }
    if let latest, latest > now.nanoseconds + 1500 * minute {
      return add(
        .warning(
          "clock", "there are records of the future, such as \(Timestamp(nanoseconds: latest))",
          remedy: "a source's clock or year is wrong: logagent query --saved time-quality"))
    }
    add(.ok("clock", "\(now)"))
  }

  mutating func checkTimeZone() {
    if let zone = configuration.timeZone { return add(.ok("time zone", "\(zone), as configured")) }
    let target = host.link("/etc/localtime")
    if target == nil, host.status("/etc/localtime") == nil {
      return add(
        .warning(
          "time zone", "/etc/localtime is missing: times without a zone are taken as UTC",
          remedy: "timedatectl set-timezone, or timezone in logagent.toml"))
    }
    if let target {
      let path = target.hasPrefix("/") ? target : "/etc/" + target
      guard host.status(FileSystem.absolutePath(path)) != nil else {
        return add(
          .problem(
            "time zone", "/etc/localtime points to \(target), which does not exist",
            remedy: "install tzdata, or timedatectl set-timezone"))
      }
      return add(.ok("time zone", String(target.split(separator: "zoneinfo/").last ?? "")))
    }
    add(.ok("time zone", "this host's"))
  }
}
