#!/usr/bin/env python3
"""Time and memory of reading a whole Spring Boot program for the safety rules.

Usage: program.py make FOLDER             makes FOLDER/boot.jar from Maven Central: 105 libraries, 65 MB
       program.py table FOLDER [RUNS]     reads it, and decides on one field lock and one synchronized method

Whole processes with the flags of the launcher, page cache warm: wall time, CPU time (user and system) and peak resident
set, medians with quartiles. The first row only reads. After the build (./vtdiag --version builds).
"""
import os
import shutil
import statistics
import subprocess
import sys
import time

top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
mode, folder = sys.argv[1], os.path.abspath(sys.argv[2])
runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
jar = os.path.join(folder, "boot.jar")
classes = os.path.join(folder, "classes")

STARTERS = ["web", "webflux", "data-jpa", "actuator"]
OTHERS = [("org.postgresql", "postgresql", None), ("com.h2database", "h2", None),
          ("org.jetbrains.kotlin", "kotlin-reflect", None), ("com.google.guava", "guava", "33.3.1-jre")]
ORDERS = """
package demo;
import java.util.*;
public class Orders {
  private final Object lock = new Object();
  private final Map<String, Integer> stock = new HashMap<>();
  public synchronized int take(String article) { return stock.merge(article, -1, Integer::sum); }
  public void add(String article) { synchronized (lock) { stock.put(article, 1); } }
}
"""


def home():
    return subprocess.run([os.path.join(top, "vtdiag"), "jdk", "25"], capture_output=True, text=True,
                          check=True).stdout.strip()


def tool(name):
    return os.path.join(home(), "bin", name)


def dependency(group, artifact, version):
    number = f"<version>{version}</version>" if version else ""
    return f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>{number}</dependency>"


def make():
    application = os.path.join(folder, "application")
    shutil.rmtree(application, ignore_errors=True)
    os.makedirs(os.path.join(application, "BOOT-INF", "classes"))
    boot = "org.springframework.boot"
    needed = [dependency(boot, "spring-boot-starter-" + name, None) for name in STARTERS]
    needed += [dependency(*each) for each in OTHERS]
    with open(os.path.join(folder, "pom.xml"), "w", encoding="utf-8") as pom:
        pom.write("<project><modelVersion>4.0.0</modelVersion><parent>"
                  f"<groupId>{boot}</groupId><artifactId>spring-boot-starter-parent</artifactId>"
                  "<version>3.3.5</version><relativePath/></parent><groupId>demo</groupId><artifactId>boot</artifactId>"
                  f"<version>1</version><dependencies>{''.join(needed)}</dependencies></project>")
    subprocess.run(["mvn", "-B", "-q", "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies",
                    "-DincludeScope=runtime", f"-DoutputDirectory={application}/BOOT-INF/lib"], cwd=folder, check=True)
    source = os.path.join(folder, "Orders.java")
    with open(source, "w", encoding="utf-8") as file:
        file.write(ORDERS)
    subprocess.run([tool("javac"), "--release", "21", "-g", "-d", os.path.join(application, "BOOT-INF", "classes"),
                    source], check=True)
    # As the Spring Boot plugin packs it: libraries are stored, not compressed again.
    subprocess.run([tool("jar"), "-c", "-0", "-f", jar, "-C", application, "BOOT-INF"], check=True)
    print(f"{jar}: {os.path.getsize(jar) / 1e6:.0f} MB")


def measure(path, sites):
    command = [tool("java"), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xms48m", "-Xmn24m", "-cp", path,
               "WholeProgram", jar] + sites
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit("failed: " + " ".join(command))
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def text(values, unit, digits):
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return f"{middle:.{digits}f} {unit} ({low:.{digits}f}-{high:.{digits}f})"


def table():
    os.makedirs(classes, exist_ok=True)
    cli = os.path.join(top, "analyzer", "target", "vtdiag-cli.jar")
    subprocess.run([tool("javac"), "-cp", cli, "-d", classes,
                    os.path.join(top, "docs", "benchmarks", "WholeProgram.java")], check=True)
    rows = {"reading": [], "a field lock": ["demo.Orders#add"], "a synchronized method": ["demo.Orders#take"]}
    results = {name: [] for name in rows}
    for run in range(runs + 1):
        for name, sites in rows.items():
            result = measure(os.pathsep.join([cli, classes]), sites)
            if run > 0:
                results[name].append(result)
    for name, measured in results.items():
        wall, cpu, memory = zip(*measured)
        print(f"{name}: wall {text(wall, 's', 2)}, CPU {text(cpu, 's', 2)}, {text(memory, 'MB', 0)}")


{"make": make, "table": table}[mode]()
