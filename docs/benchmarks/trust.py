#!/usr/bin/env python3
"""Whether the gate can be trusted: a run that pins fails, one that does not passes, every time.

Usage: trust.py JAVA21_HOME JAVA25_HOME [RUNS]     (after the build; 100 runs of each kind take half an hour)

Each run is a JVM of its own and a gate of its own, as the README has them: with the agent and `--max-pin 50ms`, and with a
recording that JFR makes by itself and `--max-pin 50ms --allow-unwatched`. Pins are 100 ms long: in a monitor on 21; in a class
initializer and in Java that native code calls, by turns, on 25, where monitors do not pin. What does not pin waits as long, under a
ReentrantLock and behind a Semaphore. Exit code 10 if any verdict is another one.
Nothing else may run: what a watch without a processor did not see is NO_DATA, and no PASS.
"""
import os
import subprocess
import sys
import tempfile

import figures

if len(sys.argv) < 3:
    sys.exit(__doc__)
homes, runs = {21: sys.argv[1], 25: sys.argv[2]}, int(sys.argv[3]) if len(sys.argv) > 3 else 100
here = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(os.path.dirname(here))
agent = os.path.join(top, "agent", "target", "vtdiag.jar")
gate = [os.path.join(homes[25], "bin", "java"), "-XX:TieredStopAtLevel=1", "-jar",
        os.path.join(top, "analyzer", "target", "vtdiag-cli.jar"), "gate"]
PROGRAMS = {
    (21, "pins"): [["Trusted", "monitor"]],
    (25, "pins"): [["Trusted", "initializer"], ["--enable-native-access=ALL-UNNAMED", "TrustedNative"]],
    (21, "does not pin"): [["Trusted", "lock"]],
    (25, "does not pin"): [["Trusted", "lock"]],
}
VERDICTS = {0: "PASS", 1: "FAIL", 4: "NO_DATA"}
CARRIERS = ["-Djdk.virtualThreadScheduler.parallelism=2"]


def compile_programs(folder):
    for source, release in ("Trusted.java", "21"), ("TrustedNative.java", "25"):
        subprocess.run([os.path.join(homes[25], "bin", "javac"), "--release", release, "-cp", folder, "-d", folder,
                        os.path.join(here, source)], check=True)


def run(folder, jdk, way, program):
    recording = os.path.join(folder, "app.jfr")
    if os.path.exists(recording):
        os.remove(recording)
    record = ([f"-javaagent:{agent}=output={recording}"] if way == "agent"
              else [f"-XX:StartFlightRecording=filename={recording}", "-Xlog:disable"])
    ran = subprocess.run([os.path.join(homes[jdk], "bin", "java"), *CARRIERS, *record, "-cp", folder, *program],
                         capture_output=True, text=True)
    if ran.returncode != 0:
        return "the program failed", ran.stderr
    judged = subprocess.run(gate + [recording, "--max-pin", "50ms"] + (["--allow-unwatched"] if way == "JFR" else []),
                            capture_output=True, text=True)
    return VERDICTS.get(judged.returncode, f"exit code {judged.returncode}"), judged.stdout + judged.stderr


wrong = 0
with tempfile.TemporaryDirectory() as folder:
    compile_programs(folder)
    for way in "agent", "JFR":
        for (jdk, kind), programs in PROGRAMS.items():
            expected = "FAIL" if kind == "pins" else "PASS"
            right = 0
            for number in range(runs):
                verdict, text = run(folder, jdk, way, programs[number % len(programs)])
                if verdict == expected:
                    right += 1
                else:
                    print(f"run {number + 1}: {verdict} instead of {expected}\n{text}", file=sys.stderr, flush=True)
            wrong += runs - right
            figures.tell("trust", f"Java {jdk}, a run that {kind}, recorded by {way}", expected, f"{right} of {runs}")
print("all as expected" if wrong == 0 else f"{wrong} wrong")
figures.finish(wrong == 0)
