// SPDX-License-Identifier: Apache-2.0

/// A table that may stand in the file several times, such as `[[source]]`, for the reference and
/// for what is said of an unknown key.
package struct ListTable: Sendable {
  /// One of its keys.
  package struct Key: Sendable {
    package var name: String
    /// What kind of value it takes, in words.
    package var type: String
    /// What it does, without a full stop.
    package var summary: String
    /// What it is when nothing is said, as TOML has it or in words; `nil` for one that must be there.
    package var usual: String?
    /// A value, as TOML has it.
    package var example: String
    /// It stands instead of the others.
    package var isAlternative = false

    package init(
      _ name: String, _ type: String, _ summary: String, usual: String? = nil, example: String,
      isAlternative: Bool = false
    ) {
      self.name = name
      self.type = type
      self.summary = summary
      self.usual = usual
      self.example = example
      self.isAlternative = isAlternative
    }
  }

  /// Without brackets.
  package var name: String
  package var summary: String
  package var keys: [Key]

  /// The names of the keys.
  var known: [String] { keys.map(\.name) }

  /// All of them, in the order of the reference.
  package static let all = [source, spool, journal, format, redact]

  static let source = ListTable(
    name: "source", summary: "Log files under one name",
    keys: [
      Key(
        "name", "text", "What the source is called; each has a name of its own", example: "\"app\""),
      Key(
        "include", "list of patterns",
        "The files: * and ? within a name, [a-z] for one character, ** for any folders; a "
          + "relative path starts in the folder of the configuration file",
        example: "[\"/var/log/app/*.log\"]"),
      Key(
        "exclude", "list of patterns", "Files of these that are left out", usual: "[]",
        example: "[\"/var/log/app/debug.log\"]"),
      Key(
        "timezone", "time zone", "The zone of times that have none",
        usual: "the key timezone of the file", example: "\"Europe/Berlin\""),
      Key(
        "multiline", "\"auto\", \"timestamp\" or \"off\"",
        "Lines that begin no record by themselves: \"auto\" does as the file's format says, "
          + "\"timestamp\" adds them to the last line that has a time, \"off\" makes each a record",
        usual: "\"auto\"", example: "\"timestamp\""),
      Key(
        "binary", "\"skip\" or \"text\"",
        "A file that is no text: \"skip\" leaves it alone, \"text\" reads it all the same",
        usual: "\"skip\"", example: "\"text\""),
      Key(
        "max_bytes", "size", "Bytes of its files that are kept in the store at most",
        usual: "no limit of its own", example: "\"100MiB\""),
      Key(
        "max_age", "duration", "Its records older than this go", usual: "no limit of its own",
        example: "\"7d\""),
      Key(
        "max_records", "whole number", "More of its records than this are not kept",
        usual: "no limit of its own", example: "1000000"),
      Key(
        "directory_quota", "table of max_files and max_bytes",
        "Deletes old files of the application, per folder: those that are stored whole, that no "
          + "program has open for writing, and that are not the newest; the oldest first",
        usual: "nothing is ever deleted", example: "{ max_files = 10, max_bytes = \"100MiB\" }"),
    ])

  static let spool = ListTable(
    name: "spool",
    summary:
      "A folder into which crash reports are put, such as those of SWIFT_BACKTRACE or KSCrash",
    keys: [
      Key(
        "name", "text", "What the spool is called; several may share a name", example: "\"crashes\""
      ),
      Key("path", "path", "The folder", example: "\"/var/crash\""),
      Key(
        "consume", "true or false",
        "Stored reports are moved into the folder .logagent-done of the spool; without it a spool "
          + "is only read",
        usual: "false", example: "true"),
      Key(
        "keep", "size", "How much is kept there; the oldest reports go first", usual: "\"64MiB\"",
        example: "\"1GiB\""),
    ])

  static let journal = ListTable(
    name: "journal",
    summary: "systemd's journal, or a part of it; journalctl reads it, so no library is needed",
    keys: [
      Key("name", "text", "What the source is called", example: "\"journal\""),
      Key(
        "units", "list of names", "Only of these units", usual: "[]",
        example: "[\"nginx.service\"]"),
      Key(
        "matches", "list of fields", "Only entries with these fields, as journalctl takes them",
        usual: "[]", example: "[\"_UID=1000\"]"),
      Key(
        "directory", "path", "A folder with journal files", usual: "this host's journal",
        example: "\"/srv/journals\""),
      Key(
        "begin", "\"all\", \"boot\" or \"now\"",
        "Where reading begins when nothing of it is stored yet: with the oldest entry, with this "
          + "boot, or with what comes", usual: "\"boot\"", example: "\"all\""),
    ])

  static let format = ListTable(
    name: "format",
    summary: "A log format of one's own, tried before those that are built in",
    keys: [
      Key(
        "name", "small letters, digits and dashes", "What the format is called",
        example: "\"shop\""),
      Key("summary", "text", "What it is, in a sentence", usual: "none", example: "\"the shop\""),
      Key(
        "pattern", "regular expression, or a list of them",
        "A record; named groups are columns, with _ for . in OpenTelemetry's names",
        example: "'^(?<time>\\S+) (?<severity>\\w+) (?<body>.*)'"),
      Key(
        "record_start", "regular expression", "What the first line of a record matches",
        usual: "the pattern", example: "'^\\d{4}-'"),
      Key(
        "time", "layout, or a list of them", "How the time is written, as for strptime(3)",
        usual: "any layout that is known", example: "\"%Y-%m-%d %H:%M:%S\""),
      Key(
        "severity", "table", "Severities and the words that mean them",
        usual: "the usual words", example: "{ error = \"E|ERR\" }"),
      Key(
        "fields", "table", "Names for groups of the pattern", usual: "{}",
        example: "{ route = \"http.route\" }"),
      Key(
        "files", "list of patterns", "The files that may have it", usual: "all",
        example: "[\"/srv/shop/*.log\"]"),
      Key(
        "file_pattern", "regular expression", "The same, on the path", usual: "all",
        example: "'shop.*\\.log$'"),
      Key(
        "sample", "tables, each written as [[format.sample]]",
        "A text, and the fields that it is to have",
        example: "[{ text = \"10:00 E no\", severity = \"error\" }]"),
      Key(
        "lnav_format", "path", "A format file of lnav, instead of the keys above", usual: "none",
        example: "\"shop.json\"", isAlternative: true),
    ])

  static let redact = ListTable(
    name: "redact",
    summary: "A rule of one's own for what bundles mask; it has a pattern, keys, or both",
    keys: [
      Key(
        "name", "small letters, digits and dashes", "What stands in the marks",
        example: "\"customer\""),
      Key(
        "pattern", "regular expression, in Perl's syntax",
        "What the group (?<secret>…) matches is masked, else the first group, else all",
        usual: "none", example: "'customer (\\d+)'"),
      Key(
        "keys", "list of names", "Keys whose values are masked", usual: "[]",
        example: "[\"customer_no\"]"),
      Key(
        "samples", "list of texts", "Texts in which the rule must find something", usual: "[]",
        example: "[\"customer 4711 came\"]"),
      Key(
        "not", "list of texts", "Texts in which it must find nothing", usual: "[]",
        example: "[\"customer service\"]"),
    ])
}
