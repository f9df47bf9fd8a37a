#!/usr/bin/env python3
"""What stays in a JVM to which the agent was attached and detached again and again.

Usage: attach.py JAVA_HOME [ROUNDS]     (after the build; 100 rounds take some minutes)
The program says after each round which threads, files, class loaders, recordings, callbacks of JFR and shutdown hooks it has. All
rounds but the first must say the same: the first starts JFR itself.
"""
import os
import subprocess
import sys
import tempfile

import figures

home, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100
top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
jdk = subprocess.run([os.path.join(top, "vtdiag"), "jdk", "25"], capture_output=True, text=True, check=True).stdout.strip()
cli = [os.path.join(jdk, "bin", "java"), "-XX:TieredStopAtLevel=1", "-jar", os.path.join(top, "analyzer", "target", "vtdiag-cli.jar")]
classes = os.path.join(top, "analyzer", "target", "test-classes")


def vtdiag(*arguments):
    ran = subprocess.run(cli + list(arguments), capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(ran.stderr)


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


with tempfile.TemporaryDirectory() as folder:
    command = [
        os.path.join(home, "bin", "java"),
        "-Xmx128m",
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=jdk.jfr/jdk.jfr.internal.periodic=ALL-UNNAMED",
        "-cp",
        classes,
        "io.github.vtdiag.cli.programs.Attachable",
    ]
    with open(os.path.join(folder, "err.txt"), "w") as err:
        program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=err, text=True)
        program.stdout.readline()
        left = []
        for number in range(rounds):
            recording = os.path.join(folder, "a.jfr")
            vtdiag("attach", str(program.pid), f"output={recording}")
            vtdiag("detach", str(program.pid))
            os.remove(recording)
            program.stdin.write("\n")
            program.stdin.flush()
            left.append(program.stdout.readline().strip())
            if number in (0, 9, rounds - 1):
                print(f"after {number + 1:3}: {left[-1]}, resident {resident(program.pid)} kB", flush=True)
        program.kill()
    others = [number + 1 for number, line in enumerate(left) if line != left[0]]
    figures.tell("attach", f"Java {figures.feature(home)}", "rounds after which all was as after the first", f"{rounds - len(others)} of {rounds}")
    figures.finish(not others)
