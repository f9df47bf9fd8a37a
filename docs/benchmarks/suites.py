#!/usr/bin/env python3
"""Other people's test suites: as they are, with the what-if (rewrite=auto), and patched (vtdiag patch --all --verify).

Usage: suites.py FOLDER run [LIBRARY...]     the libraries of the table below; all of them if none is named
       suites.py FOLDER run --repository URL --tag TAG [--module DIR]... [--sources DIR] [-DFLAG]...     any other Maven build
       suites.py FOLDER table                prints what was measured
       suites.py FOLDER repeat LIBRARY CLASS,CLASS... ROUNDS      these test classes, that often on every side; counts of failures

  --java 21,25          on which Java the tests run (default 21)
  --sides what-if       only some of as-is, what-if, patched
  --rounds 5            how often a class with a difference is run again, at most
  --jobs 2              how many test JVMs at a time; most suites sleep more than they work
  --clones PATTERN      where clones are, instead of GitHub, as in '/clones/{owner}+{name}'

Everything is made in FOLDER; NAME/results.json there has each run, so that a run that was stopped goes on, and only what changed
runs again: the what-if if the agent did, the patched side if the diff did. Maven runs on Java 25; a test JVM is started by a
small script in the place of java, so that no build has to be edited. After the build (./vtdiag --version builds).

A test that fails on one side only is repeated on both. It is real if it fails more often there than as is, and chance is
excluded at 1% (Fisher's exact test); otherwise it is flaky, and named with its counts.
"""
import argparse
import base64
import collections
import contextlib
import dataclasses
import glob
import hashlib
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree

import figures

top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
vtdiag = os.path.join(top, "vtdiag")
SIDES = ["as-is", "what-if", "patched"]


@dataclasses.dataclass
class Library:
    repository: str
    tag: str
    folder: str = "."  # of the build, in the repository
    modules: tuple = (".",)  # whose tests run, and whose sources are patched
    sources: str = "src/main/java"  # in a module
    flags: tuple = ()
    only: tuple = ()  # of a long suite, the test classes that run, as patterns of files
    options: tuple = ()  # of the test JVM, for what old tests reach into
    without: tuple = ()  # test classes that take too long, as patterns of files
    limit: int = 900  # seconds for a run of the suite; it is stopped then
    runner: str = "surefire"  # or "main": each test class is a program
    classes: str = ""  # for "main": which, as a regular expression
    central: bool = False  # everything is fetched from Maven Central, whatever the build says
    build: tuple = ("test-compile",)
    test: tuple = ("test",)
    alone: bool = False  # its tests use fixed ports, or the like: one run at a time


# Only what compiles and tests, for builds whose other steps need tools that are not there.
BUILD = ("resources:resources", "compiler:compile", "resources:testResources", "compiler:testCompile")
TEST = ("surefire:test",)

