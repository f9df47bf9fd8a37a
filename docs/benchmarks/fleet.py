#!/usr/bin/env python3
"""What it costs to add recordings to a lake, and to ask it.

Usage: fleet.py grow WORK COUNT...        vtdiag fleet add and report, with that many recordings
       fleet.py beside WORK COUNT         a loop of analyze --json, vtdiag fleet add, Spark in one process and on a cluster, side by side
       fleet.py large WORK MEGABYTES      one recording of that size, by vtdiag fleet add and by Spark in one process

Spark's: after mvn -B -DskipTests -Pspark package. The recordings are those of samples with the agent on Java 21 and 25, copied with other names of pods. WORK is a folder for them.
"""
import os
import re
import shutil
import subprocess
import sys
import time

import figures

mode, work, numbers = sys.argv[1], os.path.abspath(sys.argv[2]), [int(each) for each in sys.argv[3:]]
POD = b"pod-000000"
SAMPLES = ("synchronizedmethod", "hotlock", "nopinning")
spark_target = os.path.join(figures.top, "analyzer", "fleet", "target")


def java(feature):
    return os.path.join(figures.jdk(feature), "bin", "java")


def originals():
    folder = os.path.join(work, "originals")
    os.makedirs(folder, exist_ok=True)
    for feature in 21, 25:
        for sample in SAMPLES:
            file = os.path.join(folder, f"{sample}-{feature}.jfr")
            if not os.path.exists(file):
                figures.output(java(feature), f"-javaagent:{figures.agent}=output={file},warn=off", "-cp",
                               f"{figures.samples}/vtdiag-samples.jar:{figures.samples}/lib/*", f"samples.{sample}.Before", "--seconds", "2",
                               env={**os.environ, "OTEL_SERVICE_NAME": f"{sample}-service",
                                    "OTEL_RESOURCE_ATTRIBUTES": f"service.version=1.{feature},k8s.pod.name={POD.decode()}"})
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]


