// SPDX-License-Identifier: Apache-2.0

package import LogModel

/// Where bundles go, and when.
package struct UploadConfiguration: Sendable {
  /// When bundles are made and sent without anybody asking.
  package enum Automatic: Hashable, Sendable {
    case off
    /// After a crash, when what came after it has been stored.
    case onCrash
    /// So many nanoseconds after the last one.
    case every(Int64)
  }

  /// The server; its address is empty when none is configured.
  package var target = UploadTarget(url: "")
  package var limits = UploadLimits()
  package var automatic = Automatic.off
  /// Nanoseconds before now that an automatic bundle reaches back, if none was sent since.
  package var automaticRange: Int64 = 3_600_000_000_000
  /// The most bytes of an automatic bundle.
  package var automaticMaxBytes: Int64 = 20_000_000
  /// Whether files go out of which no manifest says that they are redacted.
  package var allowsUnredacted = false

  /// `nil` where nothing is configured.
  package var configuredTarget: UploadTarget? {
    if target.url.isEmpty { return nil }
    var target = target
    // As KSCrash's own sink does.
    if !hasGzip { target.usesGzip = target.method == .kscrash }
    return target
  }

  /// `gzip` was said.
  var hasGzip = false

  package init() {}
}