LIBRARIES = {
    "commons-pool2": Library("apache/commons-pool", "rel/commons-pool-2.13.1", build=BUILD, test=TEST),
    "commons-dbcp2": Library("apache/commons-dbcp", "rel/commons-dbcp-2.14.0", build=BUILD, test=TEST),
    # A JVM for each class: only the packages that have most of the locks.
    "commons-io": Library("apache/commons-io", "rel/commons-io-2.22.0", build=BUILD, test=TEST,
                          only=("**/io/input/*Test", "**/io/output/*Test", "**/io/monitor/*Test")),
    "commons-collections4": Library("apache/commons-collections", "rel/commons-collections-4.5.0", build=BUILD, test=TEST),
    "commons-vfs2": Library("apache/commons-vfs", "rel/commons-vfs-2.10.0", modules=("commons-vfs2",), build=BUILD, test=TEST,
                            flags=("-DargLine=",),
                            without=("**/TarFileSystemTest*", "**/ZipFileSystemTest*", "**/LargeTarTest*", "**/ftps/**")),
    # The profile asks for a JDK of Java 5 to 8, and runs the tests on the Java of Maven.
    "reload4j": Library("qos-ch/reload4j", "v_1.2.25", build=BUILD, test=TEST, flags=("-P!toolchains", "-Djdk.version=8"), alone=True),
    "httpcore": Library("apache/httpcomponents-core", "rel/v4.4.16", modules=("httpcore", "httpcore-nio"),
                        options=tuple(f"--add-opens=java.base/java.{each}=ALL-UNNAMED" for each in ("lang", "net", "nio", "util")),
                        flags=("-Dmaven.compiler.source=8", "-Dmaven.compiler.target=8")),
    "mina": Library("apache/mina", "2.2.3", modules=("mina-core",)),
    # Its pom names repositories that are gone, and its build a tool (rmic) that is no longer in the JDK.
    "quartz": Library("quartz-scheduler/quartz", "v2.3.2", modules=("quartz-core",), central=True, alone=True,
                      options=("--add-opens=java.base/java.lang=ALL-UNNAMED",),
                      flags=("-Dmaven.compiler.release=8",),
                      test=("org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test",),
                      build=("resources:resources", "org.apache.maven.plugins:maven-compiler-plugin:3.13.0:compile",
                             "resources:testResources", "org.apache.maven.plugins:maven-compiler-plugin:3.13.0:testCompile")),
    "logback": Library("qos-ch/logback", "v_1.5.37", modules=("logback-core",)),
    # Of its own runner's tests, those of databases, JDBC, transactions and the store that take less than two minutes each.
    "h2": Library("h2database/h2database", "version-2.4.240", folder="h2", sources="src/main", runner="main", limit=120, alone=True,
                  flags=("-Dmaven.compiler.source=11", "-Dmaven.compiler.target=11"),
                  classes=r"org\.h2\.test\.(db|jdbc|jdbcx|mvcc|store|server)\.Test\w+"),
}

# What a build does besides compiling and testing.
QUIET = ["-Drat.skip", "-Dcheckstyle.skip", "-Djapicmp.skip", "-Denforcer.skip", "-Dspotbugs.skip", "-Djacoco.skip",
         "-Dcyclonedx.skip", "-Danimal.sniffer.skip", "-Dmaven.javadoc.skip", "-Dspdx.skip", "-Dpmd.skip", "-Dcpd.skip",
         "-DfailIfNoTests=false", "-Dsurefire.failIfNoSpecifiedTests=false", "-Dmaven.test.failure.ignore=true",
         "-Dsurefire.rerunFailingTestsCount=0"]


def run(command, limit=None, log=None, **options):
    """The exit code, None if the time was up, and the CPU seconds; all that it started ends with it."""
    with open(log or os.devnull, "ab") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True, **options)
        end = time.time() + (limit or 3600)
        while True:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid or time.time() > end:
                break
            time.sleep(0.1)
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        if not pid:
            _, _, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status) if pid else -9
        return process.returncode if pid else None, used.ru_utime + used.ru_stime


