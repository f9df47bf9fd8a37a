"""The figures in the pages: what stands in their regions comes from the result files, and outside of these there is none.

<!-- figures: PART/TABLE --> ... <!-- end figures -->       a table, or what a command printed, with where it comes from
<!-- figure: PART/TABLE/ROW/COLUMN --> ... <!-- end -->     one figure in a sentence; "with spread" before --> adds that

Neither is seen in a rendered page. Everything between the markers is overwritten. constants.tsv lists the figures that nobody
measures: page, a piece of the page's text which stands there once, and why it is not measured.
"""
import functools
import hashlib
import json
import os
import re

import figures

CONSTANTS = os.path.join("docs", "benchmarks", "constants.tsv")
RESULTS = os.path.join("docs", "benchmarks", "results")
# Pages of measurements: there a decimal, a thousand and "3 of 4" are figures too, and code blocks count.
OF_MEASUREMENTS = ("docs/benchmarks.md", "docs/experiments.md")

REGION = re.compile(r"^<!-- figures: (\S+) -->\n(.*?)^<!-- end figures -->$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"<!-- figure: (\S+)( with spread)? -->(.*?)<!-- end -->", re.DOTALL)
MARK = re.compile(r"^\*\*Measured before the code changed\*\*: commit .*\n\n| <sup>older code</sup>(?=<!-- end -->)", re.MULTILINE)
MARKER = re.compile(r"<!-- (?:figures?:|end(?: figures)? -->)")
FENCE = re.compile(r"^ *```.*?^ *```[ ]*$", re.MULTILINE | re.DOTALL)

NUMBER = r"(?<![\w.])\d[\d,]*(?:\.\d+)?"
SECOND = NUMBER + r"(?:\s*(?:-|–|to|and|or|±|/)\s*\d[\d,]*(?:\.\d+)?)?"
UNIT = (r"(?:%|percent\b|(?:[nmµu]|milli|micro|nano)?s(?:ec(?:ond)?s?)?(?![\w'])|seconds?\b|minutes?\b|min\b|hours?\b|h\b|days?\b"
        r"|[kKMGT]i?B\b|bytes?\b|(?:kilo|mega|giga)bytes?\b|/\s?(?:s|sec|min|h)\b|times\b|-?fold\b|x\b|×|points?\b)")
WORD = (r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred|thousand"
        r"|million|some|several|few|half an?|(?:quarter|third|tenth|half) of an?"
        r"|(?:than|within|under|about|takes|took|in|after|every) an?)")
FIGURES = [
    re.compile(SECOND + r"[\s-]?" + UNIT),
    re.compile(NUMBER + r"(?:\s+[a-z-]+){0,3}\s+an?\s+(?:processor-)?(?:second|minute|hour)\b"),
    re.compile(r"\b" + WORD + r"[\s-](?:nano|micro|milli)?(?:seconds?|minutes?|hours?|percent|(?:kilo|mega|giga)bytes?|times)\b", re.IGNORECASE),
]
MORE_FIGURES = [
    re.compile(r"(?<![\w.,])\d+\.\d+(?![\w]|\.\d)"),
    re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,]|\.\d)"),
    re.compile(NUMBER + r"\s+of\s+\d[\d,]*\b"),
]


def pages(root):
    """README.md, and all pages of docs and of the samples. CHANGELOG.md is a history: what it says was so at the time."""
    found = ["README.md"] if os.path.isfile(os.path.join(root, "README.md")) else []
    for start in "docs", "sample-apps":
        for base, folders, names in os.walk(os.path.join(root, start)):
            folders[:] = sorted(each for each in folders if each != "target")
            found += [os.path.relpath(os.path.join(base, each), root).replace(os.sep, "/") for each in sorted(names) if each.endswith(".md")]
    return found


def read(root, page):
    with open(os.path.join(root, page), encoding="utf-8", newline="") as file:
        return file.read()


