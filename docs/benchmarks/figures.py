"""What the benchmarks share: running, measuring, recording a figure, and reading a result file.

A script measures and calls `record`, which prints the figure. Under docs/benchmarks/all the figure also goes into the file
that VTDIAG_FIGURES names, one JSON object a line; `all` makes the result file of the part out of these lines.
A figure has a table, a row and a column, which say what it is; together they are its name.
"""
import hashlib
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
top = os.path.dirname(os.path.dirname(here))
vtdiag = os.path.join(top, "vtdiag")
agent = os.path.join(top, "agent", "target", "vtdiag.jar")
cli = os.path.join(top, "analyzer", "target", "vtdiag-cli.jar")
samples = os.path.join(top, "sample-apps", "target")
experiments = os.path.join(top, "sample-apps", "experiments", "target", "vtdiag-experiments.jar")
# The exit code of a script that measured, and missed a goal. Python itself ends with 1 when a script breaks.
MISSED = 10
NO_SPACE = ("%", "/s", "")


# ---- running


def output(*command, **options):
    """What a command prints; a command that fails ends the script with its error."""
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if ran.returncode:
        sys.exit(f"{' '.join(command)} ended with {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def jdk(feature):
    return output(vtdiag, "jdk", str(feature)).strip()


def release(home):
    """Of a JDK: its version and its build, such as 21.0.8 and Temurin-21.0.8+9."""
    with open(os.path.join(home, "release"), encoding="utf-8") as file:
        told = dict(re.findall(r'^(\w+)="(.*)"$', file.read(), re.MULTILINE))
    return told["JAVA_VERSION"], told.get("IMPLEMENTOR_VERSION") or vendor_version(home)


def vendor_version(home):
    """The build that java names itself: runtime images made by jlink do not have it in their file."""
    java = os.path.join(home, "bin", "java")
    asked = subprocess.run([java, "-XshowSettings:properties", "-version"], stderr=subprocess.PIPE, text=True)
    found = re.search(r"java\.vendor\.version = (.+)", asked.stderr) or re.search(r"java\.vendor = (.+)", asked.stderr)
    return found[1].strip() if found else "unknown build"


def feature(home):
    return int(release(home)[0].split(".")[0])


class Jdk:
    """A Java home, or one that needs another C library: ROOT:JAVA_HOME is started by chroot ROOT, which wants root."""

    def __init__(self, given):
        self.root, _, home = given.rpartition(":")
        self.home = os.path.realpath(self.root + home) if self.root else home
        self.java = [os.path.join(home, "bin", "java")]
        if self.root:
            self.root = os.path.realpath(self.root)
            self.java = ["chroot", self.root, *self.java]
        self.version, self.build = release(self.home)
        self.feature = int(re.match(r"\d+", self.version)[0])

    def folder(self):
        """A new one that has the same path for us and for a JVM below the root."""
        if not self.root:
            return tempfile.mkdtemp()
        above = self.root + os.path.dirname(self.root)
        os.makedirs(above, exist_ok=True)
        if not os.path.lexists(self.root + self.root):
            os.symlink("/", self.root + self.root)
        return tempfile.mkdtemp(dir=os.path.join(self.root, "tmp"))


def newer_jdks():
    """Those that VTDIAG_NEWER_JDKS lists, separated by spaces."""
    return os.environ.get("VTDIAG_NEWER_JDKS", "").split()


def compiled(folder, *programs, path="", options=()):
    """Compiles programs of docs/benchmarks into the folder; the class path to run them with."""
    for program in programs:
        output(os.path.join(jdk(25), "bin", "javac"), "--release", "21", "-nowarn", *options, "-cp",
               os.pathsep.join(filter(None, [folder, path])), "-d", folder, os.path.join(here, program + ".java"))
    return os.pathsep.join(filter(None, [folder, path]))


def fetched(folder, *artifacts):
    """Copies artifacts of Maven Central into the folder; the paths of all jars there."""
    for artifact in artifacts:
        output("mvn", "-B", "-q", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={folder}",
               "-Dmdep.useBaseVersion", cwd=folder)
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".jar"))


# ---- measuring


