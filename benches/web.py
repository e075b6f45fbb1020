#!/usr/bin/env python3
"""Times the pages of `karat serve` on generated boards and documents, and under load.

    benches/web.py [--only views|load|large] [--readers 200] [--seconds 20] [--karat BINARY] [--quick]

Needs `cargo build --release`. *Views*: for each it prints the bytes that are sent (gzip), the elements of
the page, the milliseconds until the page is there (median and 99th percentile, after one request that
computes the scores) and, in brackets, how many times as long as a static file (the style sheet) takes in the
same run. *Load*: so many readers ask for board and documents of 1,000 runs at once, and the memory of the
server then. *Large*: the time until the first page of two million rows and two systems is there, while
they are still read, until the board is there, and the most memory, as a ratio to the files. Everything stays
on this machine.
"""

import argparse
import asyncio
import gzip
import html.parser
import http.client
import json
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "web-bench"
TIMES = 40
MOST_READERS, MOST_SECONDS = 200, 60


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--readers", type=int, default=200, help="readers at once, at most 200")
    arguments.add_argument("--seconds", type=int, default=20, help="how long they read, at most 60")
    arguments.add_argument("--quick", action="store_true", help="small boards, to see that the script works")
    arguments.add_argument("--only", choices=["views", "load", "large"], help="one of the parts")
    arguments.add_argument("--karat", default=ROOT / "target" / "release" / "karat")
    options = arguments.parse_args()
    readers, seconds = min(options.readers, MOST_READERS), min(options.seconds, MOST_SECONDS)
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    try:
        if options.only in (None, "large"):
            large(options.karat, 20_000 if options.quick else 2_000_000)
        if options.only in (None, "load"):
            load(options.karat, readers, seconds, 10 if options.quick else 200)
        if options.only in (None, "views"):
            views(options.karat, options.quick)
    finally:
        shutil.rmtree(WORK, ignore_errors=True)


def views(karat, quick):
    print(f"{'view':<34}{'bytes':>9}{'elements':>10}{'p50 ms':>9}{'':>8}{'p99 ms':>9}{'first ms':>10}{'MB':>7}")
    if not quick:
        board("board, 50 systems x 20", karat, 50, 20, ["/"])
        board("board, 1,000 runs", karat, 200, 5, ["/?shape=rows"])
        search(karat, 100_000)
    else:
        board("board, 5 systems x 3", karat, 5, 3, ["/"])
        search(karat, 5_000)
    texts(karat)