class Results:
    """All result files of a checkout."""

    def __init__(self, root, parts):
        self.root, self.parts, self.problems, self.results, self.stale = root, parts, [], {}, {}
        folder = os.path.join(root, RESULTS)
        # All parts measure some of a few folders, which take long to read.
        hash_of = functools.cache(lambda source: figures.hashed(root, source))
        for file in sorted(os.listdir(folder)):
            part = file.removesuffix(".json")
            if part not in parts:
                self.problems.append(f"{RESULTS}/{file}: there is no part of that name")
                continue
            with open(os.path.join(folder, file), encoding="utf-8") as text:
                self.results[part] = json.load(text)
            # Sources that have moved, or that a part measures since, are changed sources.
            moved = set(self.results[part]["sources"]) ^ set(parts[part].sources)
            self.stale[part] = sorted(moved | set(figures.changed(self.results[part], hash_of)))

    def table(self, reference):
        part, _, table = reference.partition("/")
        result = self.results.get(part)
        if result is None and part in self.parts:
            return part, []
        if result is None:
            raise KeyError(f"there is no part {part}")
        tables = list(dict.fromkeys(each["table"] for each in result["figures"]))
        chosen = [each for each in tables if figures.slug(each) == table] if table else tables
        if not chosen and self.stale[part]:
            return part, []
        if len(chosen) != 1:
            raise KeyError(f"{part} has no table {table}, but {', '.join(map(figures.slug, tables))}")
        return part, [each for each in result["figures"] if each["table"] == chosen[0]]

    def figure(self, reference):
        part, _, name = reference.partition("/")
        for figure in self.results.get(part, {"figures": []})["figures"]:
            if figures.name(figure) == name:
                return part, figure
        raise KeyError(f"there is no figure {reference}")


def source(result, chosen, stale):
    """Where a table comes from, and first of all that it is old."""
    lines = []
    if stale:
        lines += [f"**Measured before the code changed**: commit {result['commit']}, {result['date']}.", ""]
    runs = sorted({each["runs"] for each in chosen if "runs" in each})
    spreads = sorted({each["spread"] for each in chosen if "spread" in each})
    told = [f"Measured {result['date']}, commit {result['commit']}: {result['machine']}", ", ".join(result["jdks"])]
    if spreads:
        told.append(f"medians with {' or '.join(spreads)}")
    if runs:
        told.append(f"runs: {runs[0]}" if len(runs) == 1 else f"runs: {runs[0]} to {runs[-1]}")
    again = f"`docs/benchmarks/all JAVA21 JAVA25 {result['part']}`" if result["commands"] else "no command repeats it"
    return [*lines, f"<sub>{'; '.join(filter(None, told))}. Again: {again}</sub>", ""]


def rendered_table(results, reference):
    part, chosen = results.table(reference)
    if not chosen:
        # Of a new part, or of a table that a part has got since it was measured.
        return f"**Not measured yet**: `docs/benchmarks/all JAVA21 JAVA25 {part}`\n\n"
    lines = source(results.results[part], chosen, results.stale[part])
    if "block" in chosen[0]:
        return "\n".join([*lines, "```", *chosen[0]["block"].rstrip("\n").split("\n"), "```", "", ""])
    rows, columns = (list(dict.fromkeys(each[part] for each in chosen)) for part in ("row", "column"))
    cells = {(each["row"], each["column"]): figures.shown(each).replace("|", "\\|") for each in chosen}
    lines += [f"| {chosen[0]['table']} | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    lines += [f"| {row} | " + " | ".join(cells.get((row, column), "") for column in columns) + " |" for row in rows]
    return "\n".join([*lines, "", ""])


def rendered_figure(results, reference, spread):
    part, figure = results.figure(reference)
    return figures.shown({key: figure[key] for key in figure if key != "goal"}, spread) + (
        " <sup>older code</sup>" if results.stale[part] else "")


def rendered(text, results, problem):
    """The page with all regions as the result files have it."""

    def table(match):
        try:
            return f"<!-- figures: {match[1]} -->\n{rendered_table(results, match[1])}<!-- end figures -->"
        except KeyError as wrong:
            problem(match.start(), wrong.args[0])
            return match[0]

    def inline(match):
        try:
            return f"<!-- figure: {match[1]}{match[2] or ''} -->{rendered_figure(results, match[1], bool(match[2]))}<!-- end -->"
        except KeyError as wrong:
            problem(match.start(), wrong.args[0])
            return match[0]

    return INLINE.sub(inline, REGION.sub(table, text))


def other_regions(text, new):
    """Where the regions of a page begin that are not as they should be. A mark of older code alone does not count: each change
    of the code makes figures older, and would fail until the pages are written again."""
    return [was.start() for pattern in (REGION, INLINE) for was, be in zip(pattern.finditer(text), pattern.finditer(new))
            if MARK.sub("", was[0]) != MARK.sub("", be[0])]


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def found(page, text):
    """Where figures stand outside of regions: begin and end."""
    rest = INLINE.sub(blank, REGION.sub(blank, text))
    patterns = FIGURES
    if page in OF_MEASUREMENTS:
        patterns = FIGURES + MORE_FIGURES
    else:
        rest = FENCE.sub(blank, rest)
    spans = sorted({match.span() for pattern in patterns for match in pattern.finditer(rest)})
    return rest, [span for span in spans if not any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in spans)]