def output(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout.strip()


def home(java):
    return output(vtdiag, "jdk", str(java))


def digest(file):
    with open(file, "rb") as content:
        return hashlib.sha256(content.read()).hexdigest()[:16]


class Stopped(Exception):
    """This library cannot go on."""


class Results:
    """NAME/results.json of a library: each run under its key, written after each."""

    def __init__(self, folder, name):
        self.file = os.path.join(folder, name, "results.json")
        self.all = {}
        self.lock = threading.Lock()
        if os.path.exists(self.file):
            with open(self.file, encoding="utf-8") as text:
                self.all = json.load(text)

    def of(self, key):
        return self.all.get(key)

    def put(self, key, value):
        with self.lock:
            self.all[key] = value
            with open(self.file + ".new", "w", encoding="utf-8") as text:
                json.dump(self.all, text, indent=1, sort_keys=True)
            os.replace(self.file + ".new", self.file)


class Suite:
    """One library: its trees, as it is and patched, and how its tests run."""

    def __init__(self, folder, name, library, clones):
        self.name, self.library = name, library
        self.work = os.path.join(folder, name)
        self.clones = clones
        self.alone = threading.Lock()
        os.makedirs(self.work, exist_ok=True)
        self.results = Results(folder, name)

    def tree(self, side):
        return os.path.join(self.work, side)

    def log(self, side):
        return os.path.join(self.work, f"{side}.log")

    def build(self, side):
        return os.path.normpath(os.path.join(self.tree(side), self.library.folder))

    def modules(self, side):
        return [os.path.normpath(os.path.join(self.build(side), module)) for module in self.library.modules]

    def maven(self, side, *arguments, offline=True, limit=1800, environment=None):
        command = ["mvn", "-B", *(["-o"] if offline else []), *QUIET, *self.library.flags]
        if self.library.central:
            settings = os.path.join(self.work, "settings.xml")
            with open(settings, "w") as out:
                out.write("<settings><mirrors><mirror><id>central</id><mirrorOf>*</mirrorOf>"
                          "<url>https://repo.maven.apache.org/maven2</url></mirror></mirrors></settings>")
            command += ["-s", settings]
        if self.library.modules != (".",):
            command += ["-pl", ",".join(self.library.modules), "-am"]
        return run([*command, *arguments], limit, self.log(side), cwd=self.build(side),
                   env={**os.environ, "JAVA_HOME": home(25), **(environment or {})})

    def fail(self, side, what):
        with open(self.log(side), encoding="utf-8", errors="replace") as text:
            print("".join(text.readlines()[-30:]), file=sys.stderr)
        raise Stopped(f"{self.name}: {what}; see {self.log(side)}")

    def fetch(self):
        """The sources of the tag, compiled with their tests."""
        built = os.path.join(self.work, "built")
        if os.path.exists(built) and open(built).read() == self.library.tag:
            return
        shutil.rmtree(self.tree("as-is"), ignore_errors=True)
        owner, name = self.library.repository.split("/")[-2:]
        url = self.clones.format(owner=owner, name=name) if "://" not in self.library.repository else self.library.repository
        if run(["git", "clone", "-q", "-c", "advice.detachedHead=false", "--branch", self.library.tag, url, self.tree("as-is")],
               log=self.log("as-is"))[0] != 0:
            self.fail("as-is", "cannot be cloned")
        paths = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath"
        for scope in ("test", "compile"):
            if self.maven("as-is", *self.library.build, paths, f"-Dmdep.outputFile=target/{scope}-path", f"-DincludeScope={scope}",
                          offline=False)[0] != 0:
                self.fail("as-is", "does not compile")
        shutil.rmtree(self.tree("what-if"), ignore_errors=True)
        shutil.copytree(self.tree("as-is"), self.tree("what-if"), symlinks=True)
        with open(built, "w") as out:
            out.write(self.library.tag)

    def class_path(self, side, tests):
        """Classes of the modules and what they use; with their tests, or without."""
        path = [os.path.join(module, "target", "classes") for module in self.modules(side)]
        if tests:
            path += [os.path.join(module, "target", "test-classes") for module in self.modules(side)]
        for module in self.modules("as-is"):
            with open(os.path.join(module, "target", "test-path" if tests else "compile-path"), encoding="utf-8") as text:
                for each in text.read().strip().split(os.pathsep):
                    if each.startswith(self.tree("as-is") + os.sep):
                        each = self.tree(side) + each[len(self.tree("as-is")):]
                    path.append(each)
        return [each for each in dict.fromkeys(path) if os.path.exists(each)]

    def patch(self):
        """What vtdiag patch says of the sources, and the patched tree, compiled anew if the diff is another.

        The program is the library, without its tests and what they use; how much moves with these is told too.
        """
        sources = [os.path.join(module, self.library.sources) for module in self.modules("as-is")]
        command = [vtdiag, "patch", "--all", "--json", "-q"]
        command += [option for each in sources if os.path.exists(each) for option in ("--sources", each)]

        def vtdiag_patch(tests, *more):
            path = os.pathsep.join(self.class_path("as-is", tests))
            return subprocess.run([*command, "--classpath", path, *more], cwd=self.tree("as-is"), capture_output=True, text=True)

        made = vtdiag_patch(False, "--verify")
        if made.returncode != 0:
            return {"refused": made.stderr.strip()[-2000:], "key": "refused"}
        result, wider = json.loads(made.stdout), vtdiag_patch(True)
        diff = os.path.join(self.work, "locks.patch")
        with open(diff, "wb") as out:
            out.write(base64.b64decode(result["diffBase64"]))
        sites = lambda locks: sum(len(lock["sites"]) for lock in locks)
        why = collections.Counter()
        for lock in result["declined"]:
            why[lock["rung"]] += len(lock["sites"])
        told = {"moved": sites(result["locks"]), "declined": dict(why), "files": len(result["files"]), "key": digest(diff),
                "movedWithTests": sites(json.loads(wider.stdout)["locks"]) if wider.returncode == 0 else None}
        tree = self.tree("patched")
        marker = os.path.join(self.work, "patched-by")
        if os.path.exists(marker) and open(marker).read() == self.library.tag + told["key"]:
            return told
        shutil.rmtree(tree, ignore_errors=True)
        shutil.copytree(self.tree("as-is"), tree, symlinks=True)
        for module in self.modules("patched"):
            shutil.rmtree(os.path.join(module, "target", "classes"), ignore_errors=True)
        if os.path.getsize(diff) and run(["git", "apply", diff], log=self.log("patched"), cwd=os.path.join(
                tree, os.path.relpath(result["base"], self.tree("as-is"))))[0] != 0:
            self.fail("patched", "the patch does not apply")
        if self.maven("patched", *self.library.build)[0] != 0:
            self.fail("patched", "does not compile with the patch")
        with open(marker, "w") as out:
            out.write(self.library.tag + told["key"])
        return told

    def java(self, java, side):
        """A JDK whose java starts the test JVM of this side."""
        real, fake = home(java), os.path.join(self.work, f"jdk-{java}-{side}")
        os.makedirs(os.path.join(fake, "bin"), exist_ok=True)
        for each in os.listdir(real):
            if each != "bin" and not os.path.lexists(os.path.join(fake, each)):
                os.symlink(os.path.join(real, each), os.path.join(fake, each))
        option = f'"-javaagent:{agent}=rewrite=auto,output=$SUITES_RUN/%p.jfr,warn=off,summary=off"' if side == "what-if" else ""
        options = " ".join(self.library.options)
        program = os.path.join(fake, "bin", "java")
        with open(program + ".new", "w") as script:
            script.write(f'#!/bin/sh\necho $$ >>"$SUITES_RUN/pids"\nexec "{real}/bin/java" {options} {option} "$@"\n')
        os.chmod(program + ".new", 0o755)
        os.replace(program + ".new", program)
        return program

    def test(self, java, side, only=None):
        """Runs the suite, or some of its classes: tests with how each ended, seconds, and what went wrong besides."""
        with self.alone if self.library.alone else contextlib.nullcontext(), turn:
            return self.tested(java, side, only)

    def tested(self, java, side, only):
        here = os.path.join(self.work, f"run-{java}-{side}")
        shutil.rmtree(here, ignore_errors=True)
        os.makedirs(here)
        began = time.time()
        runner = self.surefire if self.library.runner == "surefire" else self.programs
        tests, trouble, cpu = runner(java, side, here, only)
        for recording in glob.glob(os.path.join(here, "**", "*.jfr"), recursive=True):
            os.remove(recording)
        return {"tests": tests, "trouble": trouble, "seconds": round(time.time() - began), "cpu": round(cpu)}

    def surefire(self, java, side, here, only):
        reports = [os.path.join(module, "target", "surefire-reports") for module in self.modules(side)]
        for each in reports:
            shutil.rmtree(each, ignore_errors=True)
        mark = os.path.getsize(self.log(side)) if os.path.exists(self.log(side)) else 0
        without = os.path.join(here, "without")
        with open(without, "w") as out:
            out.writelines(each + "\n" for each in self.library.without)
        program = self.java(java, side)
        # Apache Commons name the JVM by a property of their own.
        arguments = [*self.library.test, f"-Djvm={program}", f"-Dcommons.surefire.java={program}",
                     "-Dmaven.compiler.useIncrementalCompilation=false"]
        if only or self.library.only:
            arguments.append("-Dtest=" + ",".join(only or self.library.only))
        elif self.library.without:
            arguments.append(f"-Dsurefire.excludesFile={without}")
        # The first run fetches what only tests need.
        complete = os.path.join(self.work, "complete")
        code, cpu = self.maven(side, *arguments, offline=os.path.exists(complete), limit=self.library.limit,
                          environment={"SUITES_RUN": here})
        tests, trouble = {}, []
        for file in sorted(each for folder in reports for each in glob.glob(os.path.join(folder, "TEST-*.xml"))):
            try:
                suite = xml.etree.ElementTree.parse(file).getroot()
            except xml.etree.ElementTree.ParseError:
                trouble.append(f"{os.path.basename(file)} is cut off")
                continue
            for case in suite.iter("testcase"):
                bad = next((child for kind in ("failure", "error") for child in case.findall(kind)), None)
                state = "skipped" if case.find("skipped") is not None else "passed"
                if bad is not None:
                    state = "failed: " + (bad.get("type") or "") + ": " + (bad.get("message") or "")[:200]
                add(tests, f"{case.get('classname')}#{case.get('name')}", state)
        with open(self.log(side), encoding="utf-8", errors="replace") as text:
            text.seek(mark)
            said = text.read()
        if code is None:
            trouble.append(f"stopped after {self.library.limit} s")
        trouble += dict.fromkeys(re.findall(
            r"^(.*\[vtdiag\].* stopp.*|.*The forked VM terminated.*|.*There was a timeout.*)$", said, re.MULTILINE))
        if code and not tests:
            self.fail(side, "Maven failed")
        if not os.path.exists(os.path.join(here, "pids")):
            self.fail(side, "the build starts a JVM of its own for the tests, not the one that it is given")
        open(complete, "w").close()
        return tests, trouble, cpu

    def programs(self, java, side, here, only):
        """Each class with a main method is a program; it fails if its exit code is not 0."""
        classes = only
        if not classes:
            classes = []
            folder = os.path.join(self.modules(side)[0], "src", "test")
            for file in sorted(glob.glob(os.path.join(folder, "**", "*.java"), recursive=True)):
                name = os.path.relpath(file, folder)[:-5].replace(os.sep, ".")
                if re.fullmatch(self.library.classes, name) and not any(re.fullmatch(each, name) for each in self.library.without):
                    classes.append(name)
        tests, total = {}, 0
        program = self.java(java, side)
        path = os.pathsep.join(self.class_path(side, True))
        for name in classes:
            at = os.path.join(here, name)
            os.makedirs(at)
            log = os.path.join(at, "log")
            code, cpu = run([program, "-cp", path, name], self.library.limit, log, cwd=at, env={**os.environ, "SUITES_RUN": at})
            total += cpu
            with open(log, encoding="utf-8", errors="replace") as text:
                said = text.read()
            why = re.findall(r"^(?:Exception in thread \"main\" )?(\S*(?:Error|Exception)\b.*|\[vtdiag\].* stopp.*)", said, re.MULTILINE)
            tests[name] = "passed" if code == 0 else \
                f"failed: {'time is up' if code is None else code}: {' '.join(why[:2])[:300]}"
            if code == 0:
                shutil.rmtree(at)
        return tests, [], total


def add(tests, test, state):
    """Tests of one name are numbered; what is another in each run, as an identity hash code, is left out of the name."""
    test = re.sub(r"@[0-9a-f]{5,}|(?<=\D)\d{8,}", "@", test)
    while test in tests:
        number = re.fullmatch(r"(.*) \((\d+)\)", test)
        test = f"{number[1]} ({int(number[2]) + 1})" if number else test + " (2)"
    tests[test] = state


def failed(state):
    return state is None or state.startswith("failed")


def differing(before, after):
    """Tests that fail, or are missing, on one side only."""
    tests = dict.fromkeys([*before["tests"], *after["tests"]])
    return [test for test in tests if failed(before["tests"].get(test)) != failed(after["tests"].get(test))]


def owner(test, runner):
    """The class to run again."""
    return test if runner == "main" else re.sub(r"\$.*", "", test.split("#")[0])


def chance(a, n, b, m):
    """How likely b of m failures, or more, are where a of n fail and both are the same (Fisher's exact test, one-sided)."""
    total = math.comb(n + m, a + b)
    return sum(math.comb(m, k) * math.comb(n, a + b - k) for k in range(b, min(m, a + b) + 1)) / total


def repeat(suite, java, side, keys, rounds):
    """Runs the classes that differ again, on both sides, until each difference is real, or the rounds are over."""
    name, results = suite.name, suite.results
    before, after = results.of(keys["as-is"]), results.of(keys[side])
    tests = differing(before, after)
    if not tests:
        return {}
    again = f"again {keys[side]}"
    done = results.of(again) or []
    classes = sorted({owner(test, suite.library.runner) for test in tests})
    while True:
        counts = {}
        for test in tests:
            a = [before["tests"].get(test), *(each["as-is"].get(test) for each in done)]
            b = [after["tests"].get(test), *(each[side].get(test) for each in done)]
            counts[test] = [sum(map(failed, a)), len(a), sum(map(failed, b)), len(b)]
        open_ones = {test for test, (a, n, b, m) in counts.items() if chance(a, n, b, m) > 0.01 and chance(b, m, a, n) > 0.01}
        if not open_ones or len(done) >= rounds or len(classes) > 40:
            return counts
        still = sorted({owner(test, suite.library.runner) for test in open_ones}) or classes
        print(f"  {name} {java} {side}: round {len(done) + 1} of {', '.join(still)}", file=sys.stderr, flush=True)
        ended = together(lambda each: suite.test(java, each, still)["tests"], ["as-is", side])
        this = dict(ended)
        # A class that needs no further round keeps what it did.
        for test in tests:
            if owner(test, suite.library.runner) not in still:
                this["as-is"][test], this[side][test] = before["tests"].get(test), after["tests"].get(test)
        done.append(this)
        results.put(again, done)


def together(what, each):
    """Does it for each in threads of their own; the results by name."""
    done, errors = {}, []

    def work(one):
        try:
            done[one] = what(one)
        except Stopped as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(one,)) for one in each]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return done


