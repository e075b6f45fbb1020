#!/usr/bin/env python3
"""Times karat beside neleval 3.1.1, in one run, and prints ratios.

    benches/against-neleval.py [--documents 100000] [--quick] [--growth 2500000]

Needs `cargo build --release`, and a Python from 3.6 to 3.9 for neleval (on others it does not
start); makes an environment for it under target/. The corpus is made up: documents of 20 mentions,
entities with a Zipf distribution, a fifth of them NIL. Beside that it times karat alone: on a
small file, on AIDA testb with all measures where `$KARAT_DATA` or ../shared/data has it, and with
--growth on corpora up to so many documents, to see that the cost of a row does not grow.
"""

import argparse
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "against-neleval"
KARAT = ROOT / "target" / "release" / "karat"

# What is timed: a name, neleval's arguments, karat's measures. neleval cannot finish the
# clustering measures at this size, so there karat is timed alone.
JOBS = [
    ("link", ["-m", "strong_link_match"], "strong_link_match"),
    ("all ten set measures", ["-m", "all-tagging"], "all-tagging"),
    ("nine clustering measures", None, "all-coref"),
]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--documents", type=int, default=100_000)
    arguments.add_argument("--quick", action="store_true", help="a hundredth of the corpus")
    arguments.add_argument("--growth", type=int, metavar="DOCUMENTS",
                           help="how cost grows up to so many documents; 2500000 are 50 million rows")
    options = arguments.parse_args()
    documents = options.documents // 100 if options.quick else options.documents
    WORK.mkdir(parents=True, exist_ok=True)
    gold, system = corpus(documents)
    neleval = environment()
    beside_neleval(documents, gold, system, neleval)
    small_inputs()
    if options.growth:
        growth(options.growth)


def beside_neleval(documents, gold, system, neleval):
    print(f"{documents} documents, {size(gold)} and {size(system)} MB")
    print(f"{'job':<26}{'neleval s':>10}{'MB':>7}{'karat s':>9}{'MB':>6}{'1 thread':>10}"
          f"{'x faster':>10}{'x smaller':>11}{'2 threads':>11}")
    for name, peer, measures in JOBS:
        command = evaluation(gold, system, measures)
        ours = best(command, 3)
        alone = best(command + ["--threads", "1"], 3)
        if peer and neleval:
            theirs = best([neleval, "evaluate", "-g", gold, system] + peer, 1)
            faster, smaller = theirs[0] / ours[0], theirs[1] / ours[1]
            same = theirs[2] == ours[2]
            print(f"{name:<26}{theirs[0]:>10.1f}{theirs[1]:>7.0f}{ours[0]:>9.2f}{ours[1]:>6.0f}"
                  f"{alone[0]:>10.2f}{faster:>10.0f}{smaller:>11.1f}{alone[0] / ours[0]:>10.2f}x"
                  f"  {'same digits' if same else 'DIGITS DIFFER'}")
        else:
            print(f"{name:<26}{'-':>10}{'-':>7}{ours[0]:>9.2f}{ours[1]:>6.0f}{alone[0]:>10.2f}"
                  f"{'-':>10}{'-':>11}{alone[0] / ours[0]:>10.2f}x")


def evaluation(gold, system, *measures):
    """The command that scores a system with these measures."""
    command = [KARAT, "eval", "-g", gold, "-s", f"a={system}", "--preset", "neleval",
               "--format", "neleval", "--quiet"]
    return command + [part for measure in measures for part in ("-m", measure)]


def small_inputs():
    """Start-up on a file of one line, and a whole benchmark with all measures."""
    line = WORK / "line.tsv"
    line.write_text("d1\t0\t5\tQ64\t1.0\tLOC\n")
    jobs = [("one line, one measure", evaluation(line, line, "strong_link_match"))]
    testb = pathlib.Path(os.environ.get("KARAT_DATA", ROOT.parent / "shared" / "data")) / "aida-testb"
    if testb.is_dir():
        files = testb / "gold.tsv", testb / "schwa.tsv"
        jobs.append(("AIDA testb, all measures", evaluation(*files, "all-tagging", "all-coref")))
    else:
        print("no data: AIDA testb is left out", file=sys.stderr)
    for name, command in jobs:
        print(f"{name:<26}{1000 * best(command, 20)[0]:>7.1f} ms")


