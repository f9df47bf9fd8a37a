"""What is measured: the parts, the code that each measures, and the commands that do it."""
import dataclasses

CORE = "agent/core/src/main"
# It changes the classes of the finished jars.
BUILD = "agent/src/build"
AGENT = (CORE, "agent/src/main", BUILD)
ANALYZER = "analyzer/src/main"
EXPERIMENT = (*AGENT, ANALYZER, "sample-apps/experiments/src/main", "sample-apps/src/main")
READING = (ANALYZER, f"{CORE}/java/io/github/vtdiag/pin", f"{CORE}/java/io/github/vtdiag/model", BUILD)
# Kinds of events, and the pieces of work that make a hundred thousand of them or more. No run makes so many samples of running code.
EVENTS = {"allocations": 300_000, "monitors": 4_000_000, "parks": 1_000_000, "files": 300_000, "looks": 300_000, "threads": 300_000,
          "executions": 60_000}


@dataclasses.dataclass(frozen=True)
class Part:
    what: str
    sources: tuple
    minutes: int = 0  # expected, on two processors
    # A script of docs/benchmarks with its arguments; {java21} and {java25} are JDKs, {work} is a folder. Of 15~2 --tiny takes the 2.
    # Nothing repeats a part without commands: its figures stay as they were found.
    commands: tuple = ()
    of_the_hour: bool = True
    # What it needs beside the build and two JDKs: such a part is not tried with all others.
    needs: str = ""


def by_name(what, sources, minutes, *commands, needs=""):
    return Part(what, sources, minutes, commands, False, needs)


def both(command):
    return command.replace("JAVA", "{java21}"), command.replace("JAVA", "{java25}")


