# SPDX-License-Identifier: Apache-2.0
"""Runs programs and says what they took."""
import os
import resource
import signal
import statistics
import subprocess
import time


class Cost:
    """Seconds, kilobytes, and bytes on disk."""

    def __init__(self, wall, cpu, rss=0, disk=0, output=""):
        self.wall, self.cpu, self.rss, self.disk, self.output = wall, cpu, rss, disk, output


def run(words, until=None, limit=120, disk=lambda: 0, **options):
    """Runs a program to its end, or until `until()` holds and then ends it by SIGTERM."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.DEVNULL)
    options.setdefault("stdin", subprocess.DEVNULL)
    start = time.monotonic()
    process = subprocess.Popen(words, **options)
    wall = None
    if until:
        while time.monotonic() - start < limit and process.poll() is None:
            if until():
                wall = time.monotonic() - start
                break
            time.sleep(0.005)
        process.send_signal(signal.SIGTERM)
    output = process.stdout.read() if process.stdout else b""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    wall = wall or time.monotonic() - start
    if until is None and os.waitstatus_to_exitcode(status) not in (0, 1):
        raise RuntimeError(f"{words[0]} ended with {os.waitstatus_to_exitcode(status)}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, disk(),
                output.decode("utf-8", "replace"))


def median(rounds, measure):
    """The medians of several measurements."""
    costs = [measure() for _ in range(rounds)]
    return Cost(*(statistics.median(getattr(c, field) for c in costs)
                  for field in ("wall", "cpu", "rss", "disk")), output=costs[-1].output)


def folder_bytes(path):
    """Bytes of all files below a folder."""
    return sum(os.path.getsize(os.path.join(folder, name))
               for folder, _, names in os.walk(path) for name in names)


def lines_of(path):
    """How many lines a growing file has, counted from where the last call stopped."""
    state = {"at": 0, "lines": 0}

    def count():
        try:
            with open(path, "rb") as file:
                file.seek(state["at"])
                while chunk := file.read(1 << 20):
                    state["at"] += len(chunk)
                    state["lines"] += chunk.count(b"\n")
        except FileNotFoundError:
            pass
        return state["lines"]
    return count


def rest_of(pid, seconds):
    """What a process takes while it rests: PSS and private dirty KiB, CPU ms, wake-ups a second."""
    def ticks():
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

    def run_time():
        total = 0
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/schedstat") as file:
                total += int(file.read().split()[0])
        return total / 1e6

    def wakes():
        total = 0
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/status") as file:
                total += sum(int(line.split()[1]) for line in file
                             if line.startswith("voluntary_ctxt"))
        return total

    cpu, woken = run_time(), wakes()
    time.sleep(seconds)
    cpu, woken = run_time() - cpu, wakes() - woken
    memory = {}
    with open(f"/proc/{pid}/smaps_rollup") as file:
        for line in file:
            name, *rest = line.split()
            if rest and rest[0].isdigit():
                memory[name.rstrip(":")] = int(rest[0])
    return memory.get("Pss", 0), memory.get("Private_Dirty", 0), cpu, woken / seconds


resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
