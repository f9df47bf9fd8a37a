#!/usr/bin/env python3
"""Patches every lock of seven libraries that can move, and checks what comes out.

Usage: patch-libraries.py FOLDER    everything is fetched from Maven Central into FOLDER and made there: 5 minutes

A row is a library: monitor sites in the classes that have a source; those patched; those declined, by reason; changed files;
javac's errors in them; sites patched when the patched sources are patched again; and words that the patch changed although
they belong to no lock. After the build (./vtdiag --version builds).
"""
import base64
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

import figures

top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
folder = os.path.abspath(sys.argv[1])
vtdiag = os.path.join(top, "vtdiag")

# What is patched, its Java version, whether its classes have no line numbers, and what the changed files need to compile.
LIBRARIES = [
    ("org.postgresql:postgresql:42.5.4", 8, False,
     ["org.checkerframework:checker-qual:3.31.0", "com.ongres.scram:client:2.1", "com.ongres.scram:common:2.1",
      "org.osgi:org.osgi.core:6.0.0", "com.github.waffle:waffle-jna:1.9.1", "net.java.dev.jna:jna:4.5.1",
      "net.java.dev.jna:jna-platform:4.5.1"]),
    ("com.h2database:h2:2.2.220", 11, False,
     ["org.apache.lucene:lucene-core:9.7.0", "org.apache.lucene:lucene-analysis-common:9.7.0",
      "org.apache.lucene:lucene-queryparser:9.7.0", "org.locationtech.jts:jts-core:1.19.0", "org.slf4j:slf4j-api:2.0.7",
      "javax.servlet:javax.servlet-api:4.0.1", "jakarta.servlet:jakarta.servlet-api:5.0.0", "org.osgi:org.osgi.core:5.0.0"]),
    ("org.hsqldb:hsqldb:2.7.4", 11, True,
     ["javax.servlet:javax.servlet-api:4.0.1", "org.apache.ant:ant:1.10.14"]),
    ("org.apache.commons:commons-pool2:2.13.1", 8, False, ["cglib:cglib:3.3.0"]),
    ("com.mysql:mysql-connector-j:8.4.0", 8, False,
     ["com.google.protobuf:protobuf-java:3.25.1", "org.slf4j:slf4j-api:2.0.3", "com.mchange:c3p0:0.9.5.5"]),
    ("org.quartz-scheduler:quartz:2.5.0", 11, False,
     ["org.slf4j:slf4j-api:2.0.16", "jakarta.transaction:jakarta.transaction-api:2.0.1", "com.mchange:c3p0:0.9.5.5",
      "com.zaxxer:HikariCP:4.0.3", "jakarta.servlet:jakarta.servlet-api:5.0.0", "jakarta.ejb:jakarta.ejb-api:4.0.1"]),
    ("org.apache.commons:commons-vfs2:2.10.0", 8, False,
     ["commons-logging:commons-logging:1.3.4", "org.apache.commons:commons-lang3:3.17.0", "commons-net:commons-net:3.11.1",
      "commons-io:commons-io:2.18.0", "org.apache.commons:commons-collections4:4.4",
      "org.apache.httpcomponents.client5:httpclient5:5.4.1", "commons-httpclient:commons-httpclient:3.1",
      "org.apache.httpcomponents.core5:httpcore5:5.3.1", "org.apache.httpcomponents:httpclient:4.5.14",
      "org.apache.httpcomponents:httpcore:4.4.16", "com.jcraft:jsch:0.1.55", "org.apache.ant:ant:1.10.15",
      "org.apache.commons:commons-compress:1.27.1", "org.apache.hadoop:hadoop-common:3.4.1",
      "org.apache.hadoop:hadoop-hdfs-client:3.4.1"]),
]

# Copies for other Java versions; and HSQLDB's SqlTool, which needs classes that are in no jar.
LEFT_OUT = ("META-INF/", "org/hsqldb/cmdline/")


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def home():
    return run([vtdiag, "jdk", "25"], check=True).stdout.strip()


def fetch(artifact, *classifier):
    """The path of a jar."""
    _, name, version = artifact.split(":")
    jar = os.path.join(folder, "-".join([name, version, *classifier]) + ".jar")
    if not os.path.exists(jar):
        run(["mvn", "-B", "-q", "dependency:copy", "-Dartifact=" + ":".join([artifact, *(["jar"] if classifier else []),
             *classifier]), f"-DoutputDirectory={folder}", "-Dmdep.useBaseVersion"], cwd=folder, check=True)
    return jar


def compile(files, release, path, into, sourcepath=None):
    """Compiles, and returns javac's errors."""
    os.makedirs(into, exist_ok=True)
    options = ["-g", "-nowarn", "-proc:none", "-implicit:none", "-encoding", "UTF-8", "-Xmaxerrs", "1000",
               "--release", str(release), "-d", into, "-cp", os.pathsep.join(path)]
    options += ["-sourcepath", sourcepath or os.path.join(folder, "none")]
    with open(into + ".args", "w", encoding="utf-8") as arguments:
        arguments.writelines('"' + each.replace("\\", "\\\\") + '"\n' for each in options + files)
    out = run([os.path.join(home(), "bin", "javac"), "@" + into + ".args"])
    return [line for line in out.stderr.splitlines() if "error:" in line] + ([] if out.returncode == 0 else ["failed"])


