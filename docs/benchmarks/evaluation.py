#!/usr/bin/env python3
"""What vtdiag and the JDK's own tools say of programs whose truth is known.

Usage: evaluation.py JAVA_HOME [SECONDS] [NAME]   runs the programs of docs/evaluation/cases whose names match NAME; those
                                                  that pin for an eighth of SECONDS (50). EVALUATION_WORDS=1 prints what each
                                                  tool said where it was wrong

A case is one file. Its first lines, each behind ///, say the story, on which Javas it runs, its kind (pin, stands still,
healthy), the truth and where that comes from. Of a pin, `holder` names the methods that are right; of a program that stands
still, `names` has words one of which says what it waits for. After mvn package. Exit code 10 if vtdiag is wrong somewhere.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import figures

home = sys.argv[1]
seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 50
wanted = sys.argv[3] if len(sys.argv) > 3 else ""
feature = figures.feature(home)
column = f"Java {feature}"
java, jcmd = os.path.join(home, "bin", "java"), os.path.join(figures.jdk(25), "bin", "jcmd")
folder = os.path.join(figures.top, "docs", "evaluation")
AGENT, PLAIN = "vtdiag with its agent", "vtdiag analyze of a plain recording"
HANG = "vtdiag hang, without the agent"
VIEW, TRACE = "jfr view pinned-threads", "-Djdk.tracePinnedThreads"
PRINT, DUMP = "jcmd Thread.print", "jcmd Thread.dump_to_file"
LIVE = re.compile(r"\[vtdiag\] ((probably a )?deadlock|starved|stalled|lock never released|lost wake-up|hung )")


class Case:
    def __init__(self, file):
        self.name = os.path.basename(file).removesuffix(".java")
        with open(file, encoding="utf-8") as source:
            told = dict(re.findall(r"^/// (\w+): (.*)$", source.read(), re.MULTILINE))
        self.javas, self.kind, self.needs = [int(each) for each in told["java"].split()], told["kind"], told.get("needs", "").split()
        self.holders, self.names = told.get("holder", "").split(), told.get("names", "").split()

    def run(self, path, work, *options):
        """The process, which has begun, and what it prints."""
        file = open(os.path.join(work, self.name + str(time.monotonic_ns())), "w+", encoding="utf-8")
        time_to_run = seconds if self.kind != "pin" else seconds / 8
        return subprocess.Popen([java, f"-Dseconds={time_to_run}", "-Djdk.virtualThreadScheduler.parallelism=2",
                                 "-Djdk.virtualThreadScheduler.maxPoolSize=2", "--enable-native-access=ALL-UNNAMED",
                                 *options, "-cp", path, self.name],
                                stdout=file, stderr=subprocess.STDOUT, cwd=work), file, time_to_run


def ended(started):
    process, file, _ = started
    process.wait()
    file.seek(0)
    return file.read()


def vtdiag(*arguments):
    ran = subprocess.run([os.path.join(figures.jdk(25), "bin", "java"), "-jar", figures.cli, *arguments],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return ran.returncode, ran.stdout


def first_holder(recording, path):
    """The method that the first entry of a report names."""
    code, text = vtdiag("analyze", recording, "-q", "--json", "--classpath", path, "--jdk", home)
    if code:
        return text
    findings = json.loads(text)["findings"]
    if not findings:
        return "nothing"
    site = findings[0]["site"]
    # Of a class that others initialize, the entry names the class.
    return f"{site['class']}.{site['method'] or ('<clinit>' if 'INITIALI' in site['kind'] else '?')}"


def viewed(recording):
    """The methods of the JDK's view, the costliest first."""
    text = figures.output(os.path.join(figures.jdk(25), "bin", "jfr"), "view", "--width", "400", "pinned-threads", recording)
    rows = re.findall(r"^(\S+)\(.*?\)?\s+\d+ +[\d.]+ \w+ +[\d.]+ \w+ *$", text, re.MULTILINE)
    return rows or ["nothing"]


def traced(text):
    """The innermost frame of the first trace that the JDK marks as holding a monitor."""
    mark = re.search(r"^\s+(?:[\w.@]+/)?([\w.$<>]+)\(.*<== monitors:", text, re.MULTILINE)
    return mark.group(1) if mark else "nothing" if not text.strip() else "no mark"


def printed(text):
    """The method below which the first virtual thread of a dump has locked something."""
    for part in text.split("\n\n"):
        if "irtual thread" in part:
            marked = re.search(r"at (?:[\w.@]+/)?([\w.$<>]+)\([^\n]*\n\s+- locked", part)
            if marked:
                return marked.group(1)
    return "nothing"


def dumped(file):
    """The frame at which the first virtual thread of a dump owns a monitor, as far as the dump says."""
    try:
        with open(file, encoding="utf-8") as source:
            containers = json.load(source)["threadDump"]["threadContainers"]
    except (OSError, json.JSONDecodeError):  # The JVM wrote none, or ended meanwhile.
        return "no dump"
    for thread in (thread for container in containers for thread in container["threads"]):
        for owned in thread.get("monitorsOwned", []) if thread.get("virtual") else []:
            frame = thread["stack"][int(owned["depth"])]
            return re.sub(r"^[\w.@]+/", "", frame).split("(")[0]
    return "nothing"


