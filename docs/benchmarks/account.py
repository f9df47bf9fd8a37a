#!/usr/bin/env python3
"""The account of the carriers' time, against a program that says what it really did.

Usage: account.py JAVA_HOME agent|default|profile [SECONDS] [CARRIERS] [SHARES]      (after the build)

Runs samples.knownshares.KnownShares for SECONDS (60) on CARRIERS (2), recorded by the agent or by plain JFR with that
settings file, and compares what `vtdiag analyze` says with what the program measured itself, in points: percent of all
carrier time. SHARES are java,native,file,pinned in percent (30,20,10,25; with more than 4 carriers 4,3,2,30, which two
processors can give).                                                  goal: each share within 3 points, over 60 s

Plain JFR does not tell all: what it says is "at least" is held to be no more than there was.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import figures

here = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(os.path.dirname(here))
home, recorder = sys.argv[1], sys.argv[2]
seconds = sys.argv[3] if len(sys.argv) > 3 else "60"
carriers = sys.argv[4] if len(sys.argv) > 4 else "2"
shares = sys.argv[5] if len(sys.argv) > 5 else "30,20,10,25" if int(carriers) <= 4 else "4,3,2,30"
GOAL = 3.0

with tempfile.TemporaryDirectory() as folder:
    recording = os.path.join(folder, "account.jfr")
    agent = os.path.join(top, "agent", "target", "vtdiag.jar")
    record = {
        "agent": [f"-javaagent:{agent}=output={recording},summary=off,warn=off,watch=500ms"],
        "default": [f"-XX:StartFlightRecording:filename={recording},settings=default", "-Xlog:jfr*=off"],
        "profile": [f"-XX:StartFlightRecording:filename={recording},settings=profile", "-Xlog:jfr*=off"],
    }[recorder]
    target = os.path.join(top, "sample-apps", "target")
    path = ":".join([os.path.join(target, "vtdiag-samples.jar"), *glob.glob(os.path.join(target, "lib", "*.jar"))])
    out = subprocess.run(
        [os.path.join(home, "bin", "java"), *record, f"-Dseconds={seconds}", f"-Dcarriers={carriers}",
         f"-Dshares={shares}", "-cp", path, "samples.knownshares.KnownShares"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    told = dict(re.findall(r"(\w+)=(\S+)", out.strip().splitlines()[-1]))
    answer = subprocess.run(
        [os.path.join(top, "vtdiag"), "analyze", recording, "--json", "--from", told["from"], "--to", told["to"]],
        stdout=subprocess.PIPE, text=True, check=True).stdout

account = json.loads(answer)["account"]
capacity = account["capacityNanos"]
real = float(told["capacity"])
worst = 0.0
column = f"Java {figures.feature(home)}, {carriers} carriers, {recorder}"
for share in account["shares"]:
    said = 100 * share["nanos"] / capacity
    if share["use"] == "UNKNOWN":
        continue
    # The program does not name what it never does.
    truth = 100 * float(told.get(share["use"].lower(), 0)) / real
    off = said - truth
    unsaid = share["atLeast"] and off < 0
    worst = max(worst, 0 if unsaid else abs(off))
    figures.tell("account", share["use"].lower() + ": done, said", column, f"{truth:.1f}, {said:.1f}")
figures.record("account", "furthest off, in points", column, worst, "", goal=f"<= {GOAL:g}")
figures.finish(worst <= GOAL)
