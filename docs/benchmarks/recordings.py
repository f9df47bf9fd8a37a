#!/usr/bin/env python3
"""Makes recordings of a made-up service with deep stacks of many kinds, for the benchmarks that read recordings.

Usage: recordings.py JAVA21_HOME KIND FILE MEGABYTES [EVENTS]

typical      the JDK's profile settings without thresholds: mostly other events, and some pins
pins         a tenth to a fifth of the events are pins
samples      profile settings, mostly execution and allocation samples; sampled more often than these settings do, or
             500 MB would take hours
allocations, executions, monitors, parks, files, looks, threads      hardly anything but these
It ends at that size of the file, or after EVENTS pieces of work. On Java 21, where monitors pin.
"""
import os
import sys
import tempfile

import figures

HANDLERS = 300


def handler(number):
    """A class with four methods that hold nothing, one that is synchronized, and one with a block."""
    plain = "\n".join(f"  private void step{i}(Route route, int depth) {{\n    calls += {i + 1};\n    route.next(depth);\n  }}" for i in range(4))
    cases = "\n".join(f"      case {i} -> step{i}(route, depth);" for i in range(4))
    return f"""package load;

final class Handler{number} implements Handler {{
  private final Object lock = new Object();
  private long calls;

{plain}

  private synchronized void guarded(Route route, int depth) {{
    route.next(depth);
  }}

  private void locked(Route route, int depth) {{
    synchronized (lock) {{
      route.next(depth);
    }}
  }}

  @Override
  public void handle(int method, Route route, int depth) {{
    switch (method) {{
{cases}
      case 4 -> guarded(route, depth);
      default -> locked(route, depth);
    }}
  }}
}}
"""


def compiled(folder):
    """Writes the handlers and compiles all; the folder of the classes."""
    sources, classes = os.path.join(folder, "sources"), os.path.join(folder, "classes")
    if os.path.isdir(classes):
        return classes
    os.makedirs(sources)
    own = os.path.join(figures.here, "recordings")
    files = [os.path.join(own, name) for name in sorted(os.listdir(own))]
    texts = {f"Handler{number}": handler(number) for number in range(HANDLERS)}
    texts["Handlers"] = "package load;\n\nfinal class Handlers {\n  static Handler make(int number) {\n    return switch (number) {\n" + "".join(
        f"      case {number} -> new Handler{number}();\n" for number in range(HANDLERS - 1)) + (
        f"      default -> new Handler{HANDLERS - 1}();\n    }};\n  }}\n}}\n")
    for name, text in texts.items():
        files.append(os.path.join(sources, name + ".java"))
        with open(files[-1], "w", encoding="utf-8") as file:
            file.write(text)
    figures.output(os.path.join(figures.jdk(25), "bin", "javac"), "--release", "21", "-nowarn", "-g", "-d", classes, *files)
    return classes


def command(home, classes, *arguments, options=()):
    # Small allocation buffers make many allocation events; many carriers make many pins a second.
    return [os.path.join(home, "bin", "java"), "-Xmx1g", "-Djdk.virtualThreadScheduler.parallelism=64",
            "-Djdk.virtualThreadScheduler.maxPoolSize=256", "-XX:TLABSize=2k", "-XX:MinTLABSize=2k", "-XX:-ResizeTLAB",
            f"-Dhandlers={HANDLERS}", *options, "-Xlog:jfr*=off", "-cp", classes, "load.Main", *map(str, arguments)]


def make(home, folder, kind, file, megabytes, *events):
    """Makes a recording; its path. The classes are compiled into the folder once."""
    figures.output(*command(home, compiled(folder), kind, file, megabytes, *events))
    print(f"{kind}: {os.path.getsize(file) / 1e6:.1f} MB", file=sys.stderr, flush=True)
    return file


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as scratch:
        make(sys.argv[1], scratch, sys.argv[2], os.path.abspath(sys.argv[3]), *sys.argv[4:])
