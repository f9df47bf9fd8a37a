#!/usr/bin/env python3
"""Programs that stand still and programs that do not: what vtdiag says of each, live, at the end and through the gate.

Usage: stalls.py JAVA_HOME [SECONDS] [BESIDE] [NAMES]  the programs of docs/benchmarks/stalls whose names contain one of NAMES,
                                                       which commas separate, each for so many seconds (50), so many of them at a
                                                       time (6); those that take all processors run alone. Goals: each that
                                                       stands still is named with what it waits for, and none passes; none of the
                                                       others is told or fails

Records a row for each program, and the goals. STALLS_WORDS=1 also prints what was said of those with a fault. After mvn package,
which builds the agent and the command line. Two carriers each. Exit code 10 if a goal is missed.
"""
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

import figures

home = sys.argv[1]
seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 50
beside = int(sys.argv[3]) if len(sys.argv) > 3 else 6
wanted = sys.argv[4].split(",") if len(sys.argv) > 4 else [""]
feature = figures.feature(home)
# A stall is told after 30 s, and 10 s later at the latest.
TOLD_WITHIN = 40
HANG = re.compile(r"\[vtdiag\] ((probably a )?deadlock|starved|stalled|lock never released|lost wake-up|hung )")
UNKNOWN = "what would end the waits"
# Said while it lasts where nothing decides whether threads stand still.
NOTED = "[vtdiag] possible stall: nothing shows " + UNKNOWN
LIBRARIES = ["com.zaxxer:HikariCP:7.0.2", "io.agroal:agroal-pool:2.5", "io.agroal:agroal-api:2.5", "org.jboss.logging:jboss-logging:3.5.3.Final",
             "com.mchange:c3p0:0.10.1", "com.mchange:mchange-commons-java:0.3.1", "org.apache.commons:commons-pool2:2.13.1",
             "com.h2database:h2:2.2.224", "org.slf4j:slf4j-api:2.0.17", "com.github.ben-manes.caffeine:caffeine:3.2.0",
             "com.google.guava:guava:33.5.0-jre", "com.google.guava:failureaccess:1.0.3", "com.lmax:disruptor:3.4.4",
             "io.netty:netty-common:4.2.19.Final", "io.netty:netty-buffer:4.2.19.Final", "io.netty:netty-resolver:4.2.19.Final",
             "io.netty:netty-transport:4.2.19.Final", "org.apache.commons:commons-dbcp2:2.12.0", "commons-logging:commons-logging:1.3.5",
             "io.projectreactor:reactor-core:3.7.0", "org.reactivestreams:reactive-streams:1.0.4", "com.squareup.okhttp3:okhttp:4.12.0",
             "com.squareup.okio:okio-jvm:3.6.0", "org.jetbrains.kotlin:kotlin-stdlib:1.9.25",
             "ch.qos.logback:logback-classic:1.5.18", "ch.qos.logback:logback-core:1.5.18", "io.reactivex.rxjava3:rxjava:3.1.10",
             "io.github.resilience4j:resilience4j-bulkhead:2.3.0", "io.github.resilience4j:resilience4j-core:2.3.0",
             "redis.clients:jedis:5.2.0", "io.grpc:grpc-api:1.71.0", "io.grpc:grpc-core:1.71.0", "io.grpc:grpc-stub:1.71.0",
             "io.grpc:grpc-inprocess:1.71.0", "io.grpc:grpc-context:1.71.0", "io.perfmark:perfmark-api:0.27.0", "org.vibur:vibur-dbcp:26.0",
             "org.vibur:vibur-object-pool:26.0", "com.googlecode.concurrentlinkedhashmap:concurrentlinkedhashmap-lru:1.4.2",
             "org.apache.httpcomponents.client5:httpclient5:5.3.1", "org.apache.httpcomponents.core5:httpcore5:5.2.4",
             "org.apache.httpcomponents.core5:httpcore5-h2:5.2.4", "org.apache.kafka:kafka-clients:4.0.0",
             "org.springframework:spring-core:6.2.12", "org.springframework:spring-jcl:6.2.12", "com.jolbox:bonecp:0.8.0.RELEASE",
             "com.github.chrisvest:stormpot:3.2", "org.eclipse.jetty:jetty-server:12.0.22", "org.eclipse.jetty:jetty-http:12.0.22",
             "org.eclipse.jetty:jetty-io:12.0.22", "org.eclipse.jetty:jetty-util:12.0.22", "org.apache.activemq:activemq-broker:5.18.3",
             "org.apache.activemq:activemq-client:5.18.3", "org.apache.activemq:activemq-openwire-legacy:5.18.3",
             "org.fusesource.hawtbuf:hawtbuf:1.11", "jakarta.jms:jakarta.jms-api:2.0.3", "org.jgroups:jgroups:4.2.30.Final",
             "org.quartz-scheduler:quartz:2.5.0"]


