#!/usr/bin/env python3
"""pgjdbc 42.5.4 as it is, patched by vtdiag, and 42.7.14: throughput and pins against an embedded PostgreSQL on Java 21.

Usage: patched-pgjdbc.py FOLDER [RUNS [SECONDS]]      (after mvn verify, which builds the samples; FOLDER is made)
Runs are interleaved; medians with quartiles. Pins are counted in a run of their own, with the agent.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

import figures

top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
folder = os.path.abspath(sys.argv[1])
runs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
seconds = sys.argv[3] if len(sys.argv) > 3 else "4"
vtdiag = os.path.join(top, "vtdiag")
samples = os.path.join(top, "sample-apps", "target")
old = os.path.join(samples, "lib-before", "pgjdbc", "postgresql-42.5.4.jar")
new = os.path.join(samples, "lib-after", "pgjdbc", "postgresql-42.7.14.jar")


def output(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


def fetch(artifact):
    output("mvn", "-B", "-q", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={folder}", cwd=folder)


def patched():
    """42.5.4 with the patch applied, compiled and put into a copy of its jar."""
    fetch("org.postgresql:postgresql:42.5.4:jar:sources")
    fetch("org.checkerframework:checker-qual:3.5.0")
    sources, classes = os.path.join(folder, "src"), os.path.join(folder, "classes")
    for made in (sources, classes):
        shutil.rmtree(made, ignore_errors=True)
        os.makedirs(made)
    with zipfile.ZipFile(os.path.join(folder, "postgresql-42.5.4-sources.jar")) as archive:
        archive.extractall(sources)
    libraries = os.pathsep.join([old, os.path.join(folder, "checker-qual-3.5.0.jar")])
    made = subprocess.run([vtdiag, "patch", "--all", "--verify", "--sources", "src", "--classpath", libraries,
                           "-o", "pgjdbc.patch"], cwd=folder, capture_output=True, text=True)
    print(made.stderr.strip())
    made.check_returncode()
    output("git", "apply", "pgjdbc.patch", cwd=folder)
    with open(os.path.join(folder, "pgjdbc.patch"), encoding="utf-8") as patch:
        changed = re.findall(r"^\+\+\+ b/(\S+)", patch.read(), re.MULTILINE)
    javac = os.path.join(output(vtdiag, "jdk", "25").strip(), "bin", "javac")
    output(javac, "-nowarn", "--release", "8", "-cp", libraries, "-d", classes, *changed, cwd=folder)
    jar = os.path.join(folder, "postgresql-42.5.4-patched.jar")
    with zipfile.ZipFile(old) as before, zipfile.ZipFile(jar, "w", zipfile.ZIP_DEFLATED) as after:
        for entry in before.infolist():
            own = os.path.join(classes, entry.filename)
            if os.path.isfile(own):
                after.write(own, entry.filename)
            else:
                after.writestr(entry, before.read(entry))
        for base, _, files in os.walk(classes):
            for file in files:
                name = os.path.relpath(os.path.join(base, file), classes)
                if name not in before.namelist():
                    after.write(os.path.join(base, file), name)
    print(f"patched {len(changed)} files")
    return jar


java = os.path.join(output(vtdiag, "jdk", "21").strip(), "bin", "java")


def run(jar, *options):
    path = os.pathsep.join([os.path.join(samples, "vtdiag-samples.jar"), jar,
                            *(os.path.join(samples, "lib", name) for name in library)])
    text = output(java, *options, "-cp", path, "samples.pgjdbc.Before", "--seconds", seconds)
    return float(re.search(r"([\d.]+)/s", text).group(1))


def pins(jar, name):
    recording = os.path.join(folder, name + ".jfr")
    agent = os.path.join(top, "agent", "target", "vtdiag.jar")
    run(jar, f"-javaagent:{agent}=output={recording}")
    report = json.loads(output(vtdiag, "analyze", recording, "--json"))
    return report["total"]["count"], report["total"]["totalNanos"] / 1e9


library = os.listdir(os.path.join(samples, "lib")) if os.path.isdir(os.path.join(samples, "lib")) else []
os.makedirs(folder, exist_ok=True)
variants = {"42.5.4": old, "42.5.4 patched by vtdiag": patched(), "42.7.14": new}
# The first round unpacks the server and warms the page cache.
results = figures.interleaved({name: lambda jar=jar: run(jar) for name, jar in variants.items()}, runs)
for name, rates in results.items():
    count, total = pins(variants[name], name.replace(" ", "-"))
    figures.record("patched-pgjdbc", name, "queries", rates, "/s")
    figures.record("patched-pgjdbc", name, "pins of 1 ms or more", count, "")
    figures.record("patched-pgjdbc", name, "pinned, in carrier-seconds", total, "s")
    if name != "42.7.14":
        figures.record("patched-pgjdbc", name, "of the queries of 42.7.14", figures.ratios(rates, results["42.7.14"]), "")