def thread_print(started):
    """What jcmd Thread.print says in the middle of the run."""
    process, _, time_to_run = started
    time.sleep(time_to_run * 0.4)
    return subprocess.run([jcmd, str(process.pid), "Thread.print"], stdout=subprocess.PIPE, text=True, check=False).stdout


def pin(case, path, work):
    """Tool to the method that it names first."""
    said = {}
    with_agent, plain = (os.path.join(work, f"{case.name}-{kind}.jfr") for kind in ("agent", "plain"))
    ended(case.run(path, work, f"-javaagent:{figures.agent}=output={with_agent},summary=off"))
    said[AGENT] = first_holder(with_agent, path)
    ended(case.run(path, work, f"-XX:StartFlightRecording:settings=profile,filename={plain}"))
    said[PLAIN], said[VIEW] = first_holder(plain, path), viewed(plain)[0]
    if feature < 24:
        said[TRACE] = traced(ended(case.run(path, work, "-Djdk.tracePinnedThreads=full")))
    started = case.run(path, work)
    text = thread_print(started)
    file = os.path.join(work, case.name + ".json")
    subprocess.run([jcmd, str(started[0].pid), "Thread.dump_to_file", "-format=json", "-overwrite", file], stdout=subprocess.DEVNULL, check=False)
    said[PRINT], said[DUMP] = printed(text), dumped(file)
    ended(started)
    return {tool: (named in case.holders, named) for tool, named in said.items()}


def hang(case, path, work):
    """Tool to whether it says that the program stands still, and waits for what."""
    recording = os.path.join(work, case.name + ".jfr")
    started = case.run(path, work, f"-javaagent:{figures.agent}=output={recording}")
    text = thread_print(started)
    summary = ended(started)
    code, gate = vtdiag("gate", "--max-count", "1000000", recording)
    live = [line for line in summary.splitlines() if LIVE.search(line)]
    without = case.run(path, work)
    time.sleep(without[2] * 0.8)
    hang_code, hang_text = vtdiag("hang", str(without[0].pid))
    ended(without)
    deadlock = "deadlock" in text
    if case.kind == "healthy":
        return {AGENT: (not live and code == 0, "\n".join(live) + gate), HANG: (hang_code != 1, hang_text), PRINT: (not deadlock, text)}
    names = re.compile("|".join(map(re.escape, case.names)))
    return {AGENT: (code != 0 and bool(names.search(summary + gate)), summary + gate),
            HANG: (hang_code == 1 and bool(names.search(hang_text)), hang_text), PRINT: (deadlock, "no deadlock is named")}


def main():
    files = [os.path.join(folder, "cases", name) for name in sorted(os.listdir(os.path.join(folder, "cases")))]
    cases = [case for case in map(Case, files) if feature in case.javas and re.search(wanted, case.name)]
    results = {}
    with tempfile.TemporaryDirectory() as work:
        jars = figures.fetched(work, *sorted({need for case in cases for need in case.needs}))
        path = os.pathsep.join([work, *jars])
        figures.output(os.path.join(figures.jdk(25), "bin", "javac"), "--release", "21" if feature < 25 else "25", "-nowarn", "-proc:none", "-g", "-cp", path,
                       "-d", work, os.path.join(folder, "Case.java"), *(os.path.join(folder, "cases", case.name + ".java") for case in cases))
        pins = [case for case in cases if case.kind == "pin"]
        others = [case for case in cases if case.kind != "pin"]
        for at_a_time, group, judge in ((2, pins, pin), (4, others, hang)):
            with concurrent.futures.ThreadPoolExecutor(at_a_time) as pool:
                for case, said in zip(group, pool.map(lambda case: judge(case, path, work), group)):
                    results[case] = said
                    for tool, (right, words) in said.items():
                        print(f"  {case.name:26} {tool:38} {'right' if right else 'WRONG ' + words.strip().splitlines()[-1][:70] if words.strip() else 'WRONG'}",
                              flush=True)
                        if not right and os.environ.get("EVALUATION_WORDS"):
                            print("    | " + words.strip().replace("\n", "\n    | "), flush=True)
    return results


results = main()
met = True
for kind, table in (("pin", "holder"), ("stands still", "hang"), ("healthy", "healthy")):
    of_kind = {case: said for case, said in results.items() if case.kind == kind}
    for tool in sorted({tool for said in of_kind.values() for tool in said}, key=[AGENT, PLAIN, HANG, VIEW, TRACE, PRINT, DUMP].index):
        asked_of = [case for case, said in of_kind.items() if tool in said]
        missed = [case.name for case in asked_of if not of_kind[case][tool][0]]
        figures.tell(table, tool, column, f"{len(asked_of) - len(missed)} of {len(asked_of)}"
                     + (": not " + ", ".join(missed) if missed and tool in (AGENT, PLAIN, HANG) else ""))
        met = met and not (missed and tool == AGENT)
sys.exit(0 if met else figures.MISSED)
