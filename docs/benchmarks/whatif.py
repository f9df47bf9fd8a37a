#!/usr/bin/env python3
"""What the agent's what-if (rewrite=auto) brings and costs.

Usage: whatif.py own|hsqldb|pgjdbc JAVA_HOME [RUNS [SECONDS]]
       whatif.py uncontended JAVA_HOME [FORKS]
After mvn verify, which builds the agent and the samples.

own          500 virtual threads, 10 ms in a synchronized method of their own objects
hsqldb       a HSQLDB 2.7.4 server in process, 200 connections, a function of 10 ms
pgjdbc       pgjdbc 42.5.4 and 42.7.14 against an embedded PostgreSQL, queries of 25 ms
uncontended  JMH: entering and leaving, by one thread

Runs are interleaved; medians with their range. All variants run under the agent, so that recording costs the same.
"""
import glob
import os
import re
import statistics
import subprocess
import sys
import tempfile

what = sys.argv[1]
java = os.path.join(sys.argv[2], "bin", "java")
here = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(os.path.dirname(here))
agent = os.path.join(top, "agent", "target", "vtdiag.jar")
samples = os.path.join(top, "sample-apps", "target")
JMH = ["org.openjdk.jmh:jmh-core:1.37", "org.openjdk.jmh:jmh-generator-annprocess:1.37",
       "net.sf.jopt-simple:jopt-simple:5.0.4", "org.apache.commons:commons-math3:3.6.1"]


def output(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


def fetch(folder, *artifacts):
    for artifact in artifacts:
        output("mvn", "-B", "-q", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={folder}", cwd=folder)
    return os.pathsep.join(sorted(glob.glob(os.path.join(folder, "*.jar"))))


def compile(folder, program, path, *options):
    javac = os.path.join(output(os.path.join(top, "vtdiag"), "jdk", "25").strip(), "bin", "javac")
    output(javac, "--release", "21", "-nowarn", *options, "-cp", path or folder, "-d", folder, os.path.join(here, program))
    return os.pathsep.join(filter(None, [folder, path]))


def attached(folder, options):
    return f"-javaagent:{agent}=output={folder}/x.jfr,warn=off,summary=off{options}"


def throughput(folder, variants, ratios):
    """variants: name -> agent's options, java's options, class path, program and its arguments."""
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    seconds = sys.argv[4] if len(sys.argv) > 4 else "5"
    rates = {name: [] for name in variants}
    for _ in range(runs):
        for name, (options, more, path, program) in variants.items():
            text = output(java, attached(folder, options), *more, "-cp", path, *program, seconds)
            rates[name].append(float(re.search(r"([\d.]+)(?: ops)?/s", text).group(1)))
    for name, values in rates.items():
        print(f"{name:24} {statistics.median(values):9.1f}/s  ({min(values):.1f}-{max(values):.1f})")
    for a, b in ratios:
        pairs = [x / y for x, y in zip(rates[a], rates[b])]
        print(f"{a} / {b}: {statistics.median(pairs):.3f} ({min(pairs):.3f}-{max(pairs):.3f})")


with tempfile.TemporaryDirectory() as folder:
    if what == "own":
        path = compile(folder, "OwnLocks.java", "")
        program = ["OwnLocks"]
        throughput(folder, {"monitors": ("", [], path, program),
                            "what-if": (",rewrite=auto", [], path, program),
                            "hand-written lock": ("", ["-Dlock=true"], path, program)},
                   [("what-if", "monitors"), ("what-if", "hand-written lock")])
    elif what == "hsqldb":
        path = compile(folder, "HsqldbServing.java", fetch(folder, "org.hsqldb:hsqldb:2.7.4"))
        program = ["HsqldbServing"]
        throughput(folder, {"monitors": ("", [], path, program), "what-if": (",rewrite=auto", [], path, program)},
                   [("what-if", "monitors")])
    elif what == "pgjdbc":
        library = os.pathsep.join([os.path.join(samples, "vtdiag-samples.jar"),
                                   *sorted(glob.glob(os.path.join(samples, "lib", "*.jar")))])
        old, new = (library + os.pathsep + os.path.join(samples, f"lib-{variant}", "pgjdbc", f"postgresql-{version}.jar")
                    for variant, version in (("before", "42.5.4"), ("after", "42.7.14")))
        program = ["samples.pgjdbc.Before", "--seconds"]
        throughput(folder, {"42.5.4": ("", [], old, program),
                            "42.5.4 what-if": (",rewrite=auto", [], old, program),
                            "42.7.14": ("", [], new, program)},
                   [("42.5.4 what-if", "42.5.4"), ("42.5.4 what-if", "42.7.14")])
    elif what == "uncontended":
        jars = fetch(folder, *JMH)
        path = compile(folder, "Uncontended.java", jars, "-processorpath", jars)
        forks = sys.argv[3] if len(sys.argv) > 3 else "5"
        for name, options in (("monitors", ""), ("what-if", ",rewrite=uncontended.Uncontended")):
            text = output(java, "-cp", path, "org.openjdk.jmh.Main", "-f", forks, "-wi", "5", "-w", "500ms", "-i", "5",
                          "-r", "500ms", "-jvmArgsAppend", attached(folder, options), "Uncontended", cwd=folder)
            print(name + "\n" + "\n".join(re.findall(r"^(?:Benchmark|Uncontended\.).*ns/op$|^Benchmark .*", text, re.MULTILINE)))
    else:
        sys.exit(__doc__)
