#!/usr/bin/env python3
"""What vtdiag and the JDK's own tools say of programs whose truth is known.

Usage: evaluation.py JAVA_HOME [SECONDS] [NAME] [PART]   runs the programs of docs/evaluation/cases whose names match NAME; those
                                                         that pin for an eighth of SECONDS (50). EVALUATION_WORDS=1 prints what
                                                         each tool said where it was wrong. PART is one of holder, advice, hang
                                                         and healthy: only that is asked

A case is one file. Its first lines, each behind ///, say the story, on which Javas it runs, its kind (pin, stands still,
healthy), the truth and where that comes from. Of a pin, `holder` names the methods that are right, `advice` what helps, and
`proof` whence that is known; of a program that stands still, `names` has words one of which says what it waits for. After mvn
package. Exit code 10 if vtdiag is wrong somewhere, or if a proof does not hold.
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
part = sys.argv[4] if len(sys.argv) > 4 else ""
if part not in ("", "holder", "advice", "hang", "healthy"):
    sys.exit(__doc__)
feature = figures.feature(home)
column = f"Java {feature}"
java, jcmd = os.path.join(home, "bin", "java"), os.path.join(figures.jdk(25), "bin", "jcmd")
folder = os.path.join(figures.top, "docs", "evaluation")
AGENT, PLAIN = "vtdiag with its agent", "vtdiag analyze of a plain recording"
HANG = "vtdiag hang, without the agent"
VIEW, TRACE = "jfr view pinned-threads", "-Djdk.tracePinnedThreads"
PRINT, DUMP = "jcmd Thread.print", "jcmd Thread.dump_to_file"
# No tool of the JDK says what to do.
WITHOUT_ADVICE = (VIEW, TRACE, PRINT, DUMP)
ADVICE = {"REWRITE": "rewrite", "UPGRADE_LIBRARY": "upgrade", "CHANGE_PATTERN": "pattern", "UPGRADE_JDK": "java", "KEEP": "none"}
LIVE = re.compile(r"\[vtdiag\] ((probably a )?deadlock|starved|stalled|lock never released|lost wake-up|hung )")


class Case:
    def __init__(self, file):
        self.name = os.path.basename(file).removesuffix(".java")
        with open(file, encoding="utf-8") as source:
            lines = re.findall(r"^/// (\w+): (.*)$", source.read(), re.MULTILINE)
        told = dict(lines)
        self.javas, self.kind, self.needs = [int(each) for each in told["java"].split()], told["kind"], told.get("needs", "").split()
        self.holders, self.names = told.get("holder", "").split(), told.get("names", "").split()
        self.advice = [each.strip() for each in told.get("advice", "").split("|") if each.strip()]
        self.proofs = [text for name, text in lines if name == "proof"]

    def helps(self, advised):
        """Whether pieces of advice, each a kind and a text, are together one of those that help."""
        return any({each.split()[0] for each in way.split(" + ")} == {kind for kind, _ in advised}
                   and all(any(kind == each.split()[0] and each.partition(" ")[2] in text for kind, text in advised) for each in way.split(" + "))
                   for way in self.advice)

    def run(self, path, work, *options, program=None, on=None, part_of_time=None):
        """The process, which has begun, and what it prints."""
        file = open(os.path.join(work, self.name + str(time.monotonic_ns())), "w+", encoding="utf-8")
        time_to_run = part_of_time or (seconds if self.kind != "pin" else seconds / 8)
        return subprocess.Popen([on or java, f"-Dseconds={time_to_run}", "-Djdk.virtualThreadScheduler.parallelism=2",
                                 "-Djdk.virtualThreadScheduler.maxPoolSize=2", "--enable-native-access=ALL-UNNAMED",
                                 *options, "-cp", path, program or self.name],
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


def analyzed(recording, path):
    """A report, or what was said in its place."""
    code, text = vtdiag("analyze", recording, "-q", "--json", "--classpath", path, "--jdk", home)
    return text if code else json.loads(text)


def first_holder(report):
    """The method that the first entry of a report names."""
    if isinstance(report, str):
        return report
    findings = report["findings"]
    if not findings:
        return "nothing"
    site = findings[0]["site"]
    # Of a class that others initialize, the entry names the class.
    return f"{site['class']}.{site['method'] or ('<clinit>' if 'INITIALI' in site['kind'] else '?')}"


def advised(report):
    """What the first entry of a report says is to be done: pieces, each a kind and a text."""
    if isinstance(report, str):
        return [("none", report)]
    entries = [entry for entry in report["entries"] if not entry["minor"]]
    if not entries:
        return [("none", "nothing")]
    return [(ADVICE[each["kind"]], each["text"]) for each in (entries[0]["recommendation"], *entries[0]["together"])]


def judged(case, pieces):
    return case.helps(pieces), " + ".join(dict.fromkeys(f"{kind}: {text}" for kind, text in pieces))


def broken(case, path, work):
    """The proofs that are runs and do not hold: in them a virtual thread is pinned more than twice."""
    wrong = []
    for proof in case.proofs:
        ran = re.match(r"run (Fixed|on Java (\d+)|with (\S+):(\S+):(\S+))", proof)
        if not ran:
            continue
        program = case.name + "$Fixed" if ran[1] == "Fixed" else case.name
        on = figures.jdk(int(ran[2])) if ran[2] else home
        if ran[3]:
            other = figures.fetched(tempfile.mkdtemp(dir=work), ":".join(ran.groups()[2:]))
            path = os.pathsep.join([*(each for each in path.split(os.pathsep) if not os.path.basename(each).startswith(ran[4] + "-")), *other])
        recording = os.path.join(work, f"{case.name}-proof{len(wrong)}-{time.monotonic_ns()}.jfr")
        text = ended(case.run(path, work, f"-XX:StartFlightRecording:filename={recording}", program=program, on=os.path.join(on, "bin", "java"),
                              part_of_time=max(2, seconds / 20)))
        names = ["jdk.VirtualThreadPinned", *(["jdk.JavaMonitorEnter", "jdk.JavaMonitorWait"] if figures.feature(on) < 24 else [])]
        events = json.loads(figures.output(os.path.join(figures.jdk(25), "bin", "jfr"), "print", "--json", "--events", ",".join(names), recording))
        pins = sum(1 for event in events["recording"]["events"] if (event["values"].get("eventThread") or {}).get("virtual"))
        if pins > 2 or "Exception" in text:
            wrong.append(f"{proof}: {pins} pins {text[-300:]}")
    return wrong


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
    said, advice = {}, {}
    with_agent, plain = (os.path.join(work, f"{case.name}-{kind}.jfr") for kind in ("agent", "plain"))
    ended(case.run(path, work, f"-javaagent:{figures.agent}=output={with_agent},summary=off"))
    report = analyzed(with_agent, path)
    said[AGENT], advice[AGENT] = first_holder(report), advised(report)
    if part != "holder":
        proofs[case] = broken(case, path, work)
    if part == "advice":
        return {}, {AGENT: judged(case, advice[AGENT])}
    ended(case.run(path, work, f"-XX:StartFlightRecording:settings=profile,filename={plain}"))
    report = analyzed(plain, path)
    said[PLAIN], said[VIEW], advice[PLAIN] = first_holder(report), viewed(plain)[0], advised(report)
    if feature < 24:
        said[TRACE] = traced(ended(case.run(path, work, "-Djdk.tracePinnedThreads=full")))
    started = case.run(path, work)
    text = thread_print(started)
    file = os.path.join(work, case.name + ".json")
    subprocess.run([jcmd, str(started[0].pid), "Thread.dump_to_file", "-format=json", "-overwrite", file], stdout=subprocess.DEVNULL, check=False)
    said[PRINT], said[DUMP] = printed(text), dumped(file)
    ended(started)
    return ({tool: (named in case.holders, named) for tool, named in said.items()},
            {tool: judged(case, pieces) for tool, pieces in advice.items()} if not part else {})


def hang(case, path, work):
    """Tool to whether it says that the program stands still, and waits for what."""
    recording = os.path.join(work, case.name + ".jfr")
    started = case.run(path, work, f"-javaagent:{figures.agent}=output={recording}")
    text = thread_print(started)
    summary = ended(started)
    if part == "advice":
        return {}, {AGENT: judged(case, advised(analyzed(recording, path)))}
    code, gate = vtdiag("gate", "--max-count", "1000000", recording)
    live = [line for line in summary.splitlines() if LIVE.search(line)]
    without = case.run(path, work)
    time.sleep(without[2] * 0.8)
    hang_code, hang_text = vtdiag("hang", str(without[0].pid))
    ended(without)
    deadlock = "deadlock" in text
    if case.kind == "healthy":
        return ({AGENT: (not live and code == 0, "\n".join(live) + gate), HANG: (hang_code != 1, hang_text), PRINT: (not deadlock, text)},
                {AGENT: judged(case, advised(analyzed(recording, path)))} if not part else {})
    names = re.compile("|".join(map(re.escape, case.names)))
    return {AGENT: (code != 0 and bool(names.search(summary + gate)), summary + gate),
            HANG: (hang_code == 1 and bool(names.search(hang_text)), hang_text), PRINT: (deadlock, "no deadlock is named")}, {}


def main():
    files = [os.path.join(folder, "cases", name) for name in sorted(os.listdir(os.path.join(folder, "cases")))]
    kinds = {"holder": ("pin",), "advice": ("pin", "healthy"), "hang": ("stands still",), "healthy": ("healthy",)}.get(part)
    cases = [case for case in map(Case, files) if feature in case.javas and re.search(wanted, case.name) and (not kinds or case.kind in kinds)]
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
                for case, both in zip(group, pool.map(lambda case: judge(case, path, work), group)):
                    results[case] = both
                    for what, said in zip(("", "advice of "), both):
                        for tool, (right, words) in said.items():
                            last = words.strip().splitlines()[-1][:70] if words.strip() else ""
                            print(f"  {case.name:26} {what + tool:45} {'right' if right else 'WRONG ' + last}", flush=True)
                            if not right and os.environ.get("EVALUATION_WORDS"):
                                print("    | " + words.strip().replace("\n", "\n    | "), flush=True)
                    for proof in proofs.get(case, ()):
                        print(f"  {case.name:26} THE PROOF DOES NOT HOLD: {proof}", flush=True)
    return results


def tell_holders_and_hangs(results):
    """Whether vtdiag was right everywhere."""
    met = True
    for kind, table in (("pin", "holder"), ("stands still", "hang"), ("healthy", "healthy")):
        of_kind = {case: said for case, (said, _) in results.items() if case.kind == kind}
        for tool in sorted({tool for said in of_kind.values() for tool in said}, key=[AGENT, PLAIN, HANG, VIEW, TRACE, PRINT, DUMP].index):
            asked_of = [case for case, said in of_kind.items() if tool in said]
            missed = [case.name for case in asked_of if not of_kind[case][tool][0]]
            named = sum(of_kind[case][tool][1] not in ("nothing", "no mark", "no dump") for case in asked_of)
            figures.tell(table, tool, column, f"{len(asked_of) - len(missed)} of {len(asked_of)}"
                         + (f", {named} named" if kind == "pin" and named < len(asked_of) else "")
                         + (": not " + ", ".join(missed) if missed and tool in (AGENT, PLAIN, HANG) else ""))
            met = met and not (missed and tool == AGENT)
    return met


def tell_advice(results):
    """Whether the agent's recordings led to the right advice everywhere."""
    met = True
    advice = {case: said for case, (_, said) in results.items() if said}
    for tool in (AGENT, PLAIN):
        judged_of = {case: said[tool] for case, said in advice.items() if tool in said}
        if not judged_of:
            continue
        right = [case for case, (is_right, _) in judged_of.items() if is_right]
        given = [case for case, (_, text) in judged_of.items() if not text.startswith("none")]
        helped = [case for case in judged_of if "none" not in case.advice]
        for what, of in (("precision", given), ("recall", helped)):
            figures.tell("advice", f"{tool}: {what}", column, f"{sum(case in right for case in of)} of {len(of)}")
        met = met and not (tool == AGENT and len(right) < len(judged_of))
    for tool in WITHOUT_ADVICE if advice else ():
        figures.tell("advice", tool, column, "-" if tool != TRACE or feature < 24 else "")
    for case, said in advice.items():
        if case.kind == "pin":
            if feature == min(case.javas):
                figures.tell("advised", case.name, "what helps", " or ".join(case.advice))
                figures.tell("advised", case.name, "known from", "; ".join(case.proofs))
            is_right, text = said[AGENT]
            figures.tell("advised", case.name, column, ("right: " if is_right else "**wrong**: ") + text)
    return met


proofs = {}
results = main()
met = tell_holders_and_hangs(results)
met = tell_advice(results) and met and not any(proofs.values())
sys.exit(0 if met else figures.MISSED)
