#!/usr/bin/env python3
"""Times commands on very many short documents, to see that their cost grows with the documents.

    benches/documents.py [--documents 25000,50000,100000,200000,1000000] [--karat BINARY]

Needs `cargo build --release`. Each document is one mention on one line. For each size and command it
prints seconds, and in brackets how many times as long as reading the gold standard and writing it
again (`karat convert`) takes in the same run. From left to right the brackets must stay near what
they are: they would double with every doubling of the documents if a command looked through all of
them for each one. They may rise a little where memory no longer fits into a cache.
"""

import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "documents"
SIZES = "25000,50000,100000,200000,1000000"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--documents", default=SIZES, help="sizes, separated by commas")
    arguments.add_argument("--karat", default=ROOT / "target" / "release" / "karat")
    arguments.add_argument("--times", type=int, default=1, help="the best of so many runs")
    options = arguments.parse_args()
    sizes = [int(size) for size in options.documents.split(",")]
    WORK.mkdir(parents=True, exist_ok=True)
    try:
        columns = [timed(size, options) for size in sizes]
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    print(f"{'documents':<26}" + "".join(f"{size:>18,}" for size in sizes))
    for name in columns[0]:
        print(f"{name:<26}" + "".join(cell(column, name) for column in columns))


def cell(column, name):
    """Seconds, and their ratio to plain reading."""
    seconds = column[name]
    return f"{seconds:>10.2f} ({seconds / column[READING]:>4.1f})"


READING = "convert to neleval"


def timed(documents, options):
    """Seconds of each command on so many documents."""
    files = corpus(documents)
    seconds = {}
    for name, arguments in commands(**files):
        command = [options.karat, *arguments, "--quiet"]
        seconds[name] = min(run(command) for _ in range(options.times))
        print(f"{documents:>9,}  {name:<26}{seconds[name]:>8.2f}", file=sys.stderr)
    for path in files.values():
        path.unlink()
    return seconds


def commands(gold, system, other, first, second, development, both, texts):
    """The commands, with the names that they are shown by. The first is the measure of the others."""
    nothing = "/dev/null"
    half = ["-g", f"first={first}", "-g", f"second={second}"]
    link = ["-m", "link", "--trials", "0"]
    return [
        (READING, ["convert", gold, nothing, "--to", "neleval"]),
        ("validate", ["validate", gold]),
        ("validate --gold", ["validate", system, "--gold", gold]),
        ("convert --documents", ["convert", gold, nothing, "--to", "karat-jsonl", "--documents", texts]),
        ("eval", ["eval", gold, system, *link]),
        ("eval --stream", ["eval", gold, system, *link, "--stream"]),
        ("eval --format json", ["eval", gold, system, *link, "--format", "json"]),
        ("eval, other order", ["eval", gold, other, *link]),
        ("eval, two gold standards", ["eval", *half, "-s", f"a={system}", *link]),
        ("eval --similarity", ["eval", gold, system, other, *link, "--similarity"]),
        ("eval --tune", ["eval", "-g", first, "-s", f"a={both}", *link, "--tune", development]),
        ("errors", ["errors", gold, system]),
        ("compare", ["compare", gold, system, other, "-m", "link", "--trials", "100"]),
        ("collection stats", ["collection", "stats", "-g", gold]),
        ("collection model", ["collection", "model", "-g", gold, "-s", f"a={system}", "--remove", "10"]),
    ]


def run(command):
    start = time.perf_counter()
    done = subprocess.run([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"failed: {' '.join(str(part) for part in command)}\n{done.stderr.decode()}")
    return time.perf_counter() - start


def corpus(documents):
    """The files of one size: gold, two systems, halves of gold, a development set, and texts."""
    chance = random.Random(1)
    names = "gold", "system", "other", "first", "second", "development", "both"
    files = {name: WORK / f"{name}.tsv" for name in names}
    lines = {name: [] for name in names}
    for document in range(documents):
        entity = f"Q{int(documents ** chance.random())}"
        answer = entity if chance.random() < 0.8 else f"Q{int(documents ** chance.random())}"
        name, score = f"doc{document:07}", round(chance.random(), 3)
        right = f"{name}\t0\t3\t{entity}\t1.0\tLOC\n"
        given = f"{name}\t0\t3\t{answer}\t{score}\tLOC\n"
        half = "first" if document % 2 else "second"
        for file, line in (("gold", right), ("system", given), ("other", given), (half, right), ("both", given)):
            lines[file].append(line)
    lines["development"] = lines["second"]
    # No document stands where the other side has it.
    lines["other"].reverse()
    for name, path in files.items():
        path.write_text("".join(lines[name]))
    files["texts"] = WORK / "texts.karat.jsonl"
    with open(files["texts"], "w") as texts:
        for document in range(documents):
            print(f'{{"document":"doc{document:07}","text":"Bonn","annotations":[]}}', file=texts)
    return files


if __name__ == "__main__":
    os.environ.setdefault("NO_COLOR", "1")
    main()
