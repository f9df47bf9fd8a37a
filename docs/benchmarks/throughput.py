#!/usr/bin/env python3
"""Throughput with the agent against without it, in interleaved pairs.

Usage: throughput.py JAVA_HOME http|http-idle|switching [PAIRS] [SECONDS]      (after the build)

http       HttpServing.java, 100 us of work a request: bare JVM against the agent with its defaults, which are samples,
           file events and looks too                                            goal: median ratio at least 0.97
           beside both: the JDK's own recording with its default settings, for what of the cost is JFR's
http-idle  the same without the work: nothing but switching and sockets, some 20 us a request
switching  Switching.java: a plain JFR recording of the same events (same-events.jfc) against the agent with
           threshold=0ms, so that both record every pin                         goal: median ratio at least 0.98
"""
import os
import sys
import tempfile

import figures

WORKLOADS = {"http": ("HttpServing", "HTTP, 100 us of work a request", ["100"], ">= 0.97"),
             "http-idle": ("HttpServing", "HTTP, no work", ["0"], ">= 0.97"),
             "switching": ("Switching", "nothing but switching, beside plain JFR", [], ">= 0.98")}
if len(sys.argv) < 3 or sys.argv[2] not in WORKLOADS:
    sys.exit(__doc__)
home = sys.argv[1]
program, name, parameters, goal = WORKLOADS[sys.argv[2]]
pairs = max(2, int(sys.argv[3])) if len(sys.argv) > 3 else 10
seconds = sys.argv[4] if len(sys.argv) > 4 else "5"

with tempfile.TemporaryDirectory() as folder:
    path = figures.compiled(folder, "WarmUp", program)
    quiet = ["-Xlog:jfr+startup=off", "-Xlog:jfr*=off"]
    plain = [f"-XX:StartFlightRecording:filename={folder}/jfr.jfr", *quiet]
    baseline, observed = [], [f"-javaagent:{figures.agent}=output={folder}/agent.jfr,summary=off"]
    if program == "Switching":
        jfc = os.path.join(figures.here, "same-events-24.jfc" if figures.feature(home) >= 24 else "same-events.jfc")
        baseline = [f"-XX:StartFlightRecording:filename={folder}/jfr.jfr,settings={jfc}", "-XX:FlightRecorderOptions:stackdepth=512", *quiet]
        observed = [f"-javaagent:{figures.agent}=output={folder}/agent.jfr,threshold=0ms,summary=off,warn=off"]

    def run(options):
        lines = figures.output(os.path.join(home, "bin", "java"), *options, "-cp", path, program, seconds, *parameters).strip().splitlines()
        # Of the programs that tell it: what other processes take counts less there than in requests a second.
        processor = float(lines[-2].split()[0]) if len(lines) > 1 and "processor time" in lines[-2] else 0.0
        return float(lines[-1]), processor

    sides = {"without": lambda: run(baseline), "with": lambda: run(observed)}
    if program != "Switching":
        sides["plain"] = lambda: run(plain)
    # No round to warm up: each program does so by itself.
    results = figures.interleaved(sides, pairs, warm=0)

row = f"{name}, Java {figures.feature(home)}"
without = results["without"]
figures.record("throughput", row, "without", [rate for rate, _ in without], "/s")
for side, column, aim in ("with", "the agent", goal), ("plain", "JFR alone", None):
    if side in results:
        pairs = list(zip(without, results[side]))
        figures.record("throughput", row, column, [b / a for (a, _), (b, _) in pairs], "", goal=aim)
        if all(processor for pair in pairs for _, processor in pair):
            figures.record("throughput", row, column + ", by processor time", [a / b for (_, a), (_, b) in pairs], "")
