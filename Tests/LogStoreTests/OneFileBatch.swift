// SPDX-License-Identifier: Apache-2.0

import LogModel

extension RecordBatch {
  /// A batch in which a file, generation 1 of source `a`, is new.
  static func ofOneFile() -> RecordBatch {
    let batch = RecordBatch()
    batch.generations = [
      FileGeneration(
        id: 1, source: "a", path: "/a", identity: FileIdentity(device: 1, inode: 1),
        firstSeen: Timestamp(nanoseconds: 0))
    ]
    return batch
  }
}