def measure(suite, javas, sides, rounds):
    name, results = suite.name, suite.results
    results.put("tag", suite.library.tag.split("/")[-1])
    with turn:
        suite.fetch()
        patched = suite.patch() if "patched" in sides else None
    if patched:
        results.put("patch", patched)
        print(f"{name}: {patched}", flush=True)
        if not patched.get("moved"):
            sides = [side for side in sides if side != "patched"]
    for java in javas:
        keys = {"as-is": f"{java} as-is {suite.library.tag}", "what-if": f"{java} what-if {suite.library.tag} {digest(agent)}",
                "patched": patched and f"{java} patched {suite.library.tag} {patched['key']}"}
        results.put(f"{java} keys", {**(results.of(f"{java} keys") or {}), **{side: keys[side] for side in sides}})

        def first(side):
            if not results.of(keys[side]):
                results.put(keys[side], suite.test(java, side))
            ended = results.of(keys[side])
            print(f"  {name} {java} {side}: {len(ended['tests'])} tests, {sum(map(failed, ended['tests'].values()))} failed, "
                  f"{ended['seconds']} s, CPU {ended['cpu']} s {ended['trouble'] or ''}", flush=True)

        # The first of all runs fetches what the tests need.
        later = sides
        if not os.path.exists(os.path.join(suite.work, "complete")):
            first("as-is")
            later = sides[1:]
        together(first, later)
        for side in sides[1:]:
            counts = repeat(suite, java, side, keys, rounds)
            results.put(f"counts {keys[side]}", counts)
            for test, (a, n, b, m) in counts.items():
                print(f"  {name} {java} {side}: {verdict(a, n, b, m)} {test}: {a}/{n} as is, {b}/{m} {side}: "
                      f"{results.of(keys[side])['tests'].get(test)}", flush=True)


