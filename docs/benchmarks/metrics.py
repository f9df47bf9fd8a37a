#!/usr/bin/env python3
"""What reading the agent's metrics costs, as processor time of the JVM: metrics.py JAVA_HOME [SCRAPES]

The program pins in 1,000 places, so that a reading is as long as it gets; then it stands still, for as long with a
reader as without. Needs agent/target/vtdiag.jar and the test classes (mvn -pl agent package)."""
import os, subprocess, sys, tempfile, time, urllib.request

import figures

home, scrapes = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000
top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
tick = os.sysconf("SC_CLK_TCK")


def cpu(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / tick


def run(options, read):
    with tempfile.TemporaryDirectory() as folder:
        program = subprocess.Popen(
            [f"{home}/bin/java", "-Djdk.virtualThreadScheduler.parallelism=2",
             f"-javaagent:{top}/agent/target/vtdiag.jar=output={folder}/a.jfr,warn=off,summary=off{options}",
             "-cp", f"{top}/agent/target/test-classes", "io.github.vtdiag.agent.programs.Metered"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        url = None
        if options:
            url = program.stderr.readline().split()[2]
        program.stdout.readline()
        program.stdin.write("shorten\npin 1000\n")
        program.stdin.flush()
        program.stdout.readline()
        program.stdout.readline()
        time.sleep(5)
        pinned = cpu(program.pid)
        result = read(url, program.pid)
        program.stdin.close()
        program.wait()
        return pinned, result


def scrape(url, pid):
    size = 0
    for i in range(scrapes):
        if i == scrapes // 2:
            half = cpu(pid)
        size = len(urllib.request.urlopen(url).read())
    return (cpu(pid) - half) / (scrapes - scrapes // 2), size


def idle(url, pid):
    before = cpu(pid)
    time.sleep(20)
    return (cpu(pid) - before) / 20


rest, start = {}, {}
for name, options in (("off", ""), ("metrics=0", ",metrics=0")) * 2:
    pinned, at_rest = run(options, idle)
    rest.setdefault(name, []).append(100 * at_rest)
    start.setdefault(name, []).append(pinned)
pinned, (each, size) = run(",metrics=0", scrape)
row = f", Java {figures.feature(home)}"
for name in rest:
    figures.record("metrics", name + row, "up to and with 1,000 pins, of a processor", start[name], "s", "range")
    figures.record("metrics", name + row, "then at rest, of a processor", rest[name], "%", "range")
figures.record("metrics", "a reading" + row, "of a processor", 1e3 * each, "ms")
figures.record("metrics", "a reading" + row, "size", size / 1e3, "KB")