PARTS = {
    "reading": Part("analyze, report, the jfr tool and cat on recordings of 500 MB", READING, 10,
                    tuple(f"reading.py {kind} {{java21}} 3~1 {size}~2" for kind, size in (("typical", 500), ("pins", 300), ("samples", 500)))),
    "events": Part("what a million more events cost analyze", READING, 3,
                   tuple(f"events.py {{java21}} {kind} {pieces}~{pieces // 100} 2~1" for kind, pieces in EVENTS.items())),
    "startup-cli": Part("the start of vtdiag gate", READING, 1, ("reading.py cli {java21} 15~1",)),
    "first-result": Part("from vtdiag run to its result", (*AGENT, ANALYZER), 3, both("first-result.py JAVA 3~1")),
    "startup": Part("the start of an application with the agent", AGENT, 2, both("startup.py JAVA 15~1")),
    "exit-summary": Part("what the agent's summary adds to the end", AGENT, 3, both("exit-summary.py JAVA 3~1 12000~500")),
    "throughput": Part("HTTP, and switching, with the agent and without", AGENT, 15,
                       tuple(command for workload in ("http", "http-idle", "switching") for command in both(f"throughput.py JAVA {workload} 3~2 4~1"))),
    "junit": Part("what the JUnit extension costs a test", (*AGENT, "analyzer/junit/src/main"), 3, ("junit.py {java21} {java25} 5~1",)),
    "watch-latency": Part("how soon a pin is told", AGENT, 2, both("watch.py latency JAVA 12~1")),
    "watch-native": Part("blocking in native code that is found", AGENT, 1, both("watch.py native JAVA 100~5 120")),
    "account": Part("the account of the carriers' time", (*AGENT, ANALYZER), 4,
                    tuple(f"account.py {{java{jdk}}} agent 45~3 {carriers}" for carriers in (2, 16) for jdk in (21, 25))),
    "top": Part("what vtdiag top costs, and how soon it shows what is new", (ANALYZER,), 5,
                (*both("top.py cost JAVA 3~1 10~1"), *both("top.py latency JAVA 4~1"))),
    "metrics": Part("what reading the metrics costs", AGENT, 2, both("metrics.py JAVA 2000~10")),
    "what-if": Part("what the what-if brings", AGENT, 4,
                    tuple(f"whatif.py {what} {{java21}} 3~1 4~1" for what in ("own", "hsqldb", "pgjdbc"))),
    "program": Part("reading a whole Spring Boot program", (ANALYZER, f"{CORE}/java/io/github/vtdiag/locksite"), 1,
                    ("program.py make {work}", "program.py table {work} 5~1")),
    "watch-cost": by_name("throughput with the watch", AGENT, 11, *both("watch.py cost JAVA 4~1 4~1")),
    "prediction": by_name("the predicted throughput", (*AGENT, ANALYZER), 8, "prediction.py {java21} 4~1"),
    "patched-pgjdbc": by_name("pgjdbc with its patch", (*AGENT, ANALYZER), 4, "patched-pgjdbc.py {work} 5~1 3~1"),
    "trust": by_name("the verdicts of the gate, 100 times each", (*AGENT, ANALYZER), 21, "trust.py {java21} {java25} 100~1"),
    "watch-hangs": by_name("programs that stand still", AGENT, 40, *both("watch.py hangs JAVA 20~1")),
    "stalls": by_name("programs that stand still without an owner, and idle ones", (*AGENT, ANALYZER), 50,
                      *both("stalls.py JAVA 50~12 8 .~leakedPermits")),
    "evaluation": by_name("vtdiag and the JDK's tools on programs whose truth is known", (*AGENT, ANALYZER, "docs/evaluation"), 16,
                          *both("evaluation.py JAVA 50~10 .~BlockAbove")),
    "matrix": by_name("what vtdiag tells on each JDK, newer ones by VTDIAG_NEWER_JDKS", (*AGENT, ANALYZER, "docs/evaluation"), 10,
                      "matrix.py {java21} {java25}"),
    "watch-alarms": by_name("false alarms", AGENT, 80, *both("watch.py alarms JAVA 600~5")),
    "soak": by_name("crashes and growth under threads, classes, pins and looks, as many as can be", AGENT, 35, "soak.py 4~0.3 '' {java21} {java25}"),
    "soak-hour": by_name("the same for an hour", AGENT, 62, "soak.py 60~0.3 'G1, 2 carriers' {java21} {java25}"),
    "soak-newer": by_name("the same for ten minutes on the JDKs of VTDIAG_NEWER_JDKS", AGENT, 12, "soak.py 10~0.3 'G1, 2 carriers' newer",
                          needs="VTDIAG_NEWER_JDKS"),
    "watch-threads": by_name("a million virtual threads", AGENT, 3, *both("watch.py threads JAVA 1000000~1000")),
    "uncontended": by_name("the what-if without contention, by JMH", AGENT, 14, *both("whatif.py uncontended JAVA 3~1")),
    "one-hot-lock": by_name("vtdiag compare on one hot lock", (*AGENT, ANALYZER), 3, "whatif.py one-hot-lock {java21} 10~1"),
    "java-25": by_name("vtdiag compare on Java 25", (*AGENT, ANALYZER), 3, "whatif.py java-25 {java25} 8~1"),
    "readers": by_name("other readers of recordings", READING, 12, "readers.py {java21} typical 4~1 500~2", "readers.py {java21} pins 4~1 300~2"),
    "attach": by_name("what stays after 100 attaches", (*AGENT, ANALYZER), 6, *both("attach.py JAVA 100~1")),
    "patch-libraries": by_name("patches of real libraries", (ANALYZER,), 5, "patch-libraries.py {work}"),
    "overflow": by_name("locks that stay held after a stack overflow", (ANALYZER,), 2, *both("overflow.py JAVA 64~2")),
    "suites": by_name("other people's test suites; hours", (*AGENT, ANALYZER), 400, "suites.py {work} run --jobs 2", "suites.py {work} table",
                      needs="hours"),
    "experiment-sleepers": by_name("vtdiag sample sleepers", EXPERIMENT, 20,
                                   "experiments.py sleepers {java21} sleepers-21.md", "experiments.py sleepers {java25} sleepers-25.md"),
    "experiment-echo": by_name("vtdiag sample echo", EXPERIMENT, 15,
                               "experiments.py echo {java21} echo-21.md", "experiments.py echo {java25} echo-25.md"),
    "experiment-web": by_name("vtdiag sample web", EXPERIMENT, 20, "experiments.py web {java21} web-21.md"),
    "experiment-crawler": by_name("vtdiag sample crawler", EXPERIMENT, 20, "experiments.py crawler {java21} crawler.md"),
    "fleet": by_name("a lake of 200 and of 2,000 recordings", (CORE, ANALYZER), 3, "fleet.py grow {work} 200~6 2000~12"),
    "fleet-20000": by_name("a lake of 20,000 recordings, which take 10 GB", (CORE, ANALYZER), 15, "fleet.py grow {work} 20000~18"),
    "fleet-beside": by_name("2,000 recordings by a loop of analyze, by vtdiag fleet add, and by Apache Spark in one process and on a cluster",
                            (CORE, ANALYZER, "analyzer/fleet/src/main"), 10, "fleet.py beside {work} 2000~6",
                            needs="mvn -B -DskipTests -Pspark package"),
    "fleet-spark": by_name("one large recording, by vtdiag fleet add and by Apache Spark in one process", (CORE, ANALYZER, "analyzer/fleet/src/main"), 5,
                           "fleet.py large {work} 2000~2", needs="mvn -B -DskipTests -Pspark package"),
    "found": Part("figures found once, by hand or by the tests", (*AGENT, ANALYZER), of_the_hour=False),
}
