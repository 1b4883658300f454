// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Writes times as RFC 3339 in UTC, without a String.
enum RFC3339 {
  /// Appends `yyyy-MM-ddTHH:mm:ss[.fffffffff]Z`, without the fraction's last zeros.
  static func append(_ time: Timestamp, to arena: ByteArena) -> ByteSlice {
    let start = arena.count
    arena.reserve(40)
    let civil = CivilTime(utc: time)
    append(civil.year, digits: 4, to: arena)
    arena.append(Byte.dash)
    append(civil.month, digits: 2, to: arena)
    arena.append(Byte.dash)
    append(civil.day, digits: 2, to: arena)
    arena.append(UInt8(ascii: "T"))
    append(civil.hour, digits: 2, to: arena)
    arena.append(Byte.colon)
    append(civil.minute, digits: 2, to: arena)
    arena.append(Byte.colon)
    append(civil.second, digits: 2, to: arena)
    if civil.nanosecond > 0 {
      arena.append(Byte.dot)
      var fraction = civil.nanosecond
      var digits = 9
      while fraction % 10 == 0 {
        fraction /= 10
        digits -= 1
      }
      append(fraction, digits: digits, to: arena)
    }
    arena.append(UInt8(ascii: "Z"))
    return ByteSlice(start: start, count: arena.count - start)
  }

  private static func append(_ value: Int, digits: Int, to arena: ByteArena) {
    var unit = 1
    for _ in 1..<digits { unit *= 10 }
    while unit > 0 {
      arena.append(UInt8(truncatingIfNeeded: value / unit % 10) + Byte.zero)
      unit /= 10
    }
  }
}
