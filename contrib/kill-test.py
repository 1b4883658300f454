# SPDX-License-Identifier: Apache-2.0
"""Called by kill-test.sh: writes, rotates, kills, compares."""
import collections
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

agent, total, kills = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
work = tempfile.mkdtemp(prefix="logagent-kill-")
logs, state = work + "/logs", work + "/state"
os.mkdir(logs)
seed = int.from_bytes(os.urandom(4), "big")
rotations = 0


def rotate():
    global rotations
    rotations += 1
    for n in range(60, 0, -1):
        if os.path.exists("%s/app.log.%d" % (logs, n)):
            os.rename("%s/app.log.%d" % (logs, n), "%s/app.log.%d" % (logs, n + 1))
    os.rename(logs + "/app.log", logs + "/app.log.1")


def write():
    chance = random.Random(seed)
    out, n = open(logs + "/app.log", "ab", buffering=0), 0
    while n < total:
        lines = b""
        for _ in range(min(chance.randint(1, 400), total - n)):
            n += 1
            lines += b"2025-03-01T10:00:00.%06dZ INFO n=%d\n" % (n % 1000000, n)
            if n % 7 == 0:
                lines += b"  more of %d\n" % n
        out.write(lines)
        if chance.random() < 0.02:
            rotate()
            out.close()
            out = open(logs + "/app.log", "ab", buffering=0)
        time.sleep(0.003)
    out.close()


writer = threading.Thread(target=write)
writer.start()
done = 0
while writer.is_alive() or done < kills:
    child = subprocess.Popen([agent, "--state-dir", state, logs], stderr=subprocess.DEVNULL)
    time.sleep(random.uniform(0.05, 0.6))
    child.kill()
    child.wait()
    done += 1
child = subprocess.Popen([agent, "--state-dir", state, logs], stderr=subprocess.DEVNULL)
store, before = None, None
while True:
    time.sleep(1)
    store = sqlite3.connect(state + "/logs.db")
    bodies = [row[0] for row in store.execute("SELECT body FROM record ORDER BY id")]
    if len(bodies) == before:
        break
    before = len(bodies)
child.terminate()
status = child.wait()

numbers = [int(body.split("n=")[1].split()[0]) for body in bodies]
counts = collections.Counter(numbers)
lost = total - len(counts)
doubled = sum(count - 1 for count in counts.values())
torn = sum((n % 7 == 0) != ("\n" in body) for n, body in zip(numbers, bodies))
sound = store.execute("PRAGMA integrity_check").fetchone()[0]
print("kills %d  rotations %d  seed %d" % (done, rotations, seed))
print("lines written %d  stored %d  lost %d  doubled %d  torn %d  in order %s  store %s" % (
    total, len(counts), lost, doubled, torn, numbers == sorted(numbers), sound))
good = not (lost or doubled or torn or status) and numbers == sorted(numbers) and sound == "ok"
if good:
    shutil.rmtree(work)
else:
    print("FAILED; kept: " + work)
sys.exit(0 if good else 1)