class Program:
    """What Programs list prints of one."""

    def __init__(self, line):
        self.name, self.kind, javas, self.how, self.expected = line.split("\t")
        self.javas = [int(java) for java in javas.split(",")]

    def run(self, folder, java, path):
        """What is said of it: (live lines with their seconds, exit summary, gate's words, gate's exit code)."""
        recording = os.path.join(folder, self.name + ".jfr")
        process = subprocess.Popen(
            [java, "-Djdk.virtualThreadScheduler.parallelism=2", "-Djdk.virtualThreadScheduler.maxPoolSize=2", "--enable-preview",
             "--enable-native-access=ALL-UNNAMED",
             # Logback is on the class path for one program, and is not to log for all others.
             "-Dslf4j.provider=org.slf4j.helpers.NOP_FallbackServiceProvider", "-Dslf4j.internal.verbosity=WARN",
             f"-javaagent:{figures.agent}=output={recording}", "-cp", path, "Programs", self.name, str(seconds)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
        process.stdout.readline()
        begin, lines = time.monotonic(), []
        threading.Thread(target=process.stdout.read, daemon=True).start()
        reader = threading.Thread(target=lambda: lines.extend((time.monotonic() - begin, line) for line in process.stderr), daemon=True)
        reader.start()
        if self.how == "suspended":
            time.sleep(seconds / 3)
            process.send_signal(signal.SIGSTOP)
            time.sleep(seconds / 3)
            process.send_signal(signal.SIGCONT)
        process.wait()
        reader.join()
        gate = subprocess.run([os.path.join(figures.jdk(25), "bin", "java"), "-jar", figures.cli, "gate", "--max-count", "1000000", recording],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        live = [(at, line) for at, line in lines if at < seconds]
        return live, "".join(line for at, line in lines if at >= seconds), gate.stdout, gate.returncode


def named(program, text):
    return re.search(rf"(?<!\w)({'|'.join(re.escape(word) for word in program.expected.split('|'))})(?!\w)", text) is not None


def judged(program, run):
    """A row for the table: name, gate, when it was told, and what is wrong with it, if anything."""
    live, end, gate, code = run
    told = next((at for at, line in live if HANG.search(line)), None)
    noted = next((at for at, line in live if line.startswith(NOTED)), None)
    verdict = gate.split(maxsplit=1)[0] if gate else "?"
    said = "".join(line for _, line in live) + end
    text = said + gate
    if program.kind == "stalling":
        wrong = (["passes"] if code == 0 else []) + ([] if named(program, text) else ["not named"])
        told = min((at for at in (told, noted) if at is not None), default=None)
    else:
        wrong = (["told"] if told is not None else []) + (["fails"] if verdict == "FAIL" else []) + (["no data"] if verdict == "NO_DATA" else [])
        wrong += ["noted"] if noted is not None else []
    # A summary for which there was no time says so.
    if UNKNOWN in gate and UNKNOWN not in said and "no summary" not in said:
        wrong.append("not in the summary")
    return program, verdict, told, wrong, text


def main():
    with tempfile.TemporaryDirectory() as folder:
        jars = figures.fetched(folder, *LIBRARIES)
        sources = os.path.join(figures.here, "stalls")
        kept = [name for name in sorted(os.listdir(sources)) if feature >= 25 or name not in ("Natives.java", "Scopes.java", "Ranges.java")]
        preview = ["--enable-preview", "-source", str(feature)] if feature == 25 else []
        figures.output(os.path.join(home if feature >= 25 else figures.jdk(25), "bin", "javac"), *(preview or ["--release", "21"]), "-nowarn", "-cp",
                       os.pathsep.join(jars), "-d", folder, *(os.path.join(sources, name) for name in kept))
        path, java = os.pathsep.join([folder, *jars]), os.path.join(home, "bin", "java")
        programs = [Program(line) for line in figures.output(java, "--enable-preview", "-cp", path, "Programs", "list").splitlines()]
        programs = [program for program in programs if feature in program.javas and any(each in program.name for each in wanted)]
        results = []
        for at_a_time, group in ((beside, [p for p in programs if p.how != "alone"]), (1, [p for p in programs if p.how == "alone"])):
            with concurrent.futures.ThreadPoolExecutor(at_a_time) as pool:
                for result in pool.map(lambda program: judged(program, program.run(folder, java, path)), group):
                    program, verdict, told, wrong, text = result
                    when = "" if told is None else f"told after {told:.0f} s"
                    print(f"  {program.kind:9} {program.name:45} {verdict:8} {when:18} {', '.join(wrong)}", flush=True)
                    if wrong and os.environ.get("STALLS_WORDS"):
                        print("    | " + text.replace("\n", "\n    | "), flush=True)
                    results.append(result)
                    figures.tell(f"{program.kind} programs", program.name, column, ", ".join(filter(None, (verdict, when, *wrong))))
    return results


column = f"Java {feature}"
results = main()
stalling = [result for result in results if result[0].kind == "stalling"]
healthy = [result for result in results if result[0].kind == "healthy"]
met = True


def those(group, *kinds):
    """How many of the group have one of these faults, of how many; the names."""
    names = [program.name for program, _, _, wrong, _ in group if set(kinds) & set(wrong)]
    return len(names), f"{len(names)} of {len(group)}" + (": " + ", ".join(names) if names else "")


def goal(row, found):
    """Records it, and says whether there are none, which is the goal."""
    count, text = found
    figures.tell("stalls", row, column, text + ("; goal: none, **reached**" if count == 0 else "; goal: none, **missed**"))
    return count == 0


if stalling:
    met &= goal("stand still and pass the gate", those(stalling, "passes"))
    met &= goal("stand still and are not named with what they wait for", those(stalling, "not named"))
    late = [program.name for program, _, told, _, _ in stalling if told is None or told > TOLD_WITHIN]
    figures.tell("stalls", f"stand still and are not told within {TOLD_WITHIN} s, but at the end or not at all", column, f"{len(late)} of {len(stalling)}")
if healthy:
    met &= goal("do not stand still, and are told or fail", those(healthy, "told", "fails"))
    figures.tell("stalls", "do not stand still, and get no verdict", column, those(healthy, "no data")[1])
    figures.tell("stalls", "do not stand still, and it is said while they run that this is not known", column, those(healthy, "noted")[1])
met &= goal("are told by the gate and not by the exit summary", those(results, "not in the summary"))
sys.exit(0 if met else figures.MISSED)
