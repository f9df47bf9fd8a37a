#!/usr/bin/env python3
"""What the agent's what-if brings: 500 virtual threads, 10 ms in a synchronized method of their own objects.

Usage: whatif.py JAVA_HOME [RUNS [SECONDS]]      (after the build; runs are interleaved, medians with their range)
All three variants run under the agent, so that recording costs the same.
"""
import os
import statistics
import subprocess
import sys
import tempfile

home = sys.argv[1]
runs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
seconds = sys.argv[3] if len(sys.argv) > 3 else "5"
here = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(os.path.dirname(here))
agent = os.path.join(top, "agent", "target", "vtdiag.jar")

with tempfile.TemporaryDirectory() as folder:
    javac = os.path.join(subprocess.run([os.path.join(top, "vtdiag"), "jdk", "25"], capture_output=True, text=True,
                                        check=True).stdout.strip(), "bin", "javac")
    subprocess.run([javac, "--release", "21", "-d", folder, os.path.join(here, "OwnLocks.java")], check=True)

    def run(options, *more):
        out = subprocess.run([os.path.join(home, "bin", "java"), f"-javaagent:{agent}=output={folder}/x.jfr{options}",
                              *more, "-cp", folder, "OwnLocks", seconds], capture_output=True, text=True, check=True)
        return float(out.stdout.split()[0])

    variants = {"monitors": ("",), "what-if": (",rewrite=auto",), "hand-written lock": ("", "-Dlock=true")}
    rates = {name: [] for name in variants}
    for _ in range(runs):
        for name, options in variants.items():
            rates[name].append(run(*options))
for name, values in rates.items():
    print(f"{name:18} {statistics.median(values):8.0f}/s  ({min(values):.0f}-{max(values):.0f})")
for other in ("monitors", "hand-written lock"):
    ratios = [a / b for a, b in zip(rates["what-if"], rates[other])]
    print(f"what-if / {other}: {statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})")