def constants(root):
    """page -> (line in the list, text, why)."""
    listed = {}
    path = os.path.join(root, CONSTANTS)
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            for line, row in enumerate(file, 1):
                if row.strip() and not row.startswith("#"):
                    fields = row.rstrip("\n").split("\t")
                    if len(fields) != 3 or not all(field.strip() for field in fields):
                        raise SystemExit(f"{CONSTANTS}:{line}: not a page, a text and a reason with tabs between them")
                    listed.setdefault(fields[0], []).append((line, fields[1], fields[2]))
    return listed


def at(text, position):
    return text.count("\n", 0, position) + 1


def typed(page, text, declared, problem, wrong):
    """Reports each figure that is neither in a region nor declared, and each declaration that declares nothing."""
    rest, spans = found(page, text)
    covered = []
    for line, constant, _ in declared:
        places = [match.span() for match in re.finditer(r"\s+".join(map(re.escape, constant.split())), rest)]
        inside = [span for span in spans if places and places[0][0] <= span[0] and span[1] <= places[0][1]]
        if len(places) != 1:
            wrong(f"{CONSTANTS}:{line}: {page} has this text {len(places)} times, not once: {constant}")
        elif not inside:
            wrong(f"{CONSTANTS}:{line}: there is no figure in it: {constant}")
        elif any(span == places[0] for span in inside):
            wrong(f"{CONSTANTS}:{line}: nothing but a figure; add the words around it: {constant}")
        covered += places
    for begin, end in spans:
        if not any(a <= begin and end <= b for a, b in covered):
            problem(begin, f"a figure outside of a region: {' '.join(rest[begin:end].split())}")


def update(root, parts, check):
    """Rewrites the regions of all pages, or says what is wrong. The problems, and the parts that are stale."""
    results = Results(root, parts)
    problems = list(results.problems)
    listed = constants(root)
    whole = {path: digest for result in results.results.values() for path, digest in result.get("files", {}).items()}
    all_pages = pages(root)
    for page in sorted({*listed, *whole} - set(all_pages)):
        problems.append(f"{page}: there is no such page")
    for page in all_pages:
        text = read(root, page)

        def problem(position, words, page=page, text=text):
            problems.append(f"{page}:{at(text, position)}: {words}")

        if page in whole:
            if hashlib.sha256(text.encode()).hexdigest() != whole[page]:
                problems.append(f"{page}: a command writes this page, and it was changed since")
            continue
        new = rendered(text, results, problem)
        if not check:
            if new != text:
                with open(os.path.join(root, page), "w", encoding="utf-8", newline="") as file:
                    file.write(new)
        else:
            for position in other_regions(text, new):
                problem(position, "a region is not as its result file has it; docs/benchmarks/all --write")
        # Regions do not count, so the page as it is will do.
        matched = REGION.sub(blank, INLINE.sub(blank, text))
        for stray in MARKER.finditer(matched):
            problem(stray.start(), "a marker without its other half")
        for inline in INLINE.finditer(text):
            if not text[text.rfind("\n", 0, inline.start()) + 1:inline.start()].strip():
                problem(inline.start(), "a marker at the begin of a line makes the line HTML; put a word before it")
        typed(page, text, listed.get(page, []), problem, problems.append)
    return problems, {part: folders for part, folders in results.stale.items() if folders}
