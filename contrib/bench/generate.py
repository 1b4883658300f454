#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the benchmark's inputs: the same bytes for the same number of lines, every time.

usage: generate.py LINES FOLDER
"""
import datetime
import json
import os
import random
import sys

WORDS = ("order item cart user session token cache query request response payment worker timeout "
         "retry commit page index batch queue event").split()
LEVELS = ["info", "debug", "notice", "warning", "error"]
AGENTS = ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "curl/8.5.0",
          "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15"]


def rows(lines, seed):
    """Per line: a random source, a time that goes on, a level, a text."""
    chance = random.Random(seed)
    time = datetime.datetime(2026, 3, 1, 8, tzinfo=datetime.timezone.utc)
    for number in range(lines):
        time += datetime.timedelta(milliseconds=chance.randint(0, 50))
        level = chance.choices(LEVELS, [70, 15, 8, 5, 2])[0]
        text = " ".join(chance.choices(WORDS, k=chance.randint(4, 9)))
        yield chance, time, level, text, number


def swift_log(c, t, level, text, _):
    return (f"{t:%Y-%m-%dT%H:%M:%S}+0000 {level} com.example.shop: "
            f"request-id={c.getrandbits(40):010x} user={c.randint(1, 9999)} [Shop] {text}\n")


def nginx(c, t, _level, text, _):
    status = c.choices([200, 304, 404, 500], [90, 4, 5, 1])[0]
    return (f"10.{c.randint(0, 3)}.{c.randint(0, 255)}.{c.randint(1, 254)} - - "
            f"[{t:%d/%b/%Y:%H:%M:%S} +0000] \"GET /{text.replace(' ', '/')} HTTP/1.1\" {status} "
            f"{c.randint(100, 99999)} \"-\" \"{c.choice(AGENTS)}\"\n")


def json_lines(c, t, level, text, _):
    return json.dumps({
        "timestamp": f"{t:%Y-%m-%dT%H:%M:%S}.{t.microsecond // 1000:03d}Z", "level": level,
        "message": text, "logger": "com.example.shop", "request_id": f"{c.getrandbits(40):010x}",
        "user": c.randint(1, 9999), "duration_ms": c.randint(1, 900)}) + "\n"


def syslog(c, t, level, text, _):
    return f"{t:%b} {t.day:2d} {t:%H:%M:%S} web1 shop[{c.randint(300, 310)}]: {level}: {text}\n"


def log4j(c, t, level, text, number):
    line = (f"{t:%Y-%m-%d %H:%M:%S},{t.microsecond // 1000:03d} {level.upper():5} "
            f"[worker-{c.randint(1, 8)}] com.example.shop.Cart - {text}\n")
    if number % 50 == 0:
        line += (f"java.lang.IllegalStateException: {text}\n"
                 "\tat com.example.shop.Cart.add(Cart.java:71)\n"
                 "\tat com.example.shop.Main.main(Main.java:12)\n")
    return line


KINDS = {"swift-log": swift_log, "nginx": nginx, "json": json_lines, "syslog": syslog,
         "log4j": log4j}


def main():
    lines, folder = int(sys.argv[1]), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    for seed, (name, make) in enumerate(KINDS.items()):
        path = f"{folder}/{name}-{lines}.log"
        if os.path.exists(path):
            continue
        with open(path + ".new", "w") as file:
            file.writelines(make(*row) for row in rows(lines, seed))
        os.rename(path + ".new", path)


if __name__ == "__main__":
    main()
