#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures and prints the table; called by run.sh."""
import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import time

import latency
import peers
from process import Cost, folder_bytes, lines_of, median, rest_of, run

HERE = os.path.dirname(os.path.abspath(__file__))


class Bench:
    def __init__(self, options):
        self.options = options
        self.work = os.path.abspath(options.work)
        self.programs = os.path.abspath(options.programs)
        self.agent = f"{self.programs}/logagent"

    def input(self, kind):
        return f"{self.work}/{kind}-{self.options.lines}.log"

    def fresh(self, name):
        folder = f"{self.work}/{name}"
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        return folder

    def wants(self, *words):
        return not self.options.only or any(self.options.only in word for word in words)

    def repeat(self, measure):
        return median(self.options.rounds, measure)

    # Printing

    def heading(self, text, columns):
        print(f"\n{text}\n{'':34}" + "".join(f"{c:>12}" for c in columns), flush=True)

    def row(self, name, *cells):
        print(f"  {name:32}" + "".join(f"{c:>12}" for c in cells), flush=True)

    def cost(self, name, cost, size, base=None):
        def ratio(value, of):
            return f"{value / of:.2f}" if of else "-"
        self.row(name, f"{cost.wall:.2f}", f"{cost.cpu:.2f}", f"{cost.rss // 1024}",
                 f"{cost.disk / size:.2f}" if cost.disk else "-",
                 ratio(cost.wall, base.wall) if base else "1.00",
                 ratio(cost.cpu, base.cpu) if base else "1.00")

    # Rows

    def import_(self, kind):
        def once():
            state = self.fresh("state")
            return run([self.agent, "import", "--state-dir", state, self.input(kind)],
                       disk=lambda: folder_bytes(state))
        return self.repeat(once)

    def pipeline(self, kind):
        def once():
            state = self.fresh("c")
            run([self.agent, "import", "--state-dir", state, self.fresh("empty")])
            return run([f"{self.work}/pipeline", kind, f"{state}/logs.db", self.input(kind)],
                       disk=lambda: folder_bytes(state))
        return self.repeat(once)

    def insert(self):
        """The bound of the rows of the last import."""
        def once():
            folder = self.fresh("c")
            cost = run([f"{self.work}/insert", f"{self.work}/state/logs.db", f"{folder}/logs.db"],
                       disk=lambda: folder_bytes(folder))
            wall, cpu = (float(word) for word in cost.output.split())
            return Cost(wall, cpu, 0, cost.disk)
        return self.repeat(once)

    def peer(self, make):
        def once():
            folder = self.fresh("peer")
            words = make(folder, f"{folder}/out")
            count = lines_of(f"{folder}/out")
            # The last of it may lie in a buffer until the program is told to end.
            return run(words, until=lambda: count() >= self.options.lines * 0.995,
                       disk=lambda: os.path.getsize(f"{folder}/out"))
        if make(self.fresh("peer"), "out") is None:
            return None
        return self.repeat(once)

    def imports(self):
        for kind in ("swift-log", "nginx", "json", "syslog", "log4j"):
            if not self.wants("import", kind):
                continue
            size = os.path.getsize(self.input(kind))
            self.heading(
                f"import, {kind}: {self.options.lines} lines of {size // self.options.lines} bytes",
                ["wall s", "CPU s", "RSS MB", "disk/byte", "wall ratio", "CPU ratio"])
            ours = self.import_(kind)
            self.cost("logagent import", ours, size)
            self.cost("C: insert these rows (bound)", self.insert(), size, ours)
            scan = self.repeat(lambda k=kind: run([f"{self.work}/scan", self.input(k)]))
            self.cost("C: find the lines (bound)", scan, size, ours)
            if kind in ("swift-log", "nginx"):
                self.cost("C: whole pipeline, one thread", self.pipeline(kind), size, ours)
            if kind in ("swift-log", "nginx", "json"):
                log = self.input(kind)
                for name, make in (
                        ("rsyslog, file to file", lambda f, o: peers.rsyslog(f, kind, log, o)),
                        ("syslog-ng, file to file",
                         lambda f, o: peers.syslog_ng(self.work, f, kind, log, o))):
                    cost = self.peer(make)
                    if cost:
                        self.cost(name, cost, size, ours)
                    else:
                        self.row(name, "not here")
            if shutil.which("lnav"):
                lnav = self.repeat(lambda k=kind: run(
                    ["lnav", "-n", "-c", ";SELECT count(*) FROM all_logs", self.input(k)],
                    env={**os.environ, "HOME": self.fresh("lnav"), "TERM": "dumb"}))
                self.cost("lnav, headless, nothing kept", lnav, size, ours)
            else:
                self.row("lnav", "not here")

    def questions(self):
        """On the store of a swift-log import."""
        if not self.wants("question"):
            return
        state = self.fresh("asked")
        log = self.input("swift-log")
        run([self.agent, "import", "--state-dir", state, log])
        connection = sqlite3.connect(f"{state}/logs.db")
        rare = connection.execute(
            "SELECT attributes ->> '$.\"request-id\"' FROM logs WHERE id = ?",
            (self.options.lines // 2,)).fetchone()[0]
        hour = connection.execute(
            "SELECT max(time_unix_nano) / 3600000000000 * 3600000000000 FROM histogram"
        ).fetchone()[0]
        connection.close()
        self.heading(f"questions to {self.options.lines} swift-log records",
                     ["wall ms", "CPU ms", "peer ms", "of it"])

        def ask(name, words, peer=None):
            ours = self.repeat(lambda: run([self.agent, *words, "--state-dir", state]))
            theirs = self.repeat(lambda: run(peer)) if peer and shutil.which(peer[0]) else None
            self.row(name, f"{ours.wall * 1000:.1f}", f"{ours.cpu * 1000:.1f}",
                     f"{theirs.wall * 1000:.1f}" if theirs else "-",
                     f"{ours.wall / theirs.wall:.2f}" if theirs else "-")
        ask("start of the program", ["query", "SELECT 1"])
        ask("newest 100 errors", ["query", "SELECT time, body FROM logs WHERE severity_number >= 17"
                                  " ORDER BY time_unix_nano DESC LIMIT 100"])
        ask("an hour by severity (roll-up)", [
            "query", "SELECT severity, sum(records) FROM histogram WHERE time_unix_nano >= "
            f"{hour} AND time_unix_nano < {hour + 3600 * 10**9} GROUP BY 1"])
        ask("a rare word; peer: ripgrep", ["show", "--grep", rare], ["rg", "-c", rare, log])
        ask("a rare word; peer: sqlite3 LIKE", ["show", "--grep", rare], [
            "sqlite3", f"{state}/logs.db", f"SELECT id FROM logs WHERE original LIKE '%{rare}%'"])
        # Too short for a filter: every record is looked at.
        ask("a short substring; peer: LIKE", ["show", "--grep", "zq7"], [
            "sqlite3", f"{state}/logs.db", "SELECT id FROM logs WHERE original LIKE '%zq7%'"])
        ask("LIKE by query; peer: sqlite3", [
            "query", "SELECT count(*) FROM logs WHERE original LIKE '%zq7%'"], [
            "sqlite3", f"{state}/logs.db",
            "SELECT count(*) FROM logs WHERE original LIKE '%zq7%'"])
        if shutil.which("lnav"):
            ask("errors counted; peer: lnav", [
                "query", "SELECT count(*) FROM logs WHERE severity_number >= 17"], [
                "lnav", "-n", "-c", ";SELECT count(*) FROM all_logs WHERE log_level='error'", log])

    def resting(self):
        if not self.wants("idle", "trickle"):
            return
        seconds = self.options.rest
        self.heading(f"50 files, {seconds} s", ["PSS KiB", "dirty KiB", "CPU ms", "wakes/s"])
        logs = self.fresh("logs")
        for number in range(50):
            with open(f"{logs}/app-{number}.log", "w") as file:
                file.write("2026-03-01T08:00:00+0000 info shop: [Shop] hello\n")

        def rest(name, words, folder, trickle):
            process = subprocess.Popen(words, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            # Until memory is given back, half a minute after the last line.
            time.sleep(3 if trickle else 35)
            writer = None
            if trickle:
                writer = subprocess.Popen([sys.executable, f"{HERE}/trickle.py", logs,
                                           str(seconds)])
            pss, dirty, cpu, wakes = rest_of(process.pid, seconds)
            if writer:
                writer.wait()
            process.terminate()
            process.wait()
            self.row(name, pss, dirty, f"{cpu:.0f}", f"{wakes:.1f}")
        for trickle in (False, True):
            word = "trickle, 100 lines/s" if trickle else "idle"
            state = self.fresh("state")
            rest(f"logagentd, {word}", [f"{self.programs}/logagentd", "--state-dir", state, logs],
                 state, trickle)
            folder = self.fresh("peer")
            words = peers.rsyslog_idle(folder, logs, f"{folder}/out")
            if words:
                rest(f"rsyslog, {word}", words, folder, trickle)

    def export(self):
        """Beside gzip on the very lines of the bundle, and sos on the same file."""
        if not self.wants("export"):
            return
        state = self.fresh("asked")
        log = self.input("swift-log")
        run([self.agent, "import", "--state-dir", state, log])
        bundle = f"{self.work}/bundle.tar.gz"
        words = [self.agent, "export", "--state-dir", state, "--since", "@0", "-o", bundle]
        run(words)
        subprocess.run(["tar", "-xzf", bundle, "-C", self.work, "logs.jsonl"], check=True)
        lines = f"{self.work}/logs.jsonl"
        size = os.path.getsize(lines)
        self.heading(f"export of {self.options.lines} records, redacted; as JSON lines "
                     f"{size >> 20} MiB", ["wall s", "CPU s", "RSS MB", "MB written", "MB/CPU s",
                                           "of gzip -1"])
        fast = self.repeat(lambda: run(["gzip", "-1", "-k", "-f", lines]))
        small = self.repeat(lambda: run(["gzip", "-6", "-k", "-f", lines]))

        def row(name, cost, written):
            self.row(name, f"{cost.wall:.2f}", f"{cost.cpu:.2f}", cost.rss // 1024,
                     f"{written / 1e6:.1f}", f"{size / 1e6 / cost.cpu:.0f}",
                     f"{fast.cpu / cost.cpu:.2f}")
        row("logagent export", self.repeat(lambda: run(words)), os.path.getsize(bundle))
        row("gzip -6 of its lines", small, os.path.getsize(lines + ".gz"))
        run(["gzip", "-1", "-k", "-f", lines])
        row("gzip -1 of its lines", fast, os.path.getsize(lines + ".gz"))
        if not peers.can_run_sos():
            print("  sos report: skipped, as it is not installed, or needs root")
            return
        for what, file in (("the log", log), ("its lines", lines)):
            folder = self.fresh("sos")
            cost = self.repeat(lambda: run(peers.sos(folder, file)))
            written = sum(os.path.getsize(f"{folder}/out/{name}")
                          for name in os.listdir(f"{folder}/out") if name.endswith(".gz"))
            self.row(f"sos report -z gzip of {what}", f"{cost.wall:.2f}", f"{cost.cpu:.2f}",
                     cost.rss // 1024, f"{written / 1e6:.1f}", "-", "-")

    def start_up(self):
        if not self.wants("start"):
            return
        self.heading("start with checkpointed files, to the first new row committed",
                     ["wall ms", "descriptors"])
        for count in (100, 5000):
            logs, state = self.fresh("logs"), self.fresh("state")
            for number in range(count):
                with open(f"{logs}/app-{number}.log", "w") as file:
                    file.write("2026-03-01T08:00:00+0000 info shop: [Shop] hello\n")
            run([self.agent, "import", "--state-dir", state, logs])
            with open(f"{logs}/app-{count // 2}.log", "a") as file:
                file.write("2026-03-01T08:00:01+0000 info shop: [Shop] new\n")
            connection = sqlite3.connect(f"{state}/logs.db")
            start = time.monotonic()
            process = subprocess.Popen(
                [f"{self.programs}/logagentd", "--state-dir", state, logs],
                stderr=subprocess.DEVNULL)
            while connection.execute("SELECT count(*) FROM record").fetchone()[0] <= count:
                time.sleep(0.001)
                if time.monotonic() - start > 60:
                    break
            wall = time.monotonic() - start
            descriptors = len(os.listdir(f"/proc/{process.pid}/fd"))
            process.terminate()
            process.wait()
            self.row(f"{count} files", f"{wall * 1000:.0f}", descriptors)

    def latencies(self):
        """Half of the greatest rate is taken from an import of swift-log lines."""
        if not self.wants("latency"):
            return
        fastest = self.options.lines / self.import_("swift-log").wall
        self.heading("from write() to a row that a reader sees", ["p50 ms", "p99 ms", "seen"])
        for rate, seconds in ((20, 30), (int(fastest / 2), 20)):
            found = latency.measure(f"{self.programs}/logagentd", self.fresh("state"),
                                    self.fresh("logs"), rate, seconds)
            cells = [f"{cell:.1f}" for cell in found[:2]] + [f"{found[2]:.2f}"] if found else ["-"]
            self.row(f"{rate} lines a second", *cells)

    def steady(self):
        """Memory while ten times as many lines are imported as in the other rows."""
        if not self.wants("steady"):
            return
        state = self.fresh("state")
        log = f"{self.work}/long.log"
        with open(log, "wb") as file:
            for _ in range(10):
                with open(self.input("swift-log"), "rb") as source:
                    shutil.copyfileobj(source, file, 1 << 20)
        self.heading(f"import of {10 * self.options.lines} swift-log lines", ["wall s", "RSS MB"])
        cost = run([self.agent, "import", "--state-dir", state, log], limit=600)
        os.remove(log)
        self.row("logagent import", f"{cost.wall:.1f}", cost.rss // 1024)

    def parts(self):
        """What logagent-bench measures by itself."""
        for name, heading in (("parse", "parsing alone, one core"),
                              ("prune", "pruning a tenth of five million rows")):
            if self.wants(name):
                print(f"\n{heading}", flush=True)
                if name == "parse":
                    self.parse_inputs()
                subprocess.run([f"{self.programs}/logagent-bench", name], check=False)

    def parse_inputs(self):
        """The inputs of the imports, and two of them by C, which checks nothing."""
        files = [self.input(kind) for kind in ("swift-log", "nginx", "json", "syslog", "log4j")]
        subprocess.run([f"{self.programs}/logagent-bench", "parse-files", *files], check=False)
        for kind in ("swift-log", "nginx"):
            print(f"C, {kind}: ", end="", flush=True)
            subprocess.run([f"{self.work}/pipeline", kind, "-", self.input(kind)], check=False)


def versions():
    print("versions:", end="")
    for words in (["logagent", "--version"], ["rsyslogd", "-v"], ["lnav", "-V"], ["rg", "--version"],
                  ["sqlite3", "--version"], ["gcc", "-dumpversion"],
                  ["dpkg-query", "-W", "sosreport"]):
        program = shutil.which(words[0])
        if program:
            text = subprocess.run([program, *words[1:]], capture_output=True, text=True, check=False)
            lines = text.stdout.strip().splitlines() or ["?"]
            name = "" if words[0] == "dpkg-query" else f"{words[0]} "
            print(f" {name}{' '.join(lines[0].split()[:3])};", end="")
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":", 1)[1].strip() for line in file if "model name" in line), "?")
    print(f" {os.cpu_count()} x {model}; sqlite in python {sqlite3.sqlite_version}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rest", type=int, default=60)
    parser.add_argument("--only")
    parser.add_argument("--no-install", action="store_true")
    bench = Bench(parser.parse_args())
    versions()
    subprocess.run([sys.executable, f"{HERE}/generate.py", str(bench.options.lines), bench.work],
                   check=True)
    bench.imports()
    bench.questions()
    bench.export()
    bench.start_up()
    bench.latencies()
    bench.steady()
    bench.resting()
    bench.parts()


if __name__ == "__main__":
    main()
