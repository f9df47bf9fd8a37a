#!/usr/bin/env python3
"""What the watch over the carriers finds, how soon, and what it costs.

Usage: watch.py latency JAVA_HOME [PINS] [MILLIS]      how long after its begin a pin is reported that lasts
                                                       (20 pins of 2000 ms; goal: threshold of 500 ms + 250 ms)
       watch.py hangs JAVA_HOME [RUNS] [STORY ...]     the programs of samples.hangs: told within 5 s of standing still
                                                       (20 runs each; goal: all), and their twins: nothing told
       watch.py alarms JAVA_HOME [SECONDS]             nothing hangs, and nothing may be told: at full CPU on two
                                                       carriers; short pins all the time; both, stopped and continued
                                                       (600 s each; goal: 0)
       watch.py native JAVA_HOME [CALLS] [MILLIS]      part of the time in SQLite's busy_timeout that the recording has
                                                       (100 calls of 120 ms; goal: 95%)
       watch.py cost JAVA_HOME [PAIRS] [SECONDS] [CARRIERS] HttpServing with 100 us of work and with none, on 2 and on 64
                                                       carriers: no agent, the agent with watch=off, and its defaults, by
                                                       turns (10 of 5 s; goal: median ratio of the last two at least 0.99)
       watch.py threads JAVA_HOME [NUMBER]             1,000,000 virtual threads started and finished: how many, the used
                                                       heap and the peak resident set, bare, with watch=off, by default

After mvn verify, which builds the agent, the command line and the samples. Exit code 10 if a goal is missed.
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

import figures

here = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(os.path.dirname(here))
agent = os.path.join(top, "agent", "target", "vtdiag.jar")
samples = os.path.join(top, "sample-apps", "target")
THRESHOLD, LATE, FOUND_WITHIN = 0.5, 0.25, 5.0
CARRIERS = ["-Djdk.virtualThreadScheduler.parallelism=2", "-Djdk.virtualThreadScheduler.maxPoolSize=2"]

BLOCKED = r"\[vtdiag\] carrier blocked for .* so far"
CYCLE = r"\[vtdiag\] (probably a )?deadlock: "
PINNING = r"\[vtdiag\] (probably a )?deadlock by pinning: "
HANG = r"\[vtdiag\] ((probably a )?deadlock|starved)"
STORIES = {  # program and options -> the line that tells of it, and on which Java it stands still
    "PinnedCarriers": (PINNING, {21}),
    "PinnedCarriers -Dpin=initializer": (PINNING, {21, 25}),
    "ObjectPool": (PINNING, {21}),
    "HttpConnections": (PINNING, {21}),
    "TwoLocks": (CYCLE, {21, 25}),
    "TwoLocks -Dpinned=true": (CYCLE, {21, 25}),
    "TwoMonitors": (CYCLE, {21, 25}),
    "TwoInitializers": (CYCLE, {21, 25}),
    "TwoLoaders": (CYCLE, {21, 25}),
    "NativeWait": (BLOCKED, {21, 25}),
}


def argument(index, default):
    return type(default)(sys.argv[index]) if len(sys.argv) > index else default


def feature():
    with open(os.path.join(home, "release"), encoding="utf-8") as release:
        return int(re.search(r'JAVA_VERSION="(\d+)', release.read()).group(1))


class Running:
    """A JVM, and its lines with the time at which each came."""

    def __init__(self, folder, options, *program, output="x.jfr"):
        self.recording = os.path.join(folder, output)
        attached = [f"-javaagent:{agent}=output={self.recording}{options}"] if options is not None else []
        self.process = subprocess.Popen([java, *attached, *program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, cwd=folder)
        self.out, self.err = [], []
        self.readers = [threading.Thread(target=self.read, args=(pipe, lines), daemon=True)
                        for pipe, lines in ((self.process.stdout, self.out), (self.process.stderr, self.err))]
        for reader in self.readers:
            reader.start()

    @staticmethod
    def read(pipe, lines):
        for line in pipe:
            lines.append((time.time(), line.rstrip("\n")))

    @staticmethod
    def first(lines, pattern):
        return next((at for at, line in list(lines) if re.search(pattern, line)), None)

    def until(self, lines, pattern, seconds):
        """When the first such line came; None if the program ended before, or it took too long."""
        end = time.time() + seconds
        while time.time() < end:
            ended = self.process.poll() is not None and not any(reader.is_alive() for reader in self.readers)
            at = self.first(lines, pattern)
            if at or ended:
                return at
            time.sleep(0.01)
        return None

    def end(self):
        code = self.process.wait()
        for reader in self.readers:
            reader.join()
        return code

    def kill(self):
        self.process.kill()
        self.end()

    def told(self):
        return [line for _, line in self.err if re.search(BLOCKED + "|" + HANG, line)]


def compiled(folder, *programs):
    """The arguments that run the last of the programs."""
    return ["-cp", figures.compiled(folder, *programs), programs[-1]]


def story(name):
    program, *options = name.split()
    path = os.pathsep.join([os.path.join(samples, "vtdiag-samples.jar"), os.path.join(samples, "lib", "*"),
                            os.path.join(samples, "libraries", "commons-pool2", "*"),
                            os.path.join(samples, "libraries", "httpclient5-before", "*")])
    return [*options, "-cp", path, "samples.hangs." + program]


def latency(folder):
    number, millis = argument(3, 20), argument(4, 2000)
    program = compiled(folder, "Watched")
    # Every pin has a place of its own only once a minute: so each run is one pin.
    late = []
    for _ in range(number):
        run = Running(folder, "", *CARRIERS, *program, "pins", "1", str(millis))
        told = run.until(run.err, BLOCKED, 60)
        run.end()
        if told is None:
            print("not told:", *(line for _, line in run.err), sep="\n  ")
            return False
        late.append(told - float(run.out[0][1]))
    figures.record("watch-latency", f"Java {feature()}", "a pin is told after", late, "s", "range", goal=f"<= {THRESHOLD + LATE}")
    return max(late) <= THRESHOLD + LATE


def hangs(folder):
    runs, chosen = argument(3, 20), sys.argv[4:] or list(STORIES)
    fine = True
    for name in chosen:
        pattern, javas = STORIES[name]
        if feature() not in javas:
            figures.tell("watch-hangs", name, f"Java {feature()}: told after", "does not stand still")
            continue
        seconds, missed = [], []
        for number in range(runs):
            run = Running(folder, "", f"-Djava.io.tmpdir={folder}", *story(name), output=f"{number}.jfr")
            still = run.until(run.out, "^stands still: ", 60)
            told = run.until(run.err, pattern, max(0, still + FOUND_WITHIN - time.time())) if still else None
            if told:
                seconds.append(max(0, told - still))
            else:
                missed.append([line for _, line in run.err] or ["silent"])
            run.kill()
        twin = Running(folder, "", f"-Djava.io.tmpdir={folder}", "-Dhold=300", "-Dhealthy=true", *story(name))
        twin.end()
        # The twins wait for a while, in which their carriers may well be kept; but they do not hang.
        wrong = [line for line in twin.told() if re.search(HANG, line)]
        column = f"Java {feature()}: "
        if seconds:
            figures.record("watch-hangs", name, column + "told after", seconds, "s", "range")
        figures.tell("watch-hangs", name, column + f"within {FOUND_WITHIN:.0f} s", f"{len(seconds)} of {runs}")
        figures.tell("watch-hangs", name, column + "told of its twin", str(len(wrong)))
        for lines in missed[:1]:
            print("  missed, its lines:", *lines[:12], sep="\n    ")
        print(*wrong, sep="\n  ", end="\n" if wrong else "")
        fine = fine and not missed and not wrong
    return fine


def alarms(folder):
    seconds = argument(3, 600)
    program = compiled(folder, "Watched")
    fine = True
    for workload, stops in (("busy", False), ("short", False), ("busy", True), ("short", True)):
        run = Running(folder, "", *CARRIERS, *program, workload, str(seconds))
        rounds = 0
        while stops and run.process.poll() is None:
            time.sleep(2)
            if run.process.poll() is None:
                os.kill(run.process.pid, signal.SIGSTOP)
                time.sleep(5)
                os.kill(run.process.pid, signal.SIGCONT)
                rounds += 1
        code, told = run.end(), run.told()
        row = f"{workload}, {seconds} s" + (", stopped for 5 s and continued, again and again" if stops else "")
        figures.tell("watch-alarms", row, f"Java {feature()}: alarms", str(len(told)))
        if stops:
            figures.tell("watch-alarms", row, f"Java {feature()}: stopped", str(rounds))
        print(*told[:5], sep="\n  ", end="\n" if told else "")
        fine = fine and not told and code == 0
    return fine


def native(folder):
    calls, millis = argument(3, 100), argument(4, 120)
    run = Running(folder, "", f"-Djava.io.tmpdir={folder}", "-Dhealthy=true", f"-Dtimes={calls}", f"-Dbusy={millis}",
                  *story("NativeWait"))
    if run.end():
        sys.exit("failed: " + "\n".join(line for _, line in run.err))
    waited = int(re.search(r"waited (\d+) ns", "\n".join(line for _, line in run.out)).group(1)) / 1e9
    cli = os.path.join(top, "analyzer", "target", "vtdiag-cli.jar")
    answer = json.loads(subprocess.run([os.path.join(figures.jdk(25), "bin", "java"), "-jar", cli, "analyze", "--json",
                                        run.recording], capture_output=True, text=True, check=True).stdout)
    found = [finding for finding in answer["findings"] if "org.sqlite" in json.dumps(finding["title"])
             or "org.sqlite" in json.dumps(finding.get("site", ""))]
    total = sum(finding["cost"]["totalNanos"] for finding in found) / 1e9
    figures.record("watch-native", f"{calls} calls of {millis} ms", f"Java {feature()}: found", 100 * total / waited, "%", goal=">= 95")
    return 0.95 <= total / waited <= 1.05


def cost(folder):
    pairs, seconds, chosen = argument(3, 10), argument(4, "5"), argument(5, "2,64")
    program = compiled(folder, "WarmUp", "HttpServing")
    sides = {"none": None, "off": ",summary=off,watch=off", "on": ",summary=off"}
    fine = True
    for carriers in chosen.split(","):
        for work in ("100", "0"):

            def rate(side):
                run = Running(folder, sides[side], f"-Djdk.virtualThreadScheduler.parallelism={carriers}", *program, seconds,
                              work)
                run.end()
                return float(run.out[-1][1])

            rate("on")  # warms the page cache
            rates = figures.interleaved({side: lambda side=side: rate(side) for side in sides}, pairs, warm=0)
            row, column = f"{carriers} carriers, {work} us of work", f"Java {feature()}: "
            fine = figures.record("watch-cost", row, column + "with the watch to without", figures.ratios(rates["on"], rates["off"]), "",
                                  goal=">= 0.99") and fine
            figures.record("watch-cost", row, column + "with no agent", rates["none"], "/s", "range")
    return fine


def threads(folder):
    number = argument(3, 1_000_000)
    program = compiled(folder, "Watched")
    fine = True
    for name, options in (("bare", None), ("watch=off", ",watch=off"), ("default", "")):
        attached = [f"-javaagent:{agent}=output={folder}/x.jfr{options}"] if options is not None else []
        process = subprocess.Popen([java, "-Xmx1g", *attached, *program, "threads", str(number)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, cwd=folder)
        errors = []
        reader = threading.Thread(target=lambda pipe=process.stderr, lines=errors: lines.extend(pipe))
        reader.start()
        line = process.stdout.read().strip()
        reader.join()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        finished, heap = map(int, re.search(r"(\d+) finished, (\d+) bytes", line).groups())
        told = [error for error in errors if re.search(BLOCKED + "|" + HANG, error)]
        row = f"Java {feature()}, {name}"
        for column, value, unit in (("finished", finished, ""), ("heap", heap / 1e6, "MB"), ("peak resident set", usage.ru_maxrss / 1024, "MB"),
                                    ("processor", usage.ru_utime + usage.ru_stime, "s"), ("alarms", len(told), "")):
            figures.record("watch-threads", row, column, value, unit)
        print(*told[:5], sep="\n  ", end="\n" if told else "")
        fine = fine and finished == number and not told
    return fine


COMMANDS = {"latency": latency, "hangs": hangs, "alarms": alarms, "native": native, "cost": cost, "threads": threads}
if len(sys.argv) < 3 or sys.argv[1] not in COMMANDS:
    sys.exit(__doc__)
home = sys.argv[2]
java = os.path.join(home, "bin", "java")
with tempfile.TemporaryDirectory() as scratch:
    reached = COMMANDS[sys.argv[1]](scratch)
figures.finish(reached)