def document(name, characters, mentions, rng):
    """A text of words with as many gold mentions, evenly spread."""
    words, spans, length = [], [], 0
    every = max(1, characters // mentions)
    while length < characters:
        word = "".join(rng.choices("aeioustrnlm", k=rng.randint(3, 9)))
        if len(spans) < mentions and length >= len(spans) * every:
            spans.append((length, length + len(word), word))
        words.append(word)
        length += len(word) + 1
    return name, " ".join(words), spans


def write(path, documents, rng, right):
    """Gold (`right` is 1) or the output of a system that is right so often."""
    with open(path, "w") as file:
        for name, text, spans in documents:
            annotations = []
            for start, end, word in spans:
                if rng.random() < right:
                    annotations.append({"span": [start, end], "mention": word, "link": f"Q{start + 1}"})
                elif rng.random() < 0.5:
                    annotations.append({"span": [start, end], "mention": word, "link": "Q999999"})
            file.write(json.dumps({"document": name, "text": text, "annotations": annotations}) + "\n")


def board(name, karat, systems, benchmarks, paths):
    with Served(karat, written_board(systems, benchmarks)) as served:
        for path in paths:
            measured(name, served, path)


def written_board(systems, benchmarks):
    rng = random.Random(1)
    inputs = []
    for number in range(benchmarks):
        documents = [document(f"d{n}", 600, 10, rng) for n in range(10)]
        gold = WORK / f"gold{number}.karat.jsonl"
        write(gold, documents, rng, 1)
        inputs += ["-g", f"bench{number}={gold}"]
        for system in range(systems):
            output = WORK / f"s{system}-{number}.karat.jsonl"
            write(output, documents, rng, 0.4 + 0.5 * system / systems)
            inputs += ["-s", f"system{system}@bench{number}={output}"]
    return inputs


def large(karat, rows):
    """The first page while files are read, the board, and the most memory."""
    rng = random.Random(4)
    paths = [WORK / f"{name}.tsv" for name in ("large", "one", "other")]
    for right, path in zip((1, 0.8, 0.7), paths):
        with open(path, "w") as file:
            for row in range(rows):
                start, entity = row % 200 * 40, rng.randrange(100_000)
                entity = (row * 7919) % 100_000 if rng.random() < right else entity
                file.write(f"doc{row // 200}\t{start}\t{start + 9}\tQ{entity}\t0.9\tPER\n")
    size = sum(path.stat().st_size for path in paths) / 1e6
    begun = time.perf_counter()
    inputs = ["-g", f"large={paths[0]}", "-s", f"one={paths[1]}", "-s", f"other={paths[2]}"]
    with Served(karat, inputs, waits=False) as served:
        status, _, _ = served.ask("/")
        first = time.perf_counter() - begun
        told = "still reading" if status == 503 else f"status {status}"
        while (status := served.ask("/")[0]) == 503:
            time.sleep(0.05)
        shown = time.perf_counter() - begun
        again = served.milliseconds("/")
        document = served.milliseconds("/benchmarks/large/1")
        most = served.megabytes("VmHWM")
        now = served.megabytes()
    print(
        f"{rows:,} rows x 3 ({size:.0f} MB): first page {first * 1000:.0f} ms ({told}), board {shown:.1f} s (status {status}), again {again:.0f} ms,"
        f" a document {document:.0f} ms, most memory {most:.0f} MB ({most / size:.1f} x the files), now {now:.0f} MB",
        flush=True,
    )


def search(karat, mentions):
    """One gold standard with so many mentions and a run, searched for what only some have."""
    rng = random.Random(3)
    documents = [document(f"d{n}", 3_000, 50, rng) for n in range(mentions // 50)]
    gold, output = WORK / "searched.karat.jsonl", WORK / "searcher.karat.jsonl"
    write(gold, documents, rng, 1)
    write(output, documents, rng, 0.7)
    with Served(karat, ["-g", f"searched={gold}", "-s", f"a={output}"]) as served:
        # Every question is asked for the first time once: later ones come from memory.
        first = [served.milliseconds(f"/search?q={word}&in=entities") for word in ("tra", "nos", "mil", "sea", "Q17", "lut")]
        print(f"search, {mentions:,} mentions: {median(first):.0f} ms when first asked", flush=True)


def texts(karat):
    with Served(karat, written_texts()) as served:
        views = [
            ("document, 5 kB", "/benchmarks/texts/1"),
            ("document, 200 kB, 5,000 mentions", "/benchmarks/texts/2"),
            ("run, measures", "/runs/a@texts"),
            ("run, errors", "/runs/a@texts?show=errors"),
            ("cases, 100 rows", "/runs/a@texts?show=cases"),
            ("compare", "/compare/a@texts..b@texts"),
            ("compare, three runs", "/compare/a@texts..b@texts..c@texts"),
            ("search, 7,000 mentions, 3 runs", "/search?q=tra"),
        ]
        for name, path in views:
            measured(name, served, path)


def written_texts():
    rng = random.Random(2)
    documents = [document("short", 5_000, 100, rng), document("long", 200_000, 5_000, rng)]
    documents += [document(f"d{n}", 1_500, 30, rng) for n in range(20)]
    gold = WORK / "texts.karat.jsonl"
    write(gold, documents, rng, 1)
    inputs = ["-g", f"texts={gold}"]
    for name, right in [("a", 0.8), ("b", 0.7), ("c", 0.5)]:
        write(WORK / f"{name}.karat.jsonl", documents, rng, right)
        inputs += ["-s", f"{name}={WORK / name}.karat.jsonl"]
    return inputs


class Served:
    """A server, until the end of the block."""

    def __init__(self, karat, inputs, waits=True):
        command = [karat, "serve", "--listen", "127.0.0.1:0", "--trust-machine", *inputs]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)", self.process.stdout.readline()).group(1))
        # 503 says that files are still read.
        while waits and self.ask("/")[0] == 503:
            time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            print("the server did not end within 5 s")

    def ask(self, path):
        """Status, how the body is packed, and the body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
        response = connection.getresponse()
        return response.status, response.headers.get("Content-Encoding"), response.read()

    def get(self, path):
        """Bytes sent, and the page."""
        status, packing, body = self.ask(path)
        page = gzip.decompress(body) if packing == "gzip" else body
        if status != 200:
            raise SystemExit(f"{path}: {status}\n{page[:2000].decode()}")
        return len(body), page.decode()

    def milliseconds(self, path):
        start = time.perf_counter()
        self.get(path)
        return (time.perf_counter() - start) * 1000

    def megabytes(self, which="VmRSS"):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(which + r":\s+(\d+)", status).group(1)) / 1024

    def static(self):
        """The path of the style sheet: a file that is only sent."""
        return re.search(r'href="(/assets/[^"]+\.css)"', self.get("/")[1]).group(1)


class Elements(html.parser.HTMLParser):
    number = 0

    def handle_starttag(self, *_):
        self.number += 1


def measured(name, served, path):
    first = served.milliseconds(path)
    size, page = served.get(path)
    elements = Elements()
    elements.feed(page)
    static = served.static()
    plain = median([served.milliseconds(static) for _ in range(TIMES)])
    times = [served.milliseconds(path) for _ in range(TIMES)]
    ratio = f"({median(times) / plain:.0f})"
    print(
        f"{name:<34}{size:>9,}{elements.number:>10,}{median(times):>9.1f}{ratio:>8}"
        f"{share(times, 0.99):>9.1f}{first:>10.0f}{served.megabytes():>7.0f}",
        flush=True,
    )


def median(values):
    return share(values, 0.5)


def share(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def load(karat, readers, seconds, systems):
    """Many readers at once on boards and documents of so many systems on five benchmarks."""
    with Served(karat, written_board(systems, 5)) as served:
        paths = ["/", "/?shape=rows", *(f"/benchmarks/bench{number}/{n}" for number in range(5) for n in (1, 5))]
        first = [served.milliseconds(path) for path in paths]
        static = served.static()
        plain, _ = asyncio.run(read_together(served.port, [static], readers, max(1, seconds // 4)))
        times, failed = asyncio.run(read_together(served.port, paths, readers, seconds))
        memory = served.megabytes()
    ratio = median(times) / median(plain), share(times, 0.99) / share(plain, 0.99)
    print(
        f"{systems * 5:,} runs, first asked {max(first):.0f} ms at most; {readers} readers for {seconds} s: {len(times) / seconds:,.0f} pages/s,"
        f" p50 {median(times):.0f} ms ({ratio[0]:.1f} x a static file), p99 {share(times, 0.99):.0f} ms ({ratio[1]:.1f} x),"
        f" {failed} failed, {memory:.0f} MB",
        flush=True,
    )


async def read_together(port, paths, readers, seconds):
    times, failed = [], 0
    end = time.perf_counter() + seconds

    async def read(number):
        nonlocal failed
        rng = random.Random(number)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.perf_counter() < end:
            start = time.perf_counter()
            request = f"GET {rng.choice(paths)} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
            writer.write(request.encode())
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", head, re.I)
            if length:
                await reader.readexactly(int(length.group(1)))
            else:
                while (size := int(await reader.readline(), 16)) > 0:
                    await reader.readexactly(size + 2)
                await reader.readline()
            times.append((time.perf_counter() - start) * 1000)
            failed += b" 200 " not in head.split(b"\r\n")[0]
        writer.close()

    await asyncio.gather(*(read(number) for number in range(readers)))
    return times, failed


if __name__ == "__main__":
    main()
