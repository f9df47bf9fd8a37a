#!/usr/bin/env python3
"""What `vtdiag advise` predicts of the throughput, against what is measured when the carriers are free.

Usage: prediction.py JAVA21_HOME [SECONDS [WORKLOAD...]]      (after mvn verify, which builds the agent and the samples)

Each workload runs on two carriers of Java 21 with the agent, the prediction is made from that recording, and the same
workload runs again with the carriers free: by the agent's what-if, or with a driver that does not pin. Both twice, in
turns; the prediction is made from the first recording. Some seven minutes with 4 seconds a run. Prints the table of docs/advice.md; a workload is named by the start of its row.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import figures

home = sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__)
seconds = sys.argv[2] if len(sys.argv) > 2 else "4"
java = os.path.join(home, "bin", "java")
here = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(os.path.dirname(here))
vtdiag = os.environ.get("VTDIAG", os.path.join(top, "vtdiag"))
agent = os.environ.get("VTDIAG_AGENT", os.path.join(top, "agent", "target", "vtdiag.jar"))
samples = os.environ.get("VTDIAG_SAMPLES", os.path.join(top, "sample-apps", "target"))
LIBRARIES = ["org.hsqldb:hsqldb:2.7.4", "com.h2database:h2:2.2.220", "com.zaxxer:HikariCP:5.1.0",
             "org.slf4j:slf4j-api:1.7.36", "org.apache.commons:commons-pool2:2.13.1"]
# By 10% two runs of the same differ; a report calls a smaller gain unchanged.
UNCHANGED = 1.1

PER_REQUEST = "-Dper=request"
WORKLOADS = [
    ("500 threads, 10 ms, own objects", "OwnLocks", []),
    ("the same, and 1 s elsewhere after each pass", "OwnLocks", ["-Delsewhere=1000"]),
    ("HSQLDB, 200 connections, 10 ms", "HsqldbServing", []),
    ("200 threads, one lock, 2 ms; 200 others", "HotLock", []),
    ("pgjdbc 42.5.4, 64 users, 25 ms: a connection for each", "Pooled pgjdbc own 64 25", []),
    ("one connection for all", "Pooled pgjdbc one 64 25", []),
    ("HikariCP, pool of 10", "Pooled pgjdbc hikari:10 64 25", []),
    ("HikariCP, pool of 10, a thread for each request", "Pooled pgjdbc hikari:10 64 25", [PER_REQUEST]),
    ("HikariCP, pool of 2, as many as carriers", "Pooled pgjdbc hikari:2 64 25", []),
    ("HSQLDB 2.7.4, 64 users, 25 ms: commons-pool2, pool of 10", "Pooled hsqldb commons:10 64 25", []),
    ("commons-pool2, pool of 10, handed out in turn", "Pooled hsqldb turns:10 64 25", []),
    ("H2 2.2.220 over TCP, 64 users, 25 ms: commons-pool2, pool of 30, a thread for each request",
     "Pooled h2 commons:30 64 25", [PER_REQUEST]),
]


def output(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


def rate(folder, path, program, options, agents):
    text = output(java, f"-javaagent:{agent}=output={folder}/x.jfr,warn=off,summary=off{agents}",
                  "-Djdk.virtualThreadScheduler.parallelism=2", "-Djdk.virtualThreadScheduler.maxPoolSize=2", *options,
                  "-cp", path, *program.split(), seconds)
    return float(re.search(r"([\d.]+) ops/s", text).group(1))


def predicted(folder, path):
    report = json.loads(output(vtdiag, "advise", f"{folder}/x.jfr", "--classpath", path, "--json"))
    held = [finding for finding in report["findings"] if finding["site"]["kind"].startswith("SYNCHRONIZED")]
    return held[0]["advice"]["effect"]["prediction"]


def figure(number):
    return f"{number:,.0f}" if number >= 10 else f"{number:.1f}"


def tell(name, before, predicted, measured):
    figures.tell("prediction", name, "before", f"{before:,.0f}/s")
    figures.tell("prediction", name, "predicted", predicted)
    figures.tell("prediction", name, "measured", measured)


def row(name, before, range, after):
    ratio = after / before
    measured = f"{figure(after)}/s, {ratio:.{1 if ratio >= 10 else 2}f} times"
    if "notPredicted" in range:
        tell(name, before, f"none: {range['notPredicted']}", measured)
        return False
    now, least, most = (range[end + "PerSecond"] for end in ("now", "least", "most"))
    if most <= now * UNCHANGED:
        words = "unchanged"
        held = 1 / UNCHANGED <= ratio <= UNCHANGED
    else:
        words = f"{figure(least)} to {figure(most)}/s, {least / now:.1f} to {most / now:.1f} times"
        held = least / now / 1.02 <= ratio <= most / now * 1.02
        why = range["assumption"].partition("wide because ")[2]
        if most > 10 * least:
            words += f"; wide because {why}" if why else "; WIDE WITHOUT A REASON"
    tell(name, before, words, f"{measured}{'' if held else ' **NOT IN RANGE**'}")
    return held


with tempfile.TemporaryDirectory() as folder:
    for artifact in LIBRARIES:
        output("mvn", "-B", "-q", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={folder}", cwd=folder)
    library = os.pathsep.join([*sorted(glob.glob(os.path.join(folder, "*.jar"))),
                               os.path.join(samples, "vtdiag-samples.jar"),
                               *sorted(glob.glob(os.path.join(samples, "lib", "*.jar")))])
    javac = os.path.join(output(os.path.join(top, "vtdiag"), "jdk", "25").strip(), "bin", "javac")
    output(javac, "--release", "21", "-nowarn", "-cp", library, "-d", folder,
           *(os.path.join(here, name + ".java") for name in ("OwnLocks", "HsqldbServing", "HotLock", "Pooled")))
    old, new = (os.pathsep.join([folder, library, os.path.join(samples, f"lib-{variant}", "pgjdbc", f"postgresql-{version}.jar")])
                for variant, version in (("before", "42.5.4"), ("after", "42.7.14")))
    missed = 0
    for name, program, options in WORKLOADS:
        if len(sys.argv) > 3 and not any(name.startswith(wanted) for wanted in sys.argv[3:]):
            continue
        free = (new, "") if " pgjdbc " in program else (old, ",rewrite=auto")
        before = rate(folder, old, program, options, "")
        expected = predicted(folder, old)
        after = rate(folder, free[0], program, options, free[1])
        before += rate(folder, old, program, options, "")
        after += rate(folder, free[0], program, options, free[1])
        missed += not row(name, before / 2, expected, after / 2)
    figures.finish(missed == 0)
