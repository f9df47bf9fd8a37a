#!/usr/bin/env python3
"""What the JUnit extension costs a suite: with `vtdiag.junit.mode=fail` and without the extension, by turns.

Usage: junit.py JAVA21_HOME JAVA25_HOME [PAIRS]     (after the build; 10 pairs on each Java take five minutes)

The suite has 200 tests, each with 50 virtual threads that wait for 30 ms, which is the worst case: every test is looked at, and none
has anything to report. Of each Java: the median of what a test took, by the clock and of the processors, and the difference pair by
pair. The processor time includes that of the JVM's start.
"""
import os
import subprocess
import sys
import tempfile

import figures

if len(sys.argv) < 3:
    sys.exit(__doc__)
homes, pairs = {21: sys.argv[1], 25: sys.argv[2]}, int(sys.argv[3]) if len(sys.argv) > 3 else 10
here = os.path.dirname(os.path.abspath(__file__))
target = os.path.join(os.path.dirname(os.path.dirname(here)), "analyzer", "junit", "target")
junit = os.path.join(target, "junit6", "*")
extension = [os.path.join(target, name) for name in os.listdir(target) if name.startswith("vtdiag-junit-") and name.endswith(".jar")]
TESTS = 200


def run(home, folder, with_extension):
    path = [folder, junit] + ([os.path.join(folder, "on"), *extension] if with_extension else [])
    ran = subprocess.run([os.path.join(home, "bin", "java"), "-cp", os.pathsep.join(path), "ExtensionCost"], capture_output=True, text=True)
    passed, wall, processor = map(int, ran.stdout.split())
    if passed != TESTS:
        sys.exit(f"{passed} of {TESTS} tests passed\n{ran.stdout}{ran.stderr}")
    return wall / 1e6 / TESTS, processor / 1e6 / TESTS


with tempfile.TemporaryDirectory() as folder:
    os.mkdir(os.path.join(folder, "on"))
    with open(os.path.join(folder, "on", "junit-platform.properties"), "w") as properties:
        properties.write("vtdiag.junit.mode=fail\n")
    compiled = subprocess.run([os.path.join(homes[25], "bin", "javac"), "--release", "21", "-proc:none", "-cp", junit, "-d", folder,
                               os.path.join(here, "ExtensionCost.java")], capture_output=True, text=True)
    if compiled.returncode != 0:
        sys.exit(compiled.stderr)
    for jdk, home in homes.items():
        results = figures.interleaved({"off": lambda: run(home, folder, False), "on": lambda: run(home, folder, True)}, pairs, warm=0)
        for i, what in enumerate(("by the clock", "processor time")):
            off, on = ([result[i] for result in results[side]] for side in ("off", "on"))
            row = f"{what}, Java {jdk}"
            figures.record("junit", row, "a test without it", off, "ms", "range")
            figures.record("junit", row, "a test with it", on, "ms", "range")
            figures.record("junit", row, "more", [a - b for a, b in zip(on, off)], "ms", "range")
