#!/usr/bin/env python3
"""Wall time and memory of whole processes that look for pinned virtual threads in a recording.

Usage: readers.py make FOLDER             makes the recordings in FOLDER: about 10 minutes, 1.8 GB; needs a Java 21
       readers.py table FOLDER [RUNS]     runs every reader on each of them, interleaved, after one round to warm the cache
       readers.py given FILE [RUNS] [CLASSPATH]   vtdiag and the jfr tool on a recording of yours; vtdiag with one processor too:
                                          where there are more than two, more of them show in the ratio of these two rows
       readers.py start FOLDER [RUNS]     the start: small.jfr, with vtdiag gate, jfr summary and cat

Medians with quartiles; memory is the peak resident set. Other readers are compiled from Readers.java; async-profiler's
comes from Maven Central. After the build (./vtdiag --version builds).
"""
import os
import statistics
import subprocess
import sys
import time

top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
here = os.path.join(top, "docs", "benchmarks")
mode, folder = sys.argv[1], os.path.abspath(sys.argv[2])
runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
vtdiag = os.path.join(top, "vtdiag")
classes = os.path.join(folder, "classes")

# Name, megabytes, pins.
RECORDINGS = [("small", 0, 2_000), ("50MB", 50, 30_000), ("500MB", 500, 169_000), ("1100MB", 1100, 323_000),
              ("1M-pins", 40, 1_000_000)]


def home(feature):
    return subprocess.run([vtdiag, "jdk", feature], capture_output=True, text=True, check=True).stdout.strip()


def recording(name):
    return os.path.join(folder, name + ".jfr")


def make():
    os.makedirs(classes, exist_ok=True)
    subprocess.run([os.path.join(home("25"), "bin", "javac"), "--release", "21", "-d", classes,
                    os.path.join(here, "MakeRecording.java")], check=True)
    for name, megabytes, pins in RECORDINGS:
        # Small allocation buffers make many allocation events; many carriers make many pins a second.
        subprocess.run([os.path.join(home("21"), "bin", "java"), "-Djdk.virtualThreadScheduler.parallelism=32",
                        "-XX:TLABSize=2k", "-XX:MinTLABSize=2k", "-XX:-ResizeTLAB", "-cp", classes, "MakeRecording",
                        recording(name), str(megabytes), str(pins)], check=True)
        print(f"{name}: {os.path.getsize(recording(name)) / 1e6:.0f} MB, {pins} pins")


def others():
    """The class path of the programs in Readers.java, compiled."""
    subprocess.run(["mvn", "-B", "-q", "dependency:copy", "-Dartifact=tools.profiler:jfr-converter:4.5",
                    f"-DoutputDirectory={folder}", "-Dmdep.useBaseVersion"], cwd=folder, check=True)
    jar = os.path.join(folder, "jfr-converter-4.5.jar")
    path = os.pathsep.join([jar, os.path.join(top, "analyzer/target/vtdiag-cli.jar"), classes])
    subprocess.run([os.path.join(home("25"), "bin", "javac"), "-cp", path, "-d", classes,
                    os.path.join(here, "Readers.java")], check=True)
    return path


def measure(command):
    begin = time.time()
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.execv(command[0], command)
    _, status, usage = os.wait4(child, 0)
    return time.time() - begin, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def compare(name, readers, count, file=None):
    results = {reader: [] for reader in readers}
    for run in range(count + 1):
        for reader, command in readers.items():
            seconds, megabytes, code = measure(command)
            if code not in (0, 1):
                sys.exit(f"{reader} ended with {code}: {' '.join(command)}")
            if run > 0:
                results[reader].append((seconds, megabytes))
    print(f"\n{name}: {os.path.getsize(file or recording(name)) / 1e6:.1f} MB, {count} runs")
    own = statistics.median(seconds for seconds, _ in next(iter(results.values())))
    for reader, values in results.items():
        seconds = [s for s, _ in values]
        low, median, high = statistics.quantiles(seconds, n=4) if count > 1 else seconds * 3
        memory = statistics.median(m for _, m in values)
        print(f"  {reader:32} {median:6.2f} s ({low:.2f}-{high:.2f})  {memory:6.0f} MB   {median / own:5.2f} x vtdiag")


def table():
    path, java, jfr = others(), os.path.join(home("25"), "bin", "java"), os.path.join(home("25"), "bin", "jfr")
    lean = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
    for name, _, _ in RECORDINGS[1:]:
        file = recording(name)
        compare(name, {
            "vtdiag analyze": [vtdiag, "analyze", file, "--classpath", classes, "--jdk", home("21")],
            "vtdiag, only reading": [java, *lean, "-Xms48m", "-Xmn24m", "-cp", path, "Readers$Vtdiag", file],
            "cat": ["/bin/cat", file],
            "jfr summary": [jfr, "summary", file],
            "async-profiler JfrReader": [java, "-cp", path, "Readers$AsyncProfiler", file],
            "the same, C1 and serial GC": [java, *lean, "-cp", path, "Readers$AsyncProfiler", file],
            "EventStream, filtered": [java, "-cp", path, "Readers$Stream", file],
            "RecordingFile": [java, "-cp", path, "Readers$File", file],
            "jfr view pinned-threads": [jfr, "view", "pinned-threads", file],
        }, runs)


def start():
    jfr = os.path.join(home("25"), "bin", "jfr")
    file = recording("small")
    compare("small", {
        "vtdiag gate": [vtdiag, "gate", file, "--max-pin", "50ms"],
        "jfr summary": [jfr, "summary", file],
        "jfr view pinned-threads": [jfr, "view", "pinned-threads", file],
    }, runs)


def given():
    jfr = os.path.join(home("25"), "bin", "jfr")
    classpath = ["--classpath", sys.argv[4]] if len(sys.argv) > 4 else []
    analyze = [vtdiag, "analyze", folder, *classpath]
    compare(os.path.basename(folder), {
        "vtdiag analyze": analyze,
        "the same, one processor": ["/usr/bin/env", "JDK_JAVA_OPTIONS=-XX:ActiveProcessorCount=1", *analyze],
        "jfr summary": [jfr, "summary", folder],
        "jfr view pinned-threads": [jfr, "view", "pinned-threads", folder],
        "cat": ["/bin/cat", folder],
    }, runs, folder)


{"make": make, "given": given, "table": table, "start": start}[mode]()
