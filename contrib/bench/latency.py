# SPDX-License-Identifier: Apache-2.0
"""How long a line takes from write() until a reader of the store sees it."""
import os
import sqlite3
import subprocess
import threading
import time


class Watch(threading.Thread):
    """Notes when rows become visible to another connection."""

    def __init__(self, store):
        super().__init__(daemon=True)
        self.store, self.seen, self.ends = store, [], threading.Event()

    def run(self):
        connection = sqlite3.connect(self.store)
        newest = 0
        while not self.ends.is_set():
            row = connection.execute("SELECT max(id) FROM record").fetchone()[0] or 0
            if row != newest:
                newest = row
                self.seen.append((time.monotonic(), row))
            time.sleep(0.0005)
        connection.close()


def write_lines(path, rate, seconds):
    """Appends lines evenly; gives when each write ended, and how many lines there were by then."""
    chunk = max(1, rate // 100)
    written, count = [], 1
    with open(path, "ab", buffering=0) as file:
        start = time.monotonic()
        while time.monotonic() - start < seconds:
            lines = b"".join(
                b"2026-03-01T08:00:00+0000 info shop: user=%d [Shop] order %d taken\n"
                % (number % 5000, number) for number in range(count, count + chunk))
            file.write(lines)
            count += chunk
            written.append((time.monotonic(), count))
            due = start + len(written) * chunk / rate
            time.sleep(max(0, due - time.monotonic()))
    return written


def delays(written, seen):
    """Milliseconds from each write to the first look at the store that had all its lines."""
    found, at = [], 0
    for moment, count in written:
        while at < len(seen) and seen[at][1] < count:
            at += 1
        if at == len(seen):
            break
        found.append((seen[at][0] - moment) * 1000)
    return sorted(found)


def measure(agent, state, logs, rate, seconds):
    """p50 and p99 in milliseconds, and the share of lines that were seen at all."""
    path, store = f"{logs}/app.log", f"{state}/logs.db"
    with open(path, "w") as file:
        file.write("2026-03-01T08:00:00+0000 info shop: user=0 [Shop] order 0 taken\n")
    process = subprocess.Popen([agent, "--state-dir", state, logs], stderr=subprocess.DEVNULL)
    try:
        while not os.path.exists(store):
            time.sleep(0.01)
        time.sleep(1)
        watch = Watch(store)
        watch.start()
        written = write_lines(path, rate, seconds)
        time.sleep(2)
        watch.ends.set()
        watch.join()
    finally:
        process.terminate()
        process.wait()
    found = delays(written, watch.seen)
    if not found:
        return None
    return found[len(found) // 2], found[len(found) * 99 // 100], len(found) / len(written)
