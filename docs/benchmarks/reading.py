#!/usr/bin/env python3
"""Time and memory of whole processes that read a recording: vtdiag, the jfr tool, and cat.

Usage: reading.py KIND JAVA21_HOME [RUNS [MEGABYTES]]   KIND as recordings.py makes it: typical, pins or samples
       reading.py cli JAVA21_HOME [RUNS]                a recording of 300 KB, made with the agent: the start of vtdiag gate
       reading.py FILE - [RUNS]                         any recording of yours

Interleaved, after a round to warm the page cache; ratios pair by pair. After the build (./vtdiag --version builds).
"""
import os
import sys
import tempfile

import figures
import recordings

if len(sys.argv) < 3:
    sys.exit(__doc__)
kind, home = sys.argv[1], sys.argv[2]
runs = int(sys.argv[3]) if len(sys.argv) > 3 else 3
megabytes = sys.argv[4] if len(sys.argv) > 4 else "500"
jfr = os.path.join(figures.jdk(25), "bin", "jfr")
# How much longer than analyze another command takes at least, and the most memory of analyze.
GOALS = {"typical": {"jfr summary": 1, "jfr view pinned-threads": 8, "memory": 200},
         "pins": {"jfr view pinned-threads": 10, "memory": 256}}


def commands(file):
    if kind == "cli":
        return {"vtdiag gate": [figures.vtdiag, "gate", file, "--max-pin", "50ms"], "jfr summary": [jfr, "summary", file]}
    return {
        "vtdiag analyze": [figures.vtdiag, "analyze", file],
        "vtdiag analyze --json": [figures.vtdiag, "analyze", file, "--json"],
        "vtdiag report": [figures.vtdiag, "report", file, "-o", file + ".html"],
        "jfr summary": [jfr, "summary", file],
        "jfr view pinned-threads": [jfr, "view", "pinned-threads", file],
        "cat": ["/bin/cat", file],
    }


def recorded(folder):
    if home == "-":
        return kind
    file = os.path.join(folder, "x.jfr")
    if kind != "cli":
        return recordings.make(home, folder, kind, file, megabytes)
    agent = f"-javaagent:{figures.agent}=output={file},summary=off,warn=off"
    figures.output(*recordings.command(home, recordings.compiled(folder), "pins", "-", 1_000, 150, options=[agent]))
    return file


with tempfile.TemporaryDirectory() as folder:
    file = recorded(folder)
    table = os.path.basename(kind)
    figures.record(table, "the recording", "size", os.path.getsize(file) / 1e6, "MB")
    results = figures.interleaved({name: lambda command=command: figures.measure(command, (0, 1, 4)) for name, command in commands(file).items()}, runs)
    first = next(iter(results))
    goals = GOALS.get(kind, {})
    for name, measured in results.items():
        for column, unit in ("wall", "s"), ("processor", "s"), ("memory", "MB"):
            goal = f"<= {goals['memory']}" if name == first and column == "memory" and goals else None
            figures.record(table, name, column, [each[column] for each in measured], unit, goal=goal)
        if name != first:
            goal = goals.get(name, 1 if kind == "cli" else None)
            figures.record(table, name, f"wall, of that of {first}", figures.ratios(*([each["wall"] for each in side] for side in (measured, results[first]))),
                           "times", goal=goal and f">= {goal}")
