#!/usr/bin/env python3
"""Time and memory of reading a whole Spring Boot program for the safety rules.

Usage: program.py make FOLDER             makes FOLDER/boot.jar from Maven Central: 105 libraries, 65 MB
       program.py table FOLDER [RUNS]     reads it, and decides on one field lock and one synchronized method

Whole processes with the flags of the launcher, page cache warm: wall time, CPU time (user and system) and peak resident
set, medians with quartiles. The first row only reads. After the build (./vtdiag --version builds).
"""
import os
import shutil
import subprocess
import sys

import figures

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


def tool(name):
    return os.path.join(figures.jdk(25), "bin", name)


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


def table():
    os.makedirs(classes, exist_ok=True)
    figures.output(tool("javac"), "-cp", figures.cli, "-d", classes, os.path.join(figures.here, "WholeProgram.java"))
    command = [tool("java"), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xms48m", "-Xmn24m", "-cp", os.pathsep.join([figures.cli, classes]),
               "WholeProgram", jar]
    rows = {"nothing, only reading": [], "the lock in a private field": ["demo.Orders#add"],
            "a synchronized method, whose lock anybody may take": ["demo.Orders#take"]}
    results = figures.interleaved({name: lambda sites=sites: figures.measure(command + sites) for name, sites in rows.items()}, runs)
    for name, measured in results.items():
        for column, unit, goal in ("wall", "s", "<= 1.5"), ("processor", "s", None), ("memory", "MB", "<= 400"):
            figures.record("program", name, column, [each[column] for each in measured], unit, goal=goal)


{"make": make, "table": table}[mode]()
