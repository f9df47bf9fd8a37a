#!/usr/bin/env python3
"""Repeats an experiment of `vtdiag sample`, and writes its page and plots.

Usage: experiments.py NAME JAVA_HOME PAGE [OPTION ...]     (after mvn verify; PAGE is written into docs/experiments)
       experiments.py read PAGE                             only reads the figures of a page that is there

The figures are those of the page's tables, and of its comparisons.
"""
import hashlib
import json
import os
import re
import sys

import figures

FOLDER = os.path.join("docs", "experiments")


def text(cell):
    return cell.strip().replace("\\", "").replace("**", "")


def read(page):
    table, columns = "", []
    with open(os.path.join(figures.top, FOLDER, page), encoding="utf-8") as file:
        lines = file.read()
    for line in lines.splitlines():
        titled = re.fullmatch(r"\*\*(.+)\*\*", line.strip())
        compared = re.match(r"(?:\S+ )?\*\*([A-Z ]+)\*\*: (.*?): ([\d.,]+) times (.*?), 95% interval ([\d.,]+) to ([\d.,]+) over (\d+) pairs", line)
        cells = [text(cell) for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if titled:
            table, columns = f"{page[:-3]}: {titled[1]}", []
        elif compared:
            figures.write({"table": page[:-3] + ": compared", "row": compared[2], "column": "ratio", "unit": "times",
                           "median": float(compared[3].replace(",", "")), "low": float(compared[5]), "high": float(compared[6]),
                           "spread": "95% intervals", "runs": int(compared[7])})
        elif cells and not columns:
            columns = [column if columns_before.count(column) == 0 else f"{column}, of {columns_before[-1]}"
                       for index, column in enumerate(cells) for columns_before in [cells[:index]]]
        elif cells and not set(line) <= set("|-: "):
            for column, cell in zip(columns[1:], cells[1:]):
                if cell:
                    figures.tell(table, cells[0], column, cell)
    crossover = re.findall(r"Java (\d+): virtual threads overtake the pool at a delay of (\S+ ms) \(round by round: (.*?)\)", lines)
    for java, delay, rounds in crossover:
        figures.tell(page[:-3] + ": crossover", f"Java {java}", "delay", delay)
        figures.tell(page[:-3] + ": crossover", f"Java {java}", "round by round", rounds)


def main():
    if sys.argv[1] != "read":
        name, home, page, *options = sys.argv[1:]
        figures.output(figures.vtdiag, "sample", name, "--java", home, "--format", "markdown", "-o", os.path.join(FOLDER, page), "--plots", FOLDER,
                       *options, cwd=figures.top)
    else:
        page = sys.argv[2]
    read(page)
    if "VTDIAG_FIGURES" in os.environ:
        # So that a page which somebody edits is found.
        path = f"docs/experiments/{page}"
        with open(os.path.join(figures.top, path), "rb") as content, open(os.environ["VTDIAG_FIGURES"], "a", encoding="utf-8") as file:
            file.write(json.dumps({"file": path, "sha256": hashlib.sha256(content.read()).hexdigest()}) + "\n")


main()
