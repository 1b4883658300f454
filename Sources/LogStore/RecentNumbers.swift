// SPDX-License-Identifier: Apache-2.0

/// A few numbers, the one that was used last first.
struct RecentNumbers {
  private var numbers: [Int] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var count: Int { numbers.count }
  subscript(index: Int) -> Int { numbers[index] }

  mutating func removeAll() { numbers.removeAll(keepingCapacity: true) }

  /// Puts a number first; when there are too many, the last one goes.
  mutating func put(_ number: Int) {
    if let index = numbers.firstIndex(of: number) { return putFirst(index) }
    if numbers.count == limit { numbers.removeLast() }
    numbers.insert(number, at: 0)
  }

  mutating func putFirst(_ index: Int) {
    if index > 0 { numbers.insert(numbers.remove(at: index), at: 0) }
  }
}