def patch(sources, path):
    # Compiled here, with what each library needs: what does not compile is to be seen, not left out.
    command = [vtdiag, "patch", "--all", "--no-verify", "--json", "-q", "--sources", sources, "--classpath", os.pathsep.join(path)]
    return json.loads(run(command, cwd=sources).stdout)


def sites(locks):
    return sum(len(lock["sites"]) for lock in locks)


# What a patch may take away or bring, as words and single characters. A lock's expression is looked up in the file.
LOCKING = set("""synchronized this new Object class wait notify notifyAll holdsLock Thread
    lock unlock try finally if else throw private protected public static transient final import java util concurrent locks
    ReentrantLock Condition TimeUnit MILLISECONDS await signal signalAll isHeldByCurrentThread newCondition
    IllegalArgumentException timeout value is negative held heldLock 0 long int millis nanos timeoutMillis timeoutNanos
    out of range 1 999999 Long MAX_VALUE < | & ? : + ( ) { } . , ; = > " """.split())


def strange(before, after):
    """Words that differ between two files and belong to no lock."""
    text = open(before, encoding="utf-8", errors="surrogateescape", newline="").read()
    changed = open(after, encoding="utf-8", errors="surrogateescape", newline="").read()
    known = set(LOCKING)
    for expression in re.findall(r"synchronized\s*\((.*?)\)\s*\{", text, re.S):
        known |= set(re.findall(r"[A-Za-z0-9_$]+|[^\s]", expression))
    for expression in re.findall(r"\bwait\s*\(([^()]*)\)", text):
        known |= set(re.findall(r"[A-Za-z0-9_$]+", expression))
    for name in re.findall(r"(?:ReentrantLock|Condition) ([A-Za-z0-9_$]+) = ", changed):
        known.add(name)
    # An expression of a wider type is cast to the class that has the lock.
    for cast in re.findall(r"\(\(([A-Za-z0-9_$.]+)\) .+?\)\.\w*(?:[lL]ock|[cC]ondition)", changed):
        known |= set(cast.split("."))
    for name in set(re.findall("^import ([\\w.]+);", changed, re.M)) - set(re.findall("^import ([\\w.]+);", text, re.M)):
        known |= set(name.split(".")) if name.split(".")[-1] in known else set()
    found = []
    lists = []
    for i, content in enumerate([text, changed]):
        # A word a line, so that what was moved to the right is no change.
        lists.append(os.path.join(folder, f"words{i}"))
        with open(lists[i], "w", encoding="utf-8", errors="surrogateescape") as out:
            out.writelines(word + "\n" for word in re.findall(r"[A-Za-z0-9_$]+|[^\s]", content))
    out = run(["git", "diff", "--no-index", "--minimal", "-U0", *lists], errors="surrogateescape").stdout
    for line in out.splitlines()[4:]:
        if line[:1] in "+-" and line[1:] not in known and not re.search("[lL]ock|LOCK|[cC]ondition|CONDITION", line):
            found.append(line[1:])
    for end in ["\r\n", "\t"]:
        if (end in text) != (end in changed):
            found.append(repr(end))
    if text.count("\r\n") == text.count("\n") and changed.count("\r\n") != changed.count("\n"):
        found.append("a line end")
    return found


def measure(artifact, release, compiled, needs):
    name = "-".join(artifact.split(":")[1:])
    jar, needed = fetch(artifact), [fetch(each) for each in needs]
    work = os.path.join(folder, name)
    shutil.rmtree(work, ignore_errors=True)
    sources = os.path.join(work, "sources")
    with zipfile.ZipFile(fetch(artifact, "sources")) as packed:
        packed.extractall(sources, [each for each in packed.namelist() if each.endswith(".java") and not each.startswith(LEFT_OUT)])
    shutil.copytree(sources, os.path.join(work, "patched"))
    classes = [jar]
    if compiled:
        classes = [os.path.join(work, "classes"), jar]
        every = [os.path.join(at, file) for at, _, files in os.walk(sources) for file in files if file != "module-info.java"]
        problems = compile(every, release, [jar, *needed], classes[0])
        assert not problems, problems[:5]
    result = patch(sources, classes)
    diff = os.path.join(work, "locks.patch")
    with open(diff, "wb") as out:
        out.write(base64.b64decode(result["diffBase64"]))
    applied = run(["git", "apply", diff], cwd=os.path.join(work, "patched"))
    assert applied.returncode == 0, applied.stderr
    files = [os.path.join(work, "patched", file) for file in result["files"]]
    overlay = os.path.join(work, "overlay")
    errors = compile(files, release, [*classes, *needed], overlay)
    again = patch(os.path.join(work, "patched"), [overlay, *classes])
    odd = [word for file in result["files"]
           for word in strange(os.path.join(sources, file), os.path.join(work, "patched", file))]
    reasons = collections.Counter()
    for lock in result["declined"]:
        reasons[lock["rung"]] += len(lock["sites"])
    moved, stay = sites(result["locks"]), sum(reasons.values())
    why = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common())
    for column, text in (("sites", moved + stay), ("patched", f"{moved} ({moved / (moved + stay):.0%})"), ("declined", f"{stay}: {why}"),
                         ("files", len(files)), ("errors", len(errors)), ("again", sites(again["locks"])), ("foreign", len(odd))):
        figures.tell("patch-libraries", name, column, str(text))
    for problem in errors[:5] + odd[:20]:
        print("  ", problem, file=sys.stderr)


os.makedirs(folder, exist_ok=True)
for library in LIBRARIES:
    measure(*library)
