// SPDX-License-Identifier: Apache-2.0

/// A number with its noun: `1 record`, `2 crashes`.
///
/// - Parameter plural: where it is not the noun with an s.
func counted(_ number: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
  "\(number) " + (number == 1 ? noun : plural ?? noun + "s")
}
