#!/usr/bin/env python3
"""Throughput with the agent against without it, in interleaved pairs (A B B A ...).

Usage: throughput.py JAVA_HOME http|http-idle|switching [PAIRS] [SECONDS] [--work=MICROSECONDS]      (after the build)

http       HttpServing.java, 100 us of work a request (--work): bare JVM against the agent with its defaults, which
           are samples, file events and looks too                               goal: median ratio at least 0.97
http-idle  the same without the work (--work=0): nothing but switching and sockets, some 20 us a request
switching  Switching.java: a plain JFR recording of the same events (same-events.jfc) against the agent with
           threshold=0ms, so that both record every pin                         goal: median ratio at least 0.98
"""
import os
import statistics
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(os.path.dirname(here))
agent = os.path.join(top, "agent", "target", "vtdiag.jar")
work = {"http": "100", "http-idle": "0"}
arguments = []
for argument in sys.argv[1:]:
    if argument.startswith("--work=") and argument[7:].isdigit():
        work["http"] = argument[7:]
    else:
        arguments.append(argument)
if any(each.startswith("-") for each in arguments) or not 2 <= len(arguments) <= 4:
    sys.exit(__doc__)
if arguments[1] not in [*work, "switching"]:
    sys.exit(__doc__)
if work["http"] != "100" and arguments[1] != "http":
    sys.exit("--work is the work of a request of http; http-idle has none, and switching has its own")
home, workload = arguments[:2]
pairs = max(2, int(arguments[2])) if len(arguments) > 2 else 10
seconds = arguments[3] if len(arguments) > 3 else "5"

with tempfile.TemporaryDirectory() as folder:
    program = {"http": "HttpServing", "http-idle": "HttpServing", "switching": "Switching"}[workload]
    compiler = subprocess.run([os.path.join(top, "vtdiag"), "jdk", "25"], capture_output=True, text=True, check=True)
    javac = os.path.join(compiler.stdout.strip(), "bin", "javac")
    subprocess.run([javac, "--release", "21", "-d", folder, os.path.join(here, program + ".java")], check=True)
    parameters = [seconds] + ([work[workload]] if workload in work else [])
    if workload != "switching":
        baseline, name = [], "bare"
        observed = [f"-javaagent:{agent}=output={folder}/agent.jfr,summary=off"]
    else:
        jfc = os.path.join(here, "same-events-24.jfc" if "25" in home else "same-events.jfc")
        baseline, name = [
            f"-XX:StartFlightRecording:filename={folder}/jfr.jfr,settings={jfc}",
            "-XX:FlightRecorderOptions:stackdepth=512", "-Xlog:jfr+startup=off", "-Xlog:jfr*=off"], "plain JFR"
        observed = [f"-javaagent:{agent}=output={folder}/agent.jfr,threshold=0ms,summary=off,warn=off"]

    def run(options):
        out = subprocess.run(
            [os.path.join(home, "bin", "java"), *options, "-cp", folder, program, *parameters],
            capture_output=True, text=True, check=True).stdout
        lines = out.strip().splitlines()
        # Of the programs that tell it: what other processes take counts less there than in requests a second.
        processor = float(lines[-2].split()[0]) if len(lines) > 1 and "processor time" in lines[-2] else 0.0
        return float(lines[-1]), processor

    run(baseline)  # warms the page cache
    ratios, processors, a_values, b_values = [], [], [], []
    for pair in range(pairs):
        if pair % 2 == 0:
            (a, a_cpu), (b, b_cpu) = run(baseline), run(observed)
        else:
            (b, b_cpu), (a, a_cpu) = run(observed), run(baseline)
        a_values.append(a)
        b_values.append(b)
        ratios.append(b / a)
        if b_cpu:
            processors.append(a_cpu / b_cpu)
        print(f"pair {pair + 1:2}: {name} {a:10.0f}/s   agent {b:10.0f}/s   ratio {b / a:.3f}", flush=True)

low, median, high = statistics.quantiles(ratios, n=4)
print(f"{workload}: {name} {statistics.median(a_values):.0f}/s, agent {statistics.median(b_values):.0f}/s, "
      f"median ratio {median:.3f} (quartiles {low:.3f}-{high:.3f})")
if processors:
    print(f"{workload}: median ratio of requests a processor-second {statistics.median(processors):.3f}")