def verdict(a, n, b, m):
    return "REAL" if chance(a, n, b, m) <= 0.01 else "flaky"


def short(test):
    return re.sub(r"^(?:\w+\.)+", "", test.split("#")[0]) + ("#" + test.split("#")[1] if "#" in test else "")


def table(folder):
    for file in sorted(glob.glob(os.path.join(folder, "*", "results.json"))):
        name = os.path.basename(os.path.dirname(file))
        all = Results(folder, name).all
        patch, moved = all.get("patch"), "-"
        if patch:
            moved = "refused" if "refused" in patch else \
                f"{patch['moved']} ({patch['movedWithTests']}) of {patch['moved'] + sum(patch['declined'].values())}"
        for key in sorted(each for each in all if re.fullmatch(r"\d+ keys", each)):
            ended = [all.get(all[key].get(side) or "") for side in SIDES]
            real, flaky = [], []
            for side in SIDES[1:]:
                for test, (a, n, b, m) in (all.get(f"counts {all[key].get(side)}") or {}).items():
                    which = real if verdict(a, n, b, m) == "REAL" else flaky
                    which.append(f"{short(test)}: {side} {b}/{m}, as is {a}/{n}")
            failures = ["; ".join([str(sum(map(failed, each["tests"].values()))), *each["trouble"]]) if each else "-"
                        for each in ended]
            tests = str(len(ended[0]["tests"])) if ended[0] else "-"
            for column, text in zip(("tests", "sites moved", "fail as is", "what-if", "patched", "real", "flaky"),
                                    (tests, moved, *failures, "; ".join(real) or "none", "; ".join(flaky) or "none")):
                figures.tell("suites", f"{name} {all.get('tag')}, Java {key.split()[0]}", column, text)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("folder")
    parser.add_argument("what", choices=["run", "table", "repeat"])
    parser.add_argument("arguments", nargs="*")
    parser.add_argument("--java", default="21")
    parser.add_argument("--sides", default=",".join(SIDES))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--clones", default="https://github.com/{owner}/{name}")
    parser.add_argument("--repository")
    parser.add_argument("--tag")
    parser.add_argument("--module", action="append", default=[])
    parser.add_argument("--sources", default="src/main/java")
    parser.add_argument("--flag", "-D", action="append", default=[])
    options = parser.parse_args()
    folder = os.path.abspath(options.folder)
    os.makedirs(folder, exist_ok=True)
    # A copy, so that a build in the meantime does not change what runs.
    global agent
    output(vtdiag, "--version")
    built = os.path.join(top, "agent", "target", "vtdiag.jar")
    agent = os.path.join(folder, f"vtdiag-{digest(built)}.jar")
    shutil.copyfile(built, agent)
    global turn
    turn = threading.BoundedSemaphore(options.jobs)
    sides = [side for side in SIDES if side in options.sides.split(",") or side == "as-is"]
    javas = options.java.split(",")
    if options.repository:
        LIBRARIES[name := re.sub(r"\.git$", "", options.repository.rstrip("/").split("/")[-1])] = Library(
            options.repository, options.tag, modules=tuple(options.module) or (".",), sources=options.sources,
            flags=tuple("-D" + flag for flag in options.flag))
        options.arguments.insert(0, name)
    if options.what == "run":
        def library(name):
            try:
                measure(Suite(folder, name, LIBRARIES[name], options.clones), javas, sides, options.rounds)
            except Stopped as stopped:
                print(stopped, file=sys.stderr, flush=True)

        together(library, options.arguments or LIBRARIES)
    elif options.what == "repeat":
        name, classes, rounds = options.arguments
        suite = Suite(folder, name, LIBRARIES[name], options.clones)
        suite.fetch()
        if "patched" in sides:
            suite.patch()
        for java in javas:
            counts = {side: collections.Counter() for side in sides}
            seconds = {side: [] for side in sides}
            for number in range(int(rounds)):
                for side in sides if number % 2 == 0 else sides[::-1]:
                    ended = suite.test(java, side, classes.split(","))
                    seconds[side].append(ended["seconds"])
                    for test, state in ended["tests"].items():
                        counts[side][test] += failed(state)
            for side in sides:
                print(f"{name} {java} {side}: {dict(counts[side])} of {rounds}; seconds {sorted(seconds[side])}", flush=True)
    else:
        table(folder)


main()
