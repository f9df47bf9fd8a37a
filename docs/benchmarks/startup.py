#!/usr/bin/env python3
"""Time from process start to the first line of main: bare, with the agent, with -XX:StartFlightRecording.

Usage: startup.py JAVA_HOME [RUNS]     (after the build; runs are interleaved, medians with quartiles)
The figure that counts: what the agent adds, as a share of what -XX:StartFlightRecording adds.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = """
public class Begin {
  public static void main(String[] args) {
    java.time.Instant now = java.time.Instant.now();
    System.out.println(now.getEpochSecond() + "." + String.format("%09d", now.getNano()));
    // Nobody waits for a recorder here: what is timed has passed.
    Runtime.getRuntime().halt(0);
  }
}
"""

home, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 21
top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
agent = os.path.join(top, "agent", "target", "vtdiag.jar")

with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "Begin.java"), "w") as source:
        source.write(PROGRAM)
    compiler = subprocess.run([os.path.join(top, "vtdiag"), "jdk", "25"], capture_output=True, text=True, check=True)
    javac = os.path.join(compiler.stdout.strip(), "bin", "javac")
    subprocess.run([javac, "--release", "21", "-d", folder, source.name], check=True)
    variants = {
        "bare": [],
        "agent": [f"-javaagent:{agent}=output={folder}/agent.jfr"],
        "StartFlightRecording": [f"-XX:StartFlightRecording:filename={folder}/jfr.jfr", "-Xlog:jfr*=off", "-Xlog:jfr+startup=off"],
    }
    times = {name: [] for name in variants}
    for run in range(runs + 1):
        for name, options in variants.items():
            begin = time.time()
            out = subprocess.run(
                [os.path.join(home, "bin", "java"), *options, "-cp", folder, "Begin"],
                capture_output=True, text=True, check=True).stdout
            if run > 0:  # the first round only warms the page cache
                times[name].append((float(out.strip().splitlines()[0]) - begin) * 1000)

bare = statistics.median(times["bare"])
for name, values in times.items():
    low, median, high = statistics.quantiles(values, n=4)
    print(f"{name:22} {median:6.0f} ms  (quartiles {low:.0f}-{high:.0f})  adds {median - bare:.0f} ms")
added = {name: statistics.median(values) - bare for name, values in times.items()}
print(f"agent / StartFlightRecording, added: {added['agent'] / added['StartFlightRecording']:.2f}  (goal: at most 0.50)")
