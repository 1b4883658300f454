// SPDX-License-Identifier: Apache-2.0

/// What records of one kind have in common: their text with marks for values (`FrameMark`), and the
/// keys of their attributes. The store's table `frame` has one row for it.
public struct RecordTemplate: Sendable {
  /// In the batch's arena, as `FrameTemplate` of the store writes it.
  public var text: ByteSlice
  /// Of the text.
  public var hash: UInt64
  /// The bodies are made of values, and so are in the template too.
  public var hasBody: Bool
  /// Attributes that have one value in all these records, which is in the template: a bit each,
  /// the lowest for the first attribute.
  public var constants: UInt64

  public init(text: ByteSlice, hash: UInt64, hasBody: Bool, constants: UInt64) {
    self.text = text
    self.hash = hash
    self.hasBody = hasBody
    self.constants = constants
  }
}
