// SPDX-License-Identifier: Apache-2.0

/// Bytes that stand for values in the text of a frame (the store's table `frame`). They are part of
/// the store's schema. A text that has a control character itself, but a tab, has no frame.
public enum FrameMark {
  /// `HH:MM:SS` of the record's time, in the frame's zone.
  public static let time: UInt8 = 2
  /// `YYYY-MM-DD` of it.
  public static let date: UInt8 = 3
  /// As many digits of the second's fraction as the frame says.
  public static let fraction: UInt8 = 4
  public static let pid: UInt8 = 5
  public static let thread: UInt8 = 6
  /// The first of `valueCount`: the value of the first attribute, without its quotes.
  public static let value: UInt8 = 16
  /// The first attributes, which alone can have a place.
  public static let valueCount = 16
}
