#!/usr/bin/env python3
"""What vtdiag top costs the JVM that it looks at, and how soon it shows what is new.

Usage: top.py cost JAVA_HOME [PAIRS] [SECONDS] [THREADS]   a program that does the same work each second: its processor
                                                           time with vtdiag top (after its start) and without, in
                                                           interleaved phases (5 pairs of 20 s, 100 threads; goal: at
                                                           most 1% of the machine's time more); and what the start costs
       top.py latency JAVA_HOME [CHANGES]                  how long after a change of state a line shows it that was
                                                           printed then: computing, and on 21 pins (10 changes; goal: 2 s)

After mvn verify, which builds the command line. Exit code 10 if a goal is missed.
"""
import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time

import figures

here = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(os.path.dirname(here))
cli = os.path.join(top, "analyzer", "target", "vtdiag-cli.jar")
MOST_COST, LATEST = 0.01, 2.0
CARRIERS = ["-Djdk.virtualThreadScheduler.parallelism=2", "-Djdk.virtualThreadScheduler.maxPoolSize=2"]


def home25():
    return subprocess.run([os.path.join(top, "vtdiag"), "jdk", "25"], capture_output=True, text=True,
                          check=True).stdout.strip()


def argument(index, default):
    return type(default)(sys.argv[index]) if len(sys.argv) > index else default


def feature():
    with open(os.path.join(home, "release"), encoding="utf-8") as release:
        return int(re.search(r'JAVA_VERSION="(\d+)', release.read()).group(1))


def program(folder, *arguments):
    subprocess.run([os.path.join(home25(), "bin", "javac"), "--release", "21", "-nowarn", "-d", folder,
                    os.path.join(here, "Topped.java")], check=True)
    process = subprocess.Popen([os.path.join(home, "bin", "java"), *CARRIERS, "-cp", folder, "Topped", *arguments],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    return process


def watching(process):
    return subprocess.Popen([os.path.join(home25(), "bin", "java"), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                             "-jar", cli, "top", str(process.pid), "--json"], stdout=subprocess.PIPE, text=True)


def used(process):
    """Processor time so far, in seconds."""
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def phase(process, seconds):
    begin, before = time.monotonic(), used(process)
    time.sleep(seconds)
    return (used(process) - before) / (time.monotonic() - begin)


def cost(folder):
    pairs, seconds, threads = argument(3, 5), argument(4, 20), argument(5, 100)
    process = program(folder, "work", str(threads))
    time.sleep(10)  # Until it is compiled.
    more, starts = [], []
    for pair in range(pairs):
        without = phase(process, seconds)
        before, begin = used(process), time.monotonic()
        looking = watching(process)
        looking.stdout.readline()
        starts.append(used(process) - before - without * (time.monotonic() - begin))
        threading.Thread(target=looking.stdout.read, daemon=True).start()
        time.sleep(2)
        with_top = phase(process, seconds)
        looking.terminate()
        looking.wait()
        more.append((with_top - without) / os.cpu_count())
        time.sleep(1)
    process.kill()
    row = f"Java {feature()}"
    figures.record("top", row, "processor time of the start", starts, "s", "range")
    return figures.record("top", row, "processor time, as a part of all processors", [100 * each for each in more], "%", "range",
                          goal=f"<= {100 * MOST_COST:g}")


def latency(folder):
    changes = argument(3, 10)
    process = program(folder, "states")
    looking = watching(process)
    lines = queue.Queue()

    def read():
        for line in looking.stdout:
            lines.put((time.time(), json.loads(line)))

    threading.Thread(target=read, daemon=True).start()
    lines.get()
    pins = feature() < 24
    delays = {"compute": [], **({"pin": []} if pins else {})}
    for change in range(changes):
        for state in delays:
            # Until what was before is no longer among the last seconds, at another moment of the second each time.
            time.sleep((11 if state == "pin" else 3) + change * 0.1)
            while not lines.empty():
                lines.get()
            process.stdin.write(state + "\n")
            process.stdin.flush()
            begin = float(process.stdout.readline())
            while True:
                at, seen = lines.get(timeout=20)
                shown = (seen["pinned"]["count"] > 0 if state == "pin"
                         else sum(each["state"] == "RUNS" and each["processor"] > 0.2 for each in seen["carriers"]) == 2)
                if shown:
                    break
            delays[state].append(at - begin)
            process.stdin.write("idle\n")
            process.stdin.flush()
            process.stdout.readline()
    looking.terminate()
    looking.wait()
    process.kill()
    for state, all_of in delays.items():
        figures.record("top", f"Java {feature()}", {"compute": "computing is shown after", "pin": "pins are shown after"}[state], all_of, "s", "range")
    return max(max(all_of) for all_of in delays.values()) <= LATEST


commands = {"cost": cost, "latency": latency}
if len(sys.argv) < 3 or sys.argv[1] not in commands:
    sys.exit(__doc__)
home = sys.argv[2]
with tempfile.TemporaryDirectory() as scratch:
    reached = commands[sys.argv[1]](scratch)
figures.finish(reached)
