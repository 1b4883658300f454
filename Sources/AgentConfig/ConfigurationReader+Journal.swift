// SPDX-License-Identifier: Apache-2.0

extension ConfigurationReader {
  mutating func readJournal(_ entries: [TOMLEntry], at position: TOMLPosition) {
    var journal = JournalConfiguration(name: "")
    for entry in entries {
      let key = "journal." + entry.key
      attempt(entry, key) { (reader, value) throws(SettingError) in
        switch entry.key {
        case "name": journal.name = try reader.ownName(value, entry)
        case "units": journal.units = try Expect.names(value)
        case "matches":
          journal.matches = try Expect.names(value)
          // What begins with a dash is a flag to journalctl, and "+" means "or".
          if let wrong = journal.matches.first(where: { !$0.contains("=") || $0.hasPrefix("-") }) {
            throw SettingError(message: "expected fields such as \"_UID=1000\", got \"\(wrong)\"")
          }
        case "directory": journal.directory = reader.absolute(try Expect.path(value))
        case "begin": journal.begin = try Expect.choice(value, of: JournalConfiguration.Begin.self)
        default: reader.unknown(entry, key: key, among: ListTable.journal.known)
        }
      }
    }
    require("name", "journal", entries, position, "a name such as name = \"journal\"")
    configuration.origins["journal[\(configuration.journals.count)]"] = origin(position)
    configuration.journals.append(journal)
  }
}
