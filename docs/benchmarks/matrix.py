#!/usr/bin/env python3
"""What vtdiag tells on each JDK: exact, estimated, or nothing.

Usage: matrix.py [JAVA_HOME...] runs cases of docs/evaluation on each of these JDKs (or those of JAVA_HOME_21_X64 and the like), and
                                on those that VTDIAG_NEWER_JDKS lists, separated by spaces. One that needs another C library is written ROOT:JAVA_HOME; it is started by
                                chroot ROOT, which wants root. A JDK of VERSIONS that is not among them is NOT RUN

After mvn package. Exit code 10 if something that was run is wrong.
"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

import figures

VERSIONS = (21, 25, 26, 27, 28)
SECONDS = 25
# A wait that has no owner is told once it has lasted for long.
LONG = 50
TABLE = "what vtdiag tells"
# Each with the case that shows it, and what has to be said of it.
HANGS = (("two ReentrantLocks in a circle", "LockDeadlock", "first second"),
         ("two monitors in a circle", "MonitorDeadlock", "first second"),
         ("a latch that nobody counts down", "LatchOfADeadWorker", "CountDownLatch"))
PINS = (("pin by a class initializer", "ClassInitializer", "ClassInitializer$Settings.<clinit>"),
        ("pin by a native frame", "NativeComparator", "NativeComparator.sort"),
        ("pin by a monitor", "SynchronizedMethod", "SynchronizedMethod$Account.charge"))
HEALTHY = "IdleQueue"
# What analyze calls the bottleneck of a program.
# From Java 26 on a thread that waits for a class leaves its carrier (JDK-8369238), so that the initializer keeps one of two.
VERDICTS = (("verdict on a slow class initializer", "ClassInitializer", lambda feature: "PINNED" if feature < 26 else "SOME_PINS"),
            ("verdict on a deadlock", "LockDeadlock", lambda feature: "HUNG"))
# Of the agent's tests: virtual threads on two executors, the second of which hangs.
ELSEWHERE = "io.github.vtdiag.agent.programs.Elsewhere"
elsewhere_source = os.path.join(figures.top, "agent", "src", "test", "java", *ELSEWHERE.split(".")) + ".java"
cases = os.path.join(figures.top, "docs", "evaluation", "cases")
tools = os.path.join(figures.jdk(25), "bin")


def vtdiag(*arguments):
    ran = subprocess.run([os.path.join(tools, "java"), "-jar", figures.cli, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, check=False)
    return ran.returncode, ran.stdout


def run(jdk, work, case, seconds, *options):
    """What a program printed under the agent, and its recording. It ends after so many seconds, or when its input does then."""
    recording = os.path.join(work, case + ".jfr")
    ran = subprocess.Popen([*jdk.java, *options, f"-Dseconds={seconds}", "-Djdk.virtualThreadScheduler.parallelism=2",
                          "-Djdk.virtualThreadScheduler.maxPoolSize=2", "--enable-native-access=ALL-UNNAMED",
                          f"-javaagent:{work}/vtdiag.jar=output={recording}", "-cp", work, case],
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        ran.wait(seconds)
    except subprocess.TimeoutExpired:
        pass
    return ran.communicate()[0], recording


def analyzed(recording, work):
    """A report, or what was said in its place."""
    code, text = vtdiag("analyze", recording, "-q", "--json", "--classpath", work)
    return text.strip().splitlines()[-1] if code else json.loads(text)


def verdict(work, case, kind):
    """Of a case that ran before."""
    report = analyzed(os.path.join(work, case + ".jfr"), work)
    said = report if isinstance(report, str) else report["verdict"]["kind"]
    return "right" if said == kind else "WRONG: " + said


def watched(recording):
    """The last word of the watch: its fields."""
    text = figures.output(os.path.join(tools, "jfr"), "print", "--json", "--events", "vtdiag.Watch", recording)
    events = json.loads(text)["recording"]["events"]
    return events[-1]["values"] if events else {}


def pin(jdk, work, case, holder):
    _, recording = run(jdk, work, case, SECONDS / 4)
    report = analyzed(recording, work)
    if isinstance(report, str):
        return "WRONG: " + report
    findings = report["findings"]
    if not findings:
        # The monitors that keep no carrier from Java 24 on, and a class initializer that has none to wait for it.
        return "no pin" if jdk.feature >= 24 and case == "SynchronizedMethod" else "WRONG: no finding"
    site = findings[0]["site"]
    named = f"{site['class']}.{site['method'] or ('<clinit>' if 'INITIALI' in site['kind'] else '?')}"
    return "exact" if named == holder else "WRONG: " + named


def hang(jdk, work, case, names):
    said, recording = run(jdk, work, case, LONG if case == "LatchOfADeadWorker" else SECONDS)
    code, gate = vtdiag("gate", "--max-count", "1000000", recording)
    named = re.search("|".join(names.split()), said + gate)
    kind = re.search(r"\[vtdiag\] (probably a )?(deadlock|starved|stalled|lock never released|lost wake-up)", said)
    if code == 0 or not named or not kind:
        return f"WRONG: exit code {code}, {kind and kind[0]}"
    return "estimated" if kind[1] else "exact"


def healthy(jdk, work):
    said, recording = run(jdk, work, HEALTHY, SECONDS)
    code, gate = vtdiag("gate", "--max-count", "1000000", recording)
    alarms = re.findall(r"\[vtdiag\] (?:probably a )?(?:deadlock|starved|stalled|hung).*", said)
    last = watched(recording)
    report = analyzed(recording, work)
    account = "off" if isinstance(report, str) or "WATCH" in report["account"]["missing"] else "estimated, by samples"
    return ("PASS, no alarm" if code == 0 and not alarms else "WRONG: " + (alarms or gate.strip().splitlines())[-1],
            "exact" if last.get("exact") else "estimated" if last.get("looks") else "off",
            account,
            "; ".join(dict.fromkeys(re.findall(r"\[vtdiag\] (.*\bwithout\b.*|cannot .*)", said))) or "nothing")


def elsewhere(jdk, work):
    said, _ = run(jdk, work, ELSEWHERE, SECONDS, "--add-opens=java.base/java.lang=ALL-UNNAMED")
    if "NoSuchMethodException" in said:
        return "this JDK has no such way"
    return "exact" if "of a scheduler that is not the JDK's (event-0, event-1) are kept" in said else "WRONG: " + said.strip().splitlines()[-1]


def tell_of(given):
    jdk = figures.Jdk(given)
    work = jdk.folder()
    column = f"Java {jdk.feature}"
    wrong = False
    try:
        shutil.copy(figures.agent, os.path.join(work, "vtdiag.jar"))
        names = [case for _, case, _ in (*HANGS, *PINS)] + [HEALTHY]
        names = [name for name in names if jdk.feature >= 25 or name != "NativeComparator"]
        figures.output(os.path.join(tools, "javac"), "--release", str(min(25, jdk.feature)), "-nowarn", "-proc:none", "-g", "-d", work,
                       os.path.join(os.path.dirname(cases), "Case.java"), *(os.path.join(cases, name + ".java") for name in names), elsewhere_source)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            asked = {row: pool.submit(pin, jdk, work, case, holder) for row, case, holder in PINS if case in names}
            asked |= {row: pool.submit(hang, jdk, work, case, words) for row, case, words in HANGS}
            asked["deadlock on another scheduler"] = pool.submit(elsewhere, jdk, work)
            idle = pool.submit(healthy, jdk, work)
        told = {"version": jdk.version}
        told |= {row: answer.result() for row, answer in asked.items()}
        told |= {row: verdict(work, case, kind(jdk.feature)) for row, case, kind in VERDICTS}
        told |= dict(zip(("gate on an idle program", "how often each carrier mounts", "where the carriers' time went", "what the agent says it goes without"),
                         idle.result()))
        for row, text in told.items():
            figures.tell(TABLE, row, column, text)
            wrong |= text.startswith("WRONG")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return jdk.feature, wrong


# As CI's images and actions call them.
installed = [home for name, home in sorted(os.environ.items()) if re.fullmatch(r"JAVA_HOME_2\d_\w+", name)]
given = [*(sys.argv[1:] or installed), *figures.newer_jdks()]
if not given:
    sys.exit(__doc__)
done = [tell_of(each) for each in given]
for version in VERSIONS:
    if version not in (feature for feature, _ in done):
        figures.tell(TABLE, "version", f"Java {version}", "NOT RUN")
sys.exit(figures.MISSED if any(wrong for _, wrong in done) else 0)
