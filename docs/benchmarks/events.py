#!/usr/bin/env python3
"""What a million more events of a kind cost `vtdiag analyze`: processor time and memory.

Usage: events.py JAVA21_HOME KIND [EVENTS [RUNS]]     KIND: allocations, executions, monitors, parks, files, looks or threads

Two recordings of the same program, one with a thousand pieces of its work and one with EVENTS of them; the difference of the two, and
for a million events of the kind that `jfr summary` counts where there are a tenth of that: fewer tell of the rest of the recording. Of
threads a piece of work is a virtual thread of its own. After the build.
"""
import os
import re
import sys
import tempfile

import figures
import recordings

EVENTS = {"allocations": "jdk.ObjectAllocationSample", "executions": "jdk.ExecutionSample", "monitors": "jdk.JavaMonitorEnter",
          "parks": "jdk.ThreadPark", "files": "jdk.FileRead", "looks": "vtdiag.WaitCrowd", "threads": "jdk.VirtualThreadStart"}
home, kind = sys.argv[1], sys.argv[2]
LEAST = 100_000
wanted, runs = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000, int(sys.argv[4]) if len(sys.argv) > 4 else 3


def count(file):
    summary = figures.output(os.path.join(figures.jdk(25), "bin", "jfr"), "summary", file)
    return int(re.search(rf"^ *{re.escape(EVENTS[kind])} +(\d+) ", summary, re.MULTILINE)[1])


with tempfile.TemporaryDirectory() as folder:
    few, many = (recordings.make(home, folder, kind, os.path.join(folder, name + ".jfr"), 100_000, pieces)
                 for name, pieces in (("few", 1_000), ("many", wanted)))
    more = count(many) - count(few)
    if more <= 0:
        sys.exit(f"no more {EVENTS[kind]} in the larger recording")
    sides = {name: lambda file=file: figures.measure([figures.vtdiag, "analyze", file], (0, 1)) for name, file in (("few", few), ("many", many))}
    results = figures.interleaved(sides, runs)
    figures.record("events", EVENTS[kind], "events more", more, "")
    for column, unit in ("processor", "s"), ("memory", "MB"):
        values = [b[column] - a[column] for a, b in zip(results["few"], results["many"])]
        figures.record("events", EVENTS[kind], f"{column} more", values, unit)
        if more >= LEAST:
            figures.record("events", EVENTS[kind], f"{column}, a million", [value * 1e6 / more for value in values], unit)
