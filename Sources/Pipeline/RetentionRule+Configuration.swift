// SPDX-License-Identifier: Apache-2.0

package import AgentConfig
package import LogStore

extension RetentionRule {
  /// The rule that a configuration comes to.
  package init(_ configuration: Configuration) {
    let retention = configuration.retention
    self.init(maxBytes: retention.maxBytes, maxAge: retention.maxAgeNanoseconds)
    maxRecords = retention.maxRecords
    crashMaxBytes = maxBytes / 100 * Int64(retention.crashPercent)
    contextBefore = retention.crashContextBefore
    contextAfter = retention.crashContextAfter
    for source in configuration.sources {
      let rule = SourceRule(
        maxBytes: source.maxBytes, maxAge: source.maxAgeNanoseconds,
        maxRecords: source.maxRecords)
      if rule != SourceRule() { sources[source.name] = rule }
    }
  }
}
