#!/usr/bin/env python3
"""What the agent's summary adds to the end of a program.

Usage: exit-summary.py JAVA_HOME [RUNS [EVENTS]]     (after the build)

The program does EVENTS pieces of work (12,000 make some 6 MB; above 8 MB the agent gives no summary), prints the time, and ends. What is measured is
how long the process goes on, with the summary and without it, interleaved; and the processor time of the whole process.
"""
import os
import subprocess
import sys
import tempfile
import time

import figures
import recordings

home = sys.argv[1]
runs, events = int(sys.argv[2]) if len(sys.argv) > 2 else 5, sys.argv[3] if len(sys.argv) > 3 else "12000"


def run(folder, summary):
    agent = f"-javaagent:{figures.agent}=output={folder}/x.jfr,warn=off,summary={summary}"
    command = recordings.command(home, recordings.compiled(folder), "pins", "-", 100_000, events, options=[agent])
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    own = int(process.stdout.read().split()[0]) / 1000
    _, status, usage = os.wait4(process.pid, 0)
    end = time.time()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"the program ended with {process.returncode}")
    return end - own, usage.ru_maxrss / 1024, os.path.getsize(os.path.join(folder, "x.jfr")) / 1e6


with tempfile.TemporaryDirectory() as folder:
    results = figures.interleaved({summary: lambda summary=summary: run(folder, summary) for summary in ("on", "off")}, runs)
row = f"Java {figures.feature(home)}, summary "
for name, measured in results.items():
    for column, unit, values in zip(("from the end of main to the end of the process", "memory", "recording"), ("s", "MB", "MB"), zip(*measured)):
        figures.record("exit-summary", row + name, column, list(values), unit)
