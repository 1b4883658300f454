// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogQuery
internal import SupportBundle

/// One line on a terminal that tells how far a bundle is: rows, bytes, time left.
final class ExportProgress {
  private let terminal: any OutputSink
  private let start = ContinuousClock.now
  private var lastShown: ContinuousClock.Instant?
  private var isShown = false

  /// `nil` when nobody would see it.
  init?(_ errors: any OutputSink) {
    guard errors.isTerminal else { return nil }
    terminal = errors
  }

  /// Shows it, a few times a second.
  func show(_ progress: BundleProgress) {
    let now = ContinuousClock.now
    // What is done at once needs no line.
    guard start.duration(to: now) > .milliseconds(500),
      lastShown.map({ $0.duration(to: now) > .milliseconds(200) }) ?? true
    else { return }
    lastShown = now
    isShown = true
    var text = "\(progress.step.rawValue): \(progress.rows) of \(progress.totalRows) records"
    if progress.bytes > 0 { text += ", " + ByteCount.text(progress.bytes) }
    if let left = left(progress, now) { text += ", about \(left) s left" }
    write("\r\u{1b}[K" + text.prefix(max(20, terminal.columns - 1)))
  }

  /// Takes the line away.
  func end() { if isShown { write("\r\u{1b}[K") } }

  /// Copying, writing and checking take about the same time each.
  private func left(_ progress: BundleProgress, _ now: ContinuousClock.Instant) -> Int64? {
    guard progress.totalRows > 0 else { return nil }
    let before: Double =
      switch progress.step {
      case .copying: 0
      case .writing: 1
      case .checking: 2
      }
    let done = (before + min(1, Double(progress.rows) / Double(progress.totalRows))) / 3
    guard done > 0.02 else { return nil }
    let elapsed = start.duration(to: now)
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    return Int64((seconds / done * (1 - done)).rounded(.up))
  }

  private func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in try? terminal.write(UnsafeRawBufferPointer(bytes)) }
  }
}