def many(count):
    """A folder with so many recordings, no two with the same bytes."""
    folder = os.path.join(work, f"recordings-{count}")
    if os.path.isdir(folder):
        return folder
    contents = []
    for file in originals():
        with open(file, "rb") as recording:
            contents.append(recording.read())
        if POD not in contents[-1]:
            sys.exit(f"{file} does not name its pod")
    for number in range(count):
        below = os.path.join(folder + ".part", str(number // 1000))
        os.makedirs(below, exist_ok=True)
        with open(os.path.join(below, f"{number}.jfr"), "wb") as copy:
            copy.write(contents[number % len(contents)].replace(POD, b"pod-%06d" % number))
    os.rename(folder + ".part", folder)
    return folder


def large(megabytes):
    """A recording of many chunks that each begin at another time."""
    file = os.path.join(work, f"large-{megabytes}.jfr")
    with open(originals()[0], "rb") as recording:
        chunk = bytearray(recording.read())
    size, begin = (int.from_bytes(chunk[at:at + 8], "big") for at in (8, 32))
    del chunk[size:]
    with open(file, "wb") as out:
        for number in range(max(1, megabytes * 1_000_000 // size)):
            chunk[32:40] = (begin + number * 60_000_000_000).to_bytes(8, "big")
            out.write(chunk)
    return file


def fresh(name):
    folder = os.path.join(work, name)
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def command_line(*arguments):
    return figures.measure([java(25), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", figures.cli, "fleet", *arguments])


def spark_home():
    """The folder by which Spark finds its jars, and Java's options for it."""
    home = os.path.join(work, "spark")
    jars = os.path.join(home, "jars")
    if not os.path.isdir(jars):
        os.makedirs(jars)
        with open(os.path.join(spark_target, "spark.classpath"), encoding="utf-8") as listed:
            for jar in listed.read().strip().split(os.pathsep):
                os.symlink(jar, os.path.join(jars, os.path.basename(jar)))
    launcher = next(name for name in os.listdir(jars) if name.startswith("spark-launcher"))
    options = subprocess.run([os.path.join(figures.jdk(25), "bin", "jshell"), "--class-path", os.path.join(jars, launcher), "-s", "-"],
                             input="System.out.println(org.apache.spark.launcher.JavaModuleOptions.defaultModuleOptions());",
                             stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return home, options


def deployed(memory, name, *arguments):
    """The command and the environment of one of Spark's own processes."""
    home, options = spark_home()
    return ([java(25), *options, memory, "-cp", f"{home}/jars/*", f"org.apache.spark.deploy.{name}", *arguments],
            {"SPARK_HOME": home, "SPARK_SCALA_VERSION": "2.13", "SPARK_LOCAL_IP": "127.0.0.1",
             "SPARK_MASTER_WEBUI_PORT": "0", "SPARK_WORKER_WEBUI_PORT": "0"})


def spark(*arguments, master="local[2]", options=()):
    command, environment = deployed("-Xmx1g", "SparkSubmit", "--master", master, "--driver-memory", "1g", *options, "--class",
                                    "io.github.vtdiag.spark.FleetJob", os.path.join(spark_target, "vtdiag-fleet.jar"), *arguments)
    return figures.measure(command, environment=environment)


class Cluster:
    """A master and two workers of one processor each; the processor time of all, and of the executors that they started."""

    def __enter__(self):
        self.processes = []
        self.master = self.start("master.Master", r"(spark://127\.0\.0\.1:\d+)", "--host", "127.0.0.1", "--port", "0")
        for number in 1, 2:
            self.start("worker.Worker", "Successfully registered with (master)", "--host", "127.0.0.1", "--cores", "1", "--memory", "1g",
                       "--work-dir", os.path.join(work, f"worker-{number}"), self.master)
        return self

    def start(self, name, says, *arguments):
        command, environment = deployed("-Xmx256m", name, *arguments)
        log = os.path.join(work, f"spark-{len(self.processes)}.log")
        with open(log, "w", encoding="utf-8") as out:
            process = subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ, **environment})
        self.processes.append(process)
        while True:
            with open(log, encoding="utf-8") as out:
                text = out.read()
            said = re.search(says, text)
            if said:
                return said[1]
            if process.poll() is not None:
                sys.exit(f"{name} ended:\n{text}")
            time.sleep(0.1)

    def processor(self):
        """What a process waited for counts as its own: Java waits for each that it starts."""
        ticks = 0
        for process in self.processes:
            with open(f"/proc/{process.pid}/stat", encoding="utf-8") as stat:
                ticks += sum(int(each) for each in stat.read().rpartition(")")[2].split()[11:15])
        return ticks / os.sysconf("SC_CLK_TCK")

    def spark(self, *arguments):
        before = self.processor()
        measured = spark(*arguments, master=self.master, options=("--conf", "spark.executor.memory=512m"))
        time.sleep(5)  # Until the executors have ended.
        return {**measured, "processor": measured["processor"] + self.processor() - before}

    def __exit__(self, *failure):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait()


def tell(table, row, measured, recordings=0):
    figures.record(table, row, "processor time", measured["processor"], "s")
    if recordings:
        figures.record(table, row, "a recording", 1000 * measured["processor"] / recordings, "ms")
    figures.record(table, row, "wall", measured["wall"], "s")
    figures.record(table, row, "memory", measured["memory"], "MB")


def size(folder):
    return sum(os.path.getsize(os.path.join(base, name)) for base, _, names in os.walk(folder) for name in names)


def counted(lake):
    """The rows of all tables of a lake."""
    tables = ("recording", "finding", "account", "hang", "stall", "gap", "stack", "frame")
    query = "select " + " + ".join(f"(select count(*) from {table})" for table in tables) + " as n"
    return int(re.search(r'"n" : (\d+)', figures.output(java(25), "-jar", figures.cli, "fleet", "sql", lake, query, "--json"))[1])


def simulate(few, many_of_them):
    """On paper: 10,000 JVMs with a recording an hour, by what each recording more costs beyond a few."""
    def growth(what):
        return (many_of_them[what] - few[what]) / (many_of_them["count"] - few["count"])

    day = 10_000 * 24
    row = "10,000 JVMs, a recording an hour"
    figures.record("simulation", row, "recordings a day", day, "")
    figures.record("simulation", row, "processors that add them", growth("add") * day / 86_400, "")
    figures.record("simulation", row, "recordings of a day", growth("recordings") * day / 1e9, "GB")
    figures.record("simulation", row, "lake of a day", growth("lake") * day / 1e6, "MB")
    figures.record("simulation", row, "report of a day, processor time", few["report"] + growth("report") * day, "s")


def beside(count, rows, row, once, measured):
    figures.record("beside", row, "rows a second", rows / measured["wall"], "/s")
    figures.record("beside", row, "a recording, processor time", 1000 * measured["processor"] / count, "ms")
    figures.record("beside", row, "one recording alone, processor time", once["processor"], "s")
    figures.record("beside", row, "all, processor time", measured["processor"], "s")


if mode == "grow":
    sizes = []
    for count in numbers:
        recordings, lake = many(count), fresh("lake")
        added = command_line("add", recordings, "--lake", lake, "-q")
        tell("adding", f"vtdiag fleet add, {count:,} recordings", added, count)
        figures.record("lake", f"{count:,} recordings", "recordings", size(recordings) / 1e6, "MB")
        figures.record("lake", f"{count:,} recordings", "lake", size(lake) / 1e6, "MB")
        reported = command_line("report", lake)
        figures.record("lake", f"{count:,} recordings", "report, processor time", reported["processor"], "s")
        figures.record("lake", f"{count:,} recordings", "report, wall", reported["wall"], "s")
        sizes.append({"count": count, "add": added["processor"], "recordings": size(recordings), "lake": size(lake),
                      "report": reported["processor"]})
    if len(sizes) > 1:
        simulate(sizes[0], sizes[-1])
elif mode == "beside":
    for count in numbers:
        recordings, lake = many(count), fresh("lake")
        one = many(1)
        add = command_line("add", recordings, "--lake", lake, "-q")
        rows = counted(lake)
        beside(count, rows, "vtdiag fleet add", command_line("add", one, "--lake", fresh("lake-one"), "-q"), add)
        # A process for each takes long, and each costs the same.
        some = sorted(os.path.join(base, name) for base, _, names in os.walk(recordings) for name in names)[:max(1, count // 40)]
        loop = [figures.measure([java(25), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", figures.cli, "analyze", each, "--json"])
                for each in some]
        total = {what: sum(each[what] for each in loop) * count / len(some) for what in ("wall", "processor")}
        beside(count, rows, "a loop of vtdiag analyze --json", loop[0], total)
        beside(count, rows, "Spark local[2]", spark("add", one, fresh("lake-one")), spark("add", recordings, fresh("lake-spark")))
        with Cluster() as cluster:
            beside(count, rows, "Spark, a master and two workers", cluster.spark("add", one, fresh("lake-one")),
                   cluster.spark("add", recordings, fresh("lake-spark")))
elif mode == "large":
    for megabytes in numbers:
        file = large(megabytes)
        tell("large", f"vtdiag fleet add, {megabytes:,} MB", command_line("add", file, "--lake", fresh("lake"), "-q"))
        tell("large", f"Spark local[2], {megabytes:,} MB", spark("add", file, fresh("lake-spark")))
        os.remove(file)
else:
    sys.exit(__doc__)