def growth(largest):
    """Seconds and memory for each million rows of gold; the files are removed afterwards."""
    print(f"{'million gold':<14}{'link s':>8}{'s each':>8}{'MB each':>9}{'streamed s':>12}{'MB in all':>11}")
    for documents in (largest // 25, largest // 5, largest):
        gold, system = corpus(documents)
        rows = 20 * documents / 1e6
        command = evaluation(gold, system, "strong_link_match")
        whole, streamed = best(command, 2), best(command + ["--stream"], 1)
        print(f"{rows:<14.1f}{whole[0]:>8.2f}{whole[0] / rows:>8.3f}{whole[1] / rows:>9.0f}"
              f"{streamed[0]:>12.2f}{streamed[1]:>11.0f}"
              f"{'' if streamed[2] == whole[2] else '  DIGITS DIFFER'}")
        gold.unlink()
        system.unlink()


def best(command, times):
    """Wall seconds, peak megabytes and output of the fastest of several runs."""
    runs = []
    for _ in range(times):
        start = time.perf_counter()
        process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f"failed: {' '.join(str(part) for part in command)}")
        runs.append((time.perf_counter() - start, usage.ru_maxrss / 1024, output))
    return min(runs, key=lambda run: run[0])


def corpus(documents):
    """Gold and system files, made once for each size."""
    gold, system = WORK / f"gold-{documents}.tsv", WORK / f"system-{documents}.tsv"
    if system.exists():
        return gold, system
    chance = random.Random(1)
    entities = max(documents * 2, 10)
    with open(f"{gold}.new", "w") as gold_file, open(f"{system}.new", "w") as system_file:
        for document in range(documents):
            start = 0
            for _ in range(20):
                start += chance.randint(1, 40)
                end = start + chance.randint(2, 20)
                kind = chance.choice(("PER", "LOC", "ORG", "MISC"))
                rank = int(entities ** chance.random())
                entity = f"NIL{rank}" if chance.random() < 0.2 else f"Q{rank}"
                print(f"doc{document:07}\t{start}\t{end}\t{entity}\t1.0\t{kind}", file=gold_file)
                luck = chance.random()
                if luck < 0.1:
                    continue
                if luck < 0.3:
                    entity = f"Q{int(entities ** chance.random())}"
                if luck > 0.92:
                    end += 1
                score = round(chance.random(), 3)
                print(f"doc{document:07}\t{start}\t{end}\t{entity}\t{score}\t{kind}", file=system_file)
                start = end
    os.rename(f"{gold}.new", gold)
    os.rename(f"{system}.new", system)
    return gold, system


def environment():
    """neleval in a Python that it runs on, or None."""
    neleval = WORK / "python" / "bin" / "neleval"
    if neleval.exists():
        return neleval
    python = next(filter(runs, pythons()), None)
    if python is None:
        print("no Python from 3.6 to 3.9 here: karat is timed alone", file=sys.stderr)
        return None
    subprocess.run([python, "-m", "venv", WORK / "python"], check=True)
    packages = ["neleval==3.1.1", "numpy<1.24", "scipy<1.11", "joblib"]
    subprocess.run([WORK / "python" / "bin" / "pip", "install", "--quiet", *packages], check=True)
    return neleval


def pythons():
    """Where a Python that neleval runs on may be: on the path, or among pyenv's."""
    versions = ("3.8", "3.9", "3.7", "3.6")
    yield from filter(None, (shutil.which(f"python{version}") for version in versions))
    for version in versions:
        yield from pathlib.Path.home().glob(f".pyenv/versions/{version}.*/bin/python")


def runs(python):
    return subprocess.run([python, "-c", ""], capture_output=True).returncode == 0


def size(path):
    return round(path.stat().st_size / 1e6)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