def measure(command, codes=(0,), environment=None):
    """A whole process: wall seconds, processor seconds, and its peak resident set in MB."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in codes:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return {"wall": wall, "processor": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss / 1024}


def interleaved(sides, rounds, warm=1):
    """Runs each side once a round, every other round the other way round; name -> results, without those of the warm rounds."""
    results = {name: [] for name in sides}
    for number in range(warm + rounds):
        for name in list(sides) if number % 2 == 0 else reversed(list(sides)):
            result = sides[name]()
            if number >= warm:
                results[name].append(result)
                print(f"  {name}: {result}", file=sys.stderr, flush=True)
    return results


def quartiles(values):
    """The first quartile, the median, the third quartile."""
    return tuple(statistics.quantiles(values, n=4, method="inclusive")) if len(values) > 1 else tuple(values) * 3


def ratios(over, under):
    """Pair by pair."""
    return [a / b for a, b in zip(over, under)]


# ---- recording


def record(table, row, column, values, unit, spread="quartiles", goal=None):
    """Records a figure: a number, or the results of several runs with their quartiles or their range. A goal is "<= 0.5" or ">= 8"."""
    values = list(values) if isinstance(values, (list, tuple)) else [values]
    low, median, high = quartiles(values)
    if spread == "range":
        low, high = min(values), max(values)
    figure = {"table": table, "row": row, "column": column, "unit": unit, "median": median, "runs": len(values)}
    if len(values) > 1:
        figure.update(low=low, high=high, spread=spread)
    if goal:
        figure["goal"] = goal
    return write(figure)


def tell(table, row, column, text):
    """Records what is no number."""
    return write({"table": table, "row": row, "column": column, "text": text})


def block(table, text):
    """Records what a command printed, as a table of its own."""
    return write({"table": table, "row": "", "column": "", "block": text})


def write(figure):
    print(f"{figure['table']} | {figure['row']} | {figure['column']} | {shown(figure)}", flush=True)
    if "VTDIAG_FIGURES" in os.environ:
        with open(os.environ["VTDIAG_FIGURES"], "a", encoding="utf-8") as file:
            file.write(json.dumps(figure) + "\n")
    return reached(figure)


def finish(reached_all):
    sys.exit(0 if reached_all else MISSED)


def reached(figure):
    """Whether a figure reaches its goal; one without a goal does."""
    if "goal" not in figure:
        return True
    sign, bound = figure["goal"].split()
    return figure["median"] <= float(bound) if sign == "<=" else figure["median"] >= float(bound)


# ---- showing


def slug(text):
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-") or "-"


def name(figure):
    return "/".join(slug(figure[part]) for part in ("table", "row", "column"))


def number(value, unit):
    """Three significant digits; what is counted has all its digits."""
    if unit == "" and float(value).is_integer():
        return f"{int(value):,}"
    if value == 0:
        return "0"
    decimals = max(0, min(3, 2 - math.floor(math.log10(abs(value)))))
    exact = len(repr(float(value)).partition(".")[2].rstrip("0")) if "e" not in repr(float(value)) else decimals
    whole = round(value, 2 - math.floor(math.log10(abs(value))))
    return f"{whole:,.{min(decimals, exact) if decimals else 0}f}"


def shown(figure, spread=True):
    if "block" in figure:
        return f"{len(figure['block'].splitlines())} lines"
    if "text" in figure:
        return figure["text"]
    unit = figure["unit"]
    text = number(figure["median"], unit) + (unit if unit in NO_SPACE else " " + unit)
    if spread and "low" in figure:
        low, high = number(figure["low"], unit), number(figure["high"], unit)
        text += f" ({low} to {high})" if "-" in low + high else f" ({low}-{high})"
    if spread and "goal" in figure:
        sign, bound = figure["goal"].split()
        text += f"; goal: at {'most' if sign == '<=' else 'least'} {bound}, **{'reached' if reached(figure) else 'missed'}**"
    return text


# ---- result files


def hashed(root, folder):
    """SHA-256 of the paths and the code of a folder's files: it needs no history, so an archive of the sources will do.

    Comments of Java are no code. Nor are pages, and some of those among the sources have figures in them.
    """
    digest = hashlib.sha256()
    start = os.path.join(root, folder)
    files = []
    for base, folders, names in os.walk(start):
        folders[:] = [each for each in folders if not each.startswith(".")]
        files += [os.path.join(base, each) for each in names if not each.startswith(".") and not each.endswith(".md")]
    for path in sorted(files, key=lambda each: os.path.relpath(each, root).replace(os.sep, "/")):
        with open(path, "rb") as file:
            content = code(file.read()) if path.endswith(".java") else file.read()
        digest.update(f"{os.path.relpath(path, root).replace(os.sep, '/')}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


# A text block, a string or a character; or what is between two tokens.
JAVA = re.compile(rb'("""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')|(?:\s|/\*.*?\*/|//[^\n]*)+', re.DOTALL)


def code(java):
    """Java without its comments and spaces, as far as they are not in a string."""
    return JAVA.sub(lambda each: each.group(1) or b"", java)


def changed(result, hash_of):
    """The folders of a result whose code is no longer what was measured; hash_of tells the hash of a folder today."""
    return [folder for folder, was in sorted(result["sources"].items()) if hash_of(folder) != was]
