// SPDX-License-Identifier: Apache-2.0

/// What a format gives beside the body: taken from its samples, so that it is true.
package struct FormatMapping: Sendable {
  /// Columns that a sample fills, in the order of the `logs` view.
  package private(set) var columns: [String] = []
  /// Attributes that a sample has, in alphabetical order.
  package private(set) var attributes: [String] = []

  init(_ samples: [FormatSample]) {
    let filled: [(String, (FormatSample) -> Bool)] = [
      ("time", { $0.time != nil }), ("severity", { $0.severity > 0 }),
      ("process", { !$0.process.isEmpty }), ("pid", { $0.pid >= 0 }),
      ("thread", { $0.thread >= 0 }), ("logger", { !$0.scope.isEmpty }),
    ]
    columns = filled.filter { samples.contains(where: $0.1) }.map(\.0)
    var names: Set<String> = []
    for sample in samples {
      JSONTree(Array(sample.attributes.utf8)).root?.keys.forEach { names.insert($0) }
    }
    attributes = names.sorted()
  }
}

extension FormatRegistry {
  /// What the format with that name gives beside the body.
  package static func mapping(of name: String) -> FormatMapping { FormatMapping(samples(of: name)) }
}
