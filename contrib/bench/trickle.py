#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes 100 lines a second, spread over the files of a folder.

usage: trickle.py FOLDER SECONDS
"""
import glob
import sys
import time


def main():
    files = [open(path, "a", buffering=1) for path in sorted(glob.glob(f"{sys.argv[1]}/*.log"))]
    end = time.monotonic() + float(sys.argv[2])
    number = 0
    while time.monotonic() < end:
        files[number % len(files)].write(
            f"2026-03-01T08:00:00+0000 info shop: [Shop] line {number}\n")
        number += 1
        time.sleep(0.01)


if __name__ == "__main__":
    main()
