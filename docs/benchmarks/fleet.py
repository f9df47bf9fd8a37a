#!/usr/bin/env python3
"""What it costs to add recordings to a lake, and to ask it.

Usage: fleet.py grow WORK COUNT...        vtdiag fleet add and report, with that many recordings
       fleet.py spark WORK COUNT...       the job for Apache Spark, local[2]; after: mvn -B -DskipTests -Pspark package
       fleet.py large WORK MEGABYTES      one recording of that size, by both

The recordings are those of samples with the agent on Java 21 and 25, copied with other names of pods. WORK is a folder for them.
"""
import os
import shutil
import subprocess
import sys

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


def spark(*arguments):
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
    return figures.measure([java(25), *options, "-Xmx1g", "-cp", f"{jars}/*", "org.apache.spark.deploy.SparkSubmit", "--master", "local[2]",
                            "--driver-memory", "1g", "--class", "io.github.vtdiag.spark.FleetJob", os.path.join(spark_target, "vtdiag-fleet.jar"),
                            *arguments], environment={"SPARK_HOME": home, "SPARK_SCALA_VERSION": "2.13"})


def tell(table, row, measured, recordings=0):
    figures.record(table, row, "processor time", measured["processor"], "s")
    if recordings:
        figures.record(table, row, "a recording", 1000 * measured["processor"] / recordings, "ms")
    figures.record(table, row, "wall", measured["wall"], "s")
    figures.record(table, row, "memory", measured["memory"], "MB")


def size(folder):
    return sum(os.path.getsize(os.path.join(base, name)) for base, _, names in os.walk(folder) for name in names)


if mode == "grow":
    for count in numbers:
        recordings, lake = many(count), fresh("lake")
        tell("adding", f"vtdiag fleet add, {count:,} recordings", command_line("add", recordings, "--lake", lake, "-q"), count)
        figures.record("lake", f"{count:,} recordings", "recordings", size(recordings) / 1e6, "MB")
        figures.record("lake", f"{count:,} recordings", "lake", size(lake) / 1e6, "MB")
        reported = command_line("report", lake)
        figures.record("lake", f"{count:,} recordings", "report, processor time", reported["processor"], "s")
        figures.record("lake", f"{count:,} recordings", "report, wall", reported["wall"], "s")
elif mode == "spark":
    for count in numbers:
        tell("adding", f"Spark local[2], {count:,} recording{'s' if count > 1 else ''}", spark("add", many(count), fresh("lake-spark")), count)
elif mode == "large":
    for megabytes in numbers:
        file = large(megabytes)
        tell("large", f"vtdiag fleet add, {megabytes:,} MB", command_line("add", file, "--lake", fresh("lake"), "-q"))
        tell("large", f"Spark local[2], {megabytes:,} MB", spark("add", file, fresh("lake-spark")))
        os.remove(file)
else:
    sys.exit(__doc__)
