#!/usr/bin/env python3
"""Time from process start to the first line of main: bare, with the agent, with -XX:StartFlightRecording.

Usage: startup.py JAVA_HOME [RUNS]     (after the build; runs are interleaved, medians with quartiles)
The figure that counts: what the agent adds, as a share of what -XX:StartFlightRecording adds.
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

    times = figures.interleaved({name: lambda options=options: run(options) for name, options in variants.items()}, runs)

row = f"Java {figures.feature(home)}"
for name, values in times.items():
    figures.record("startup", row, name, values, "ms")
added = [[value - bare for value, bare in zip(times[name], times["bare"])] for name in ("agent", "StartFlightRecording")]
figures.record("startup", row, "added, as a share", figures.ratios(*added), "", goal="<= 0.5")
