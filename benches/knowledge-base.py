#!/usr/bin/env python3
"""Times karat's knowledge base at size: building, opening, look-ups, search.

    benches/knowledge-base.py [--entities 10000000] [--search-entities 1000000] [--keep]

Needs `cargo build --release` and
`cargo build --release -p karat-kb --example lookups -p karat-search --example searches`. Names and aliases are
made up: one name and two aliases for each entity, so that twice as many aliases as entities come
together. Everything lies under target/knowledge-base and is removed at the end.
"""

import argparse
import itertools
import os
import pathlib
import random
import resource
import shutil
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "knowledge-base"
RELEASE = ROOT / "target" / "release"
SYLLABLES = "ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu".split()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--entities", type=int, default=10_000_000)
    arguments.add_argument("--search-entities", type=int, default=1_000_000)
    arguments.add_argument("--memory", type=int, default=512, help="MiB for sorting")
    arguments.add_argument("--keep", action="store_true", help="keep the files")
    options = arguments.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    try:
        base = build(options.entities, options.memory)
        run("opening and asking (karat kb get)", [RELEASE / "karat", "kb", "get", base, "Q77"])
        run("look-ups", [RELEASE / "examples" / "lookups", base], show=True)
        if options.search_entities:
            if options.search_entities != options.entities:
                base = build(options.search_entities, options.memory)
            run("making the index", [RELEASE / "karat", "kb", "index", base])
            for text in ["b", "ba", "bak", "bake", "bake d"]:
                run(f"the whole command (karat kb search {text})", [RELEASE / "karat", "kb", "search", base, text])
            run("searches", [RELEASE / "examples" / "searches", base], show=True)
    finally:
        if not options.keep:
            shutil.rmtree(WORK, ignore_errors=True)


def build(entities, memory):
    table, base = WORK / f"{entities}.tsv", WORK / f"{entities}.kb"
    write(table, entities)
    size = table.stat().st_size / 1e6
    run(
        f"building from {entities} entities, {2 * entities} aliases, {size:.0f} MB",
        [RELEASE / "karat", "kb", "build", "--memory", str(memory), table, "-o", base],
    )
    print(f"  the file has {base.stat().st_size / 1e6:.0f} MB")
    return base


def write(path, entities):
    """Entities in no order, with names of one to three made-up words, some of which are frequent, as in real names: the
    first is in every fiftieth."""
    random.seed(7)
    word = lambda: "".join(random.choices(SYLLABLES, k=random.randint(2, 4))).capitalize()
    words = [word() for _ in range(200_000)]
    shares = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(words))))
    name = lambda: " ".join(random.choices(words, cum_weights=shares, k=random.randint(1, 3)))
    with open(path, "w", encoding="utf-8") as out:
        out.write("id\tname\taliases\tdescription\ttypes\tpopularity\n")
        step = 7_919 if entities % 7_919 else 7_907
        for number in range(entities):
            number = number * step % entities
            popularity = int(random.paretovariate(0.8)) % 400
            out.write(
                f"Q{number}\t{name()}\t{name()}|{name()} {number}\ta made-up thing\tQ{number % 97}\t{popularity}\n"
            )


def run(what, command, show=False):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{what}: {wall:.3f} s, CPU {cpu:.1f} s, peak of all so far {after.ru_maxrss / 1024:.0f} MiB", flush=True)
    if show:
        print("".join(f"  {line}\n" for line in done.stdout.splitlines()), end="", flush=True)


if __name__ == "__main__":
    main()
