#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A server that does what its script says, and tells what it got.

failing.py [--cert PEM --key PEM] STEP…      prints its port, then one JSON object for each request.
Each request takes the next step; the last one is used again. A step is words joined by colons:

  STATUS[:NAME=VALUE…]  reads the body and answers; a value may hold {port} and {other}
  cut:N                 reads N bytes of the body and breaks the connection
  short                 answers 200 with fewer bytes than it promises
  early                 answers 201 and closes before it has read the body
  slow                  reads the body and never answers
  tus:N, range:N        speaks the protocol, and breaks the connection once after N bytes (0: never)
  keep:N                for range: forgets all but the first N bytes at the next request
"""
import argparse
import hashlib
import http.server
import json
import re
import ssl
import sys
import threading
import time

STATE = {"data": b"", "cut": None, "total": None, "requests": 0}
LOCK = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def step(self):
        with LOCK:
            words = ARGUMENTS.steps[min(STATE["requests"], len(ARGUMENTS.steps) - 1)].split(":")
            STATE["requests"] += 1
        self.body = b""
        try:
            getattr(self, "do_step_" + words[0], self.status)(words)
        except (ConnectionError, OSError):
            pass
        self.tell()

    do_PUT = do_POST = do_PATCH = do_GET = do_HEAD = step

    def tell(self):
        line = json.dumps({
            "method": self.command, "path": self.path, "at": time.monotonic(),
            "headers": {k.lower(): v for k, v in self.headers.items()}, "size": len(self.body),
            "sha256": hashlib.sha256(self.body).hexdigest(),
            # Of forms only: who reads these lines may come late, and a pipe is soon full.
            "text": self.body[:1500].decode("latin-1")
            if "form-data" in self.headers.get("Content-Type", "") else "",
            "stored": hashlib.sha256(STATE["data"]).hexdigest()})
        with LOCK:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()

    def read(self, limit=None):
        left = int(self.headers.get("Content-Length", 0))
        left = left if limit is None else min(left, limit)
        while left > 0:
            piece = self.rfile.read(min(left, 65536))
            if not piece:
                break
            self.body += piece
            left -= len(piece)

    def answer(self, status, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def cut(self):
        self.close_connection = True
        self.connection.close()

    def status(self, words):
        self.read()
        port = str(self.server.server_address[1])
        headers = [w.replace("{port}", port).replace("{colon}", ":").split("=", 1) for w in words[1:]]
        self.answer(int(words[0]), headers)

    def do_step_cut(self, words):
        self.read(int(words[1]))
        self.cut()

    def do_step_short(self, words):
        self.read()
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this")
        self.wfile.flush()
        self.cut()

    def do_step_early(self, words):
        self.wfile.write(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        self.wfile.flush()
        self.cut()

    def do_step_slow(self, words):
        self.read()
        time.sleep(60)

    def limit(self, words):
        if STATE["cut"] is None:
            STATE["cut"] = int(words[1])
        limit, STATE["cut"] = STATE["cut"], 0
        return limit or None

    def do_step_tus(self, words):
        done = [("Tus-Resumable", "1.0.0"), ("Upload-Offset", str(len(STATE["data"])))]
        if self.headers.get("Tus-Resumable") != "1.0.0":
            return self.answer(412)
        if self.command == "POST":
            STATE["total"] = int(self.headers["Upload-Length"])
            return self.answer(201, [("Location", "/files/1"), ("Tus-Resumable", "1.0.0")])
        if self.path != "/files/1" or STATE["total"] is None:
            return self.answer(404)
        if self.command == "HEAD":
            return self.answer(200, done)
        if int(self.headers["Upload-Offset"]) != len(STATE["data"]):
            return self.answer(409)
        limit = self.limit(words)
        self.read(limit)
        STATE["data"] += self.body
        if limit is not None:
            return self.cut()
        self.answer(204, [done[0], ("Upload-Offset", str(len(STATE["data"])))])

    def do_step_keep(self, words):
        STATE["data"] = STATE["data"][:int(words[1])]
        self.do_step_range(["range", "0"])

    def do_step_range(self, words):
        given = self.headers.get("Content-Range", "")
        has = [("Range", "bytes=0-%d" % (len(STATE["data"]) - 1))] if STATE["data"] else []
        match = re.fullmatch(r"bytes (?:(\d+)-(\d+)|\*)/(\d+)", given)
        if match and match[1] is None:
            complete = STATE["total"] is not None and len(STATE["data"]) == STATE["total"]
            return self.answer(201) if complete else self.answer(308, has)
        start = int(match[1]) if match else 0
        STATE["total"] = int(match[3]) if match else int(self.headers["Content-Length"])
        limit = self.limit(words)
        self.read(limit)
        if start > len(STATE["data"]):
            return self.answer(308, has)
        STATE["data"] = STATE["data"][:start] + self.body
        if limit is not None:
            return self.cut()
        if len(STATE["data"]) == STATE["total"]:
            return self.answer(201)
        self.answer(308, [("Range", "bytes=0-%d" % (len(STATE["data"]) - 1))])


parser = argparse.ArgumentParser()
parser.add_argument("--cert")
parser.add_argument("--key")
parser.add_argument("steps", nargs="+")
ARGUMENTS = parser.parse_args()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if ARGUMENTS.cert:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(ARGUMENTS.cert, ARGUMENTS.key)
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False)
    server.handle_error = lambda *_: None
print(server.server_address[1], flush=True)
# Ends with the test that holds the other end of standard input.
threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
server.serve_forever()
