#!/usr/bin/env python3
"""Time from process start to the first line of main, and the processor time of a program of one second: bare, with the
agent, with -XX:StartFlightRecording.

Usage: startup.py JAVA_HOME [RUNS]     (after the build; runs are interleaved, medians with quartiles)
The figures that count: what the agent adds to the time until main, as a share of what -XX:StartFlightRecording adds; and
the processor time that it adds to that of JFR.
"""
import os
import sys
import tempfile
import time

import figures

home, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 21

with tempfile.TemporaryDirectory() as folder:
    path = figures.compiled(folder, "Begin")
    variants = {
        "bare": [],
        "agent": [f"-javaagent:{figures.agent}=output={folder}/agent.jfr"],
        "StartFlightRecording": [f"-XX:StartFlightRecording:filename={folder}/jfr.jfr", "-Xlog:jfr*=off", "-Xlog:jfr+startup=off"],
    }

    def run(options):
        begin = time.time()
        out = figures.output(os.path.join(home, "bin", "java"), *options, "-cp", path, "Begin")
        return (float(out.strip().splitlines()[0]) - begin) * 1000

    brief = figures.compiled(folder, "Brief")

    def whole(options):
        return figures.measure([os.path.join(home, "bin", "java"), *options, "-cp", brief, "Brief"])["processor"]

    times = figures.interleaved({name: lambda options=options: run(options) for name, options in variants.items()}, runs)
    processor = figures.interleaved({name: lambda options=options: whole(options) for name, options in variants.items()}, runs)

row = f"Java {figures.feature(home)}"
for name, values in times.items():
    figures.record("startup", row, name, values, "ms")
added = [[value - bare for value, bare in zip(times[name], times["bare"])] for name in ("agent", "StartFlightRecording")]
figures.record("startup", row, "added, as a share", figures.ratios(*added), "", goal="<= 0.5")

row += ", processor time of a program of a second"
for name, values in processor.items():
    figures.record("startup", row, name, values, "s")
figures.record("startup", row, "added to JFR's own", [a - b for a, b in zip(processor["agent"], processor["StartFlightRecording"])], "s", goal="<= 0.15")
