# SPDX-License-Identifier: Apache-2.0
"""The peers' configurations: each reads one file, parses it, and writes one file of JSON lines."""
import glob
import os
import shutil

NORMALIZE = {
    "swift-log": "rule=:%time:word% %level:word% %logger:char-to:\\x3a%: %msg:rest%\n",
    "nginx": ('rule=:%ip:word% %ident:word% %user:word% [%time:char-to:]%] "%method:word% '
              '%path:word% %protocol:char-to:"%" %status:word% %bytes:word% "%referrer:char-to:"%" '
              '"%agent:char-to:"%"\n'),
}

PATTERNS = {
    "swift-log": r"^(?<time>\\S+) (?<level>\\w+) (?<logger>[^:]+): (?<msg>.*)$",
    "nginx": (r'^(?<ip>\\S+) (?<ident>\\S+) (?<user>\\S+) \\[(?<time>[^]]+)\\] '
              r'\"(?<method>\\S+) (?<path>\\S+) (?<protocol>[^\"]+)\" (?<status>\\d+) '
              r'(?<bytes>\\d+) \"(?<referrer>[^\"]*)\" \"(?<agent>[^\"]*)\"'),
}


def rsyslog(folder, kind, log, out):
    """The command line of rsyslogd; None where it is missing."""
    program = shutil.which("rsyslogd") or "/usr/sbin/rsyslogd"
    if not os.path.exists(program):
        return None
    if kind == "json":
        module, action = "mmjsonparse", 'action(type="mmjsonparse" cookie="")'
    else:
        with open(f"{folder}/{kind}.rulebase", "w") as file:
            file.write("version=2\n" + NORMALIZE[kind])
        module = "mmnormalize"
        action = f'action(type="mmnormalize" rulebase="{folder}/{kind}.rulebase")'
    with open(f"{folder}/rsyslog.conf", "w") as file:
        file.write(f"""global(workDirectory="{folder}" maxMessageSize="64k")
module(load="imfile" mode="inotify")
module(load="{module}")
template(name="json" type="string" string="%$!%\\n")
ruleset(name="bench") {{
  {action}
  action(type="omfile" file="{out}" template="json" ioBufferSize="64k" flushOnTXEnd="off")
}}
input(type="imfile" file="{log}" tag="bench:" ruleset="bench" reopenOnTruncate="off")
""")
    return [program, "-n", "-f", f"{folder}/rsyslog.conf", "-i", f"{folder}/rsyslog.pid"]


def rsyslog_idle(folder, logs, out):
    """The same, for all files of a folder, without parsing."""
    program = shutil.which("rsyslogd") or "/usr/sbin/rsyslogd"
    if not os.path.exists(program):
        return None
    with open(f"{folder}/rsyslog.conf", "w") as file:
        file.write(f"""global(workDirectory="{folder}")
module(load="imfile" mode="inotify")
ruleset(name="bench") {{ action(type="omfile" file="{out}") }}
input(type="imfile" file="{logs}/*.log" tag="bench:" ruleset="bench")
""")
    return [program, "-n", "-f", f"{folder}/rsyslog.conf", "-i", f"{folder}/rsyslog.pid"]


def syslog_ng(work, folder, kind, log, out):
    """The command line of syslog-ng, unpacked below the work folder; None where it is missing."""
    root = os.path.abspath(f"{work}/syslog-ng")
    program = f"{root}/usr/sbin/syslog-ng"
    if not os.path.exists(program):
        return None
    modules = os.path.dirname(glob.glob(f"{root}/usr/lib/syslog-ng/*/libaffile.so")[0])
    if kind == "json":
        parser = "json-parser(prefix(\"f.\"));"
    else:
        parser = f'regexp-parser(patterns("{PATTERNS[kind]}") prefix("f."));'
    with open(f"{folder}/syslog-ng.conf", "w") as file:
        file.write(f"""@version: 3.38
options {{ stats-freq(0); log-fifo-size(100000); }};
source s {{ file("{log}" flags(no-parse) follow-freq(0.1) log-fetch-limit(1000)
  log-iw-size(10000)); }};
parser p {{ {parser} }};
destination d {{ file("{out}" template("$(format-json --key f.*)\\n")); }};
log {{ source(s); parser(p); destination(d); }};
""")
    words = [program, "-F", "--no-caps", "-f", f"{folder}/syslog-ng.conf",
             "--module-path", modules,
             "-R", f"{folder}/ng.persist", "-p", f"{folder}/ng.pid", "-c", f"{folder}/ng.ctl"]
    libraries = glob.glob(f"{root}/usr/lib/syslog-ng") + [modules]
    return ["env", "LD_LIBRARY_PATH=" + ":".join(libraries)] + words


def can_run_sos():
    """Whether `sos report` is here and lets us: it wants root."""
    return shutil.which("sos") is not None and os.geteuid() == 0


def sos(folder, file):
    """The command line of `sos report`, of a system that has nothing but this one log."""
    shutil.rmtree(f"{folder}/out", ignore_errors=True)
    os.makedirs(f"{folder}/out")
    os.makedirs(f"{folder}/root/var/log", exist_ok=True)
    # The name is one that its plugin looks for.
    if not os.path.exists(f"{folder}/root/var/log/messages"):
        os.link(file, f"{folder}/root/var/log/messages")
    return ["sos", "report", "--batch", "-q", "-z", "gzip", "--sysroot", f"{folder}/root",
            "--tmp-dir", f"{folder}/out", "-o", "logs", "--all-logs", "-t", "1"]
