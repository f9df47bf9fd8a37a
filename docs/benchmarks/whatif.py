#!/usr/bin/env python3
"""What the agent's what-if (rewrite=auto) brings and costs.

Usage: whatif.py own|hsqldb|pgjdbc JAVA_HOME [RUNS [SECONDS]]
       whatif.py uncontended JAVA_HOME [FORKS]
       whatif.py one-hot-lock|java-25 JAVA_HOME [SECONDS]     what vtdiag compare says
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
import sys
import tempfile

import figures

what = sys.argv[1]
java = os.path.join(sys.argv[2], "bin", "java")
samples = figures.samples
# The benchmarks of Uncontended.java.
ENTERED = {"method": "synchronized method", "block": "block on an object of another class",
           "openBlock": "block where the object decides whether it keeps its monitor", "handWrittenLock": "hand-written lock"}
JMH = ["org.openjdk.jmh:jmh-core:1.37", "org.openjdk.jmh:jmh-generator-annprocess:1.37",
       "net.sf.jopt-simple:jopt-simple:5.0.4", "org.apache.commons:commons-math3:3.6.1"]


def attached(folder, options):
    return f"-javaagent:{figures.agent}=output={folder}/x.jfr,warn=off,summary=off{options}"


def throughput(folder, variants, ratios):
    """variants: name -> agent's options, java's options, class path, program and its arguments."""
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    seconds = sys.argv[4] if len(sys.argv) > 4 else "5"

    def run(options, more, path, program):
        text = figures.output(java, attached(folder, options), *more, "-cp", path, *program, seconds)
        return float(re.search(r"([\d.]+)(?: ops)?/s", text).group(1))

    rates = figures.interleaved({name: lambda variant=variant: run(*variant) for name, variant in variants.items()}, runs, warm=0)
    for name, values in rates.items():
        figures.record("throughput", what, name, values, "/s", "range")
    for a, b, goal in ratios:
        figures.record("ratio", f"{what}: {a} / {b}", "pair by pair", figures.ratios(rates[a], rates[b]), "times", "range", goal=goal)


def uncontended(folder, forks):
    jars = os.pathsep.join(figures.fetched(folder, *JMH))
    path = figures.compiled(folder, "Uncontended", path=jars, options=["-processorpath", jars])
    times = {}
    for name, options in (("monitor", ""), ("what-if", ",rewrite=uncontended.Uncontended")):
        text = figures.output(java, "-cp", path, "org.openjdk.jmh.Main", "-f", forks, "-wi", "5", "-w", "500ms", "-i", "5",
                              "-r", "500ms", "-jvmArgsAppend", attached(folder, options), "Uncontended", cwd=folder)
        for benchmark, classes, nanos in re.findall(r"^Uncontended\.(\S+) +(\d+) +avgt +\d+ +([\d.]+) .*ns/op$", text, re.MULTILINE):
            row = f"{ENTERED[benchmark]}, {classes} {'class' if classes == '1' else 'classes'}"
            times.setdefault(row, {})[name] = float(nanos)
    feature = figures.feature(sys.argv[2])
    for benchmark, of in times.items():
        for name, nanos in of.items():
            figures.record("uncontended", benchmark, f"{name}, Java {feature}", nanos, "ns")
        if len(of) == 2:
            figures.record("uncontended", benchmark, f"ratio, Java {feature}", of["what-if"] / of["monitor"], "", goal="<= 2")


def compared(folder, program, *operations):
    """What vtdiag compare prints of it."""
    path = figures.compiled(folder, program.split()[0])
    command = [figures.vtdiag, "compare", "--jdk", sys.argv[2], "--what-if", "auto", *operations, "--", "-cp", path, *program.split()]
    figures.block(what, figures.output(*command))


with tempfile.TemporaryDirectory() as folder:
    if what == "own":
        path = figures.compiled(folder, "OwnLocks")
        program = ["OwnLocks"]
        throughput(folder, {"monitors": ("", [], path, program),
                            "what-if": (",rewrite=auto", [], path, program),
                            "hand-written lock": ("", ["-Dlock=true"], path, program)},
                   [("what-if", "monitors", ">= 150"), ("what-if", "hand-written lock", ">= 0.95")])
    elif what == "hsqldb":
        path = figures.compiled(folder, "HsqldbServing", path=os.pathsep.join(figures.fetched(folder, "org.hsqldb:hsqldb:2.7.4")))
        program = ["HsqldbServing"]
        throughput(folder, {"monitors": ("", [], path, program), "what-if": (",rewrite=auto", [], path, program)},
                   [("what-if", "monitors", ">= 50")])
    elif what == "pgjdbc":
        library = os.pathsep.join([os.path.join(samples, "vtdiag-samples.jar"),
                                   *sorted(glob.glob(os.path.join(samples, "lib", "*.jar")))])
        old, new = (library + os.pathsep + os.path.join(samples, f"lib-{variant}", "pgjdbc", f"postgresql-{version}.jar")
                    for variant, version in (("before", "42.5.4"), ("after", "42.7.14")))
        program = ["samples.pgjdbc.Before", "--seconds"]
        throughput(folder, {"42.5.4": ("", [], old, program),
                            "42.5.4 what-if": (",rewrite=auto", [], old, program),
                            "42.7.14": ("", [], new, program)},
                   [("42.5.4 what-if", "42.5.4", None), ("42.5.4 what-if", "42.7.14", ">= 0.9")])
    elif what == "uncontended":
        uncontended(folder, sys.argv[3] if len(sys.argv) > 3 else "5")
    elif what == "one-hot-lock":
        compared(folder, f"HotLock {sys.argv[3] if len(sys.argv) > 3 else 10}",
                 "--operations", r"shared=shared: ([\d.]+) ops/s", "--operations", r"unrelated=unrelated: ([\d.]+) ops/s")
    elif what == "java-25":
        compared(folder, f"OwnLocks {sys.argv[3] if len(sys.argv) > 3 else 8}")
    else:
        sys.exit(__doc__)
