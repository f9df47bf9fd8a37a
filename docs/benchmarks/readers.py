#!/usr/bin/env python3
"""Wall time and memory of other readers of recordings, beside vtdiag's.

Usage: readers.py JAVA21_HOME KIND [RUNS [MEGABYTES]]     KIND as recordings.py makes it

Interleaved, after one round to warm the cache. The readers are compiled from Readers.java; async-profiler's comes from Maven
Central. After the build (./vtdiag --version builds).
"""
import os
import sys
import tempfile

import figures
import recordings

home, kind = sys.argv[1], sys.argv[2]
runs = int(sys.argv[3]) if len(sys.argv) > 3 else 4
megabytes = sys.argv[4] if len(sys.argv) > 4 else "500"
java = os.path.join(figures.jdk(25), "bin", "java")
lean = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]

with tempfile.TemporaryDirectory() as folder:
    file = recordings.make(home, folder, kind, os.path.join(folder, "x.jfr"), megabytes)
    libraries = [*figures.fetched(folder, "tools.profiler:jfr-converter:4.5"), figures.cli]
    path = figures.compiled(folder, "Readers", path=os.pathsep.join(libraries))
    readers = {
        "vtdiag analyze": [figures.vtdiag, "analyze", file],
        "vtdiag, only reading": [java, *lean, "-Xms48m", "-Xmn24m", "-cp", path, "Readers$Vtdiag", file],
        "jfr summary": [os.path.join(figures.jdk(25), "bin", "jfr"), "summary", file],
        "async-profiler's JfrReader": [java, "-cp", path, "Readers$AsyncProfiler", file],
        "the same, C1 and serial GC": [java, *lean, "-cp", path, "Readers$AsyncProfiler", file],
        "EventStream, filtered": [java, "-cp", path, "Readers$Stream", file],
        "RecordingFile": [java, "-cp", path, "Readers$File", file],
        "jfr view pinned-threads": [os.path.join(figures.jdk(25), "bin", "jfr"), "view", "pinned-threads", file],
    }
    results = figures.interleaved({name: lambda command=command: figures.measure(command, (0, 1)) for name, command in readers.items()}, runs)
    for name, measured in results.items():
        figures.record("readers", name, f"{kind}: wall", [each["wall"] for each in measured], "s")
        figures.record("readers", name, f"{kind}: memory", [each["memory"] for each in measured], "MB")
