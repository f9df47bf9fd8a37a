#!/usr/bin/env python3
"""Whether the agent, and those who look into the JVM beside it, ever take a program down, and what they use.

Usage: soak.py MINUTES FORM JAVA_HOME ...   Soak.java with the agent, so many minutes in each form below whose name begins
                                            with FORM ("" for all), and every few seconds vtdiag hang --inside and vtdiag
                                            top into it. JDKs that are named together run beside each other. One may be
                                            ROOT:JAVA_HOME (figures.Jdk), and newer stands for those of VTDIAG_NEWER_JDKS

After mvn verify, which builds the agent and the command line. Records a row for each run. Exit code 10 if a program did
not end as it should: with 0, and without a file hs_err.
"""
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import time

import figures

PAUSE = 2.0
# All of the heap is resident from the beginning, so what grows is native memory. Classes that were loaded wait there for
# a collection until the limit is reached: without one the program alone grows by 300 MB in three minutes.
HEAP = ["-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "-XX:MaxMetaspaceSize=96m"]
FORMS = {  # name -> options, and the first Java that has them
    "G1, 2 carriers": (["-Djdk.virtualThreadScheduler.parallelism=2"], 21),
    "G1, 1 carrier": (["-Djdk.virtualThreadScheduler.parallelism=1"], 21),
    "G1, 64 carriers": (["-Djdk.virtualThreadScheduler.parallelism=64"], 21),
    "ZGC": (["-XX:+UseZGC"], 21),
    "Parallel GC": (["-XX:+UseParallelGC"], 21),
    "Serial GC": (["-XX:+UseSerialGC"], 21),
    "Shenandoah": (["-XX:+UseShenandoahGC"], 21),
    "compact object headers": (["-XX:+UseCompactObjectHeaders"], 25),
}


def resident(pid):
    """In megabytes."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) / 1000
    except (OSError, AttributeError):
        return 0


def agents_share(pid):
    """What the agent's threads have used of the processor time of all."""
    own = total = 0
    for file in glob.glob(f"/proc/{pid}/task/*/stat"):
        try:
            with open(file, encoding="utf-8") as stat:
                head, rest = stat.read().rsplit(")", 1)
        except OSError:
            continue
        used = sum(map(int, rest.split()[11:13]))
        total += used
        own += used if "(vtdiag" in head else 0
    return own / total if total else 0


def look(tool, folder, *command):
    """Whether it got its answer; why not is said on standard error."""
    try:
        ran = subprocess.run([tool, "-jar", figures.cli, *command], capture_output=True, text=True, cwd=folder, timeout=120)
    except subprocess.TimeoutExpired:
        print(f"no answer within two minutes: {' '.join(command)}", file=sys.stderr)
        return False
    if ran.returncode not in (0, 1, 4):
        print(ran.stderr.strip(), file=sys.stderr)
    return ran.returncode in (0, 1, 4)


def soak(jdk, tool, options, seconds, folder):
    process = subprocess.Popen(
        [*jdk.java, "-XX:+EnableDynamicAgentLoading", *HEAP, *options, f"-XX:ErrorFile={folder}/hs_err.log",
         f"-javaagent:{folder}/vtdiag.jar=output={folder}/soak.jfr", "-cp", folder, "Soak", str(seconds)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=folder)
    began, seen, looks, unanswered, share = time.time(), [], 0, 0, 0
    while process.poll() is None:
        time.sleep(PAUSE)
        if process.poll() is None and time.time() - began < seconds - 5:
            for command in (["hang", "--inside", "--interval", "200ms", str(process.pid)],
                            ["top", "--once", "--json", str(process.pid)]):
                looks += 1
                unanswered += 0 if look(tool, folder, *command) else 1
            seen.append(((time.time() - began) / seconds, resident(process.pid)))
            share = agents_share(process.pid) or share
    crashed = bool(glob.glob(os.path.join(folder, "hs_err*")))
    said = process.stdout.read().strip()
    return crashed or process.returncode != 0, process.returncode, said, looks, unanswered, quarter(seen, 2), quarter(seen, 4), share


def quarter(seen, number):
    """The most that was resident in a quarter of the time; it goes up until classes are collected, and down again."""
    return max((size for part, size in seen if number - 1 <= 4 * part < number), default=0)


def row(jdk, form, options, seconds):
    """Whether it ended well; records what was seen."""
    tool = os.path.join(figures.jdk(25), "bin", "java")
    folder = jdk.folder()
    try:
        shutil.copy(figures.agent, os.path.join(folder, "vtdiag.jar"))
        figures.compiled(folder, "Soak")
        bad, code, said, looks, unanswered, first, last, share = soak(jdk, tool, options, seconds, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    told = dict(each.split("=", 1) for each in said.split())
    name = f"{jdk.version}, {form}"
    figures.tell("soak", name, "ended", f"CRASHED, or with {code}; goal: well, **missed**" if bad else "well")
    figures.record("soak", name, "for", seconds, "s")
    figures.record("soak", name, "virtual threads", int(told.get("threads", 0)), "")
    figures.record("soak", name, "classes loaded", int(told.get("classes", 0)), "")
    figures.record("soak", name, "looks into it", looks, "")
    figures.record("soak", name, "of these without an answer", unanswered, "")
    figures.tell("soak", name, "live heap, after a quarter and at the end", f"{told.get('heap', '?')} to {told.get('heap_end', '?')} MB")
    figures.tell("soak", name, "most resident, in the second quarter and in the last", f"{first:.0f} to {last:.0f} MB")
    figures.record("soak", name, "the agent's threads, of all processor time", 100 * share, "%")
    return not bad


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    seconds, only = int(float(sys.argv[1]) * 60), sys.argv[2]
    given = [each for home in sys.argv[3:] for each in (figures.newer_jdks() if home == "newer" else [home])]
    if not given:
        sys.exit("VTDIAG_NEWER_JDKS names no JDK")
    jdks = [figures.Jdk(each) for each in given]
    well = True
    for form, (options, since) in FORMS.items():
        if form.startswith(only):
            with concurrent.futures.ThreadPoolExecutor(len(jdks)) as pool:
                rows = [pool.submit(row, jdk, form, options, seconds) for jdk in jdks if jdk.feature >= since]
                well &= all([each.result() for each in rows])
    figures.finish(well)


if __name__ == "__main__":
    main()
