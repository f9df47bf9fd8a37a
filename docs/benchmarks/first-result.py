#!/usr/bin/env python3
"""How long `vtdiag run` takes, from the command to the printed summary, with a program of ten seconds: with an empty cache,
as after an installation, and later.

Usage: first-result.py JAVA_HOME [RUNS]     (after the build; medians with quartiles)
"""
import os
import subprocess
import sys
import tempfile
import time

import figures

home, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
SECONDS = 10
# What the summary says of the program's lock, where monitors pin, or of the program as a whole.
EXPECTED = "HotLock" if figures.feature(home) < 24 else "[vtdiag]"


def result(folder, path, cache):
    """Seconds until the summary is there."""
    command = [figures.vtdiag, "run", "--java", home, "--agent", f"output={folder}/app.jfr", "--", "-cp", path, "HotLock", str(SECONDS)]
    begin = time.perf_counter()
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "XDG_CACHE_HOME": cache})
    took = time.perf_counter() - begin
    if ran.returncode or EXPECTED not in ran.stdout:
        sys.exit(f"{' '.join(command)} ended with {ran.returncode}\n{ran.stdout}")
    return took


with tempfile.TemporaryDirectory() as folder:
    path = figures.compiled(folder, "HotLock")
    later = os.path.join(folder, "later")
    os.mkdir(later)
    result(folder, path, later)

    def first():
        with tempfile.TemporaryDirectory(dir=folder) as empty:
            return result(folder, path, empty)

    times = figures.interleaved({"the first time": first, "later": lambda: result(folder, path, later)}, runs, warm=0)

for name, values in times.items():
    figures.record("first result", f"Java {figures.feature(home)}", name, values, "s", goal="<= 30")
