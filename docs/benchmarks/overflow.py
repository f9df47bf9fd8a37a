#!/usr/bin/env python3
"""Locks that stay held after a stack overflow, by the way on which the code comes back: with monitors, and patched.

Usage: overflow.py JAVA_HOME [OBJECTS]      (after the build; each object overflows the stack once, under its lock)
"""
import os
import shutil
import sys
import tempfile

import figures

home, objects = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "64"


def held(classes):
    # HotSpot warns on standard output of each overflow in a method that has a part of the stack in reserve.
    lines = figures.output(os.path.join(home, "bin", "java"), "-cp", classes, "Overflow", objects).splitlines()
    return dict(line.split("\t") for line in lines if "\t" in line)


with tempfile.TemporaryDirectory() as folder:
    with_monitors = held(figures.compiled(folder, "Overflow", options=["-g"]))
    sources = os.path.join(folder, "src")
    os.makedirs(sources)
    program = shutil.copy(os.path.join(figures.here, "Overflow.java"), sources)
    figures.output(figures.vtdiag, "patch", "--all", "--classpath", ".", "--sources", "src", "-o", "locks.patch", cwd=folder)
    figures.output("git", "apply", "locks.patch", cwd=folder)
    with open(program, encoding="utf-8") as patched:
        if "synchronized" in patched.read():
            sys.exit("the patch keeps some of the monitors: what it keeps has no place in Overflow.java")
    classes = os.path.join(folder, "patched")
    figures.output(os.path.join(figures.jdk(25), "bin", "javac"), "--release", "21", "-nowarn", "-d", classes, program)
    with_locks = held(classes)

for way, count in with_locks.items():
    row = f"{way}, Java {figures.feature(home)}"
    figures.record("overflow", row, f"monitors held, of {objects}", int(with_monitors[way]), "")
    figures.record("overflow", row, f"patched locks held, of {objects}", int(count), "")
