#!/usr/bin/env python3
"""Many people judge at once: how long a submission takes.

    benches/campaign-load.py [--karat target/release/karat] [--database postgres://...] [--people 300] [--seconds 0]

A campaign is made of the built-in sample's size, repeated; a server is started on a free port; so many people enter over HTTP,
each gets a task, and all of them submit within a second. With --seconds, ten tasks a second follow for so long. It prints
percentiles of the time from sending to the answer; no test asserts a time.
"""

import argparse
import asyncio
import json
import pathlib
import subprocess
import tempfile
import time


async def ask(host, method, path, token="", body=None):
    reader, writer = await asyncio.open_connection(*host)
    data = json.dumps(body).encode() if body is not None else b""
    head = f"{method} {path} HTTP/1.1\r\nHost: {host[0]}:{host[1]}\r\nConnection: close\r\n"
    if token:
        head += f"Authorization: Bearer {token}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    writer.write(head.encode() + data)
    await writer.drain()
    answer = await reader.read()
    writer.close()
    head, _, rest = answer.partition(b"\r\n\r\n")
    status = int(head.split(b" ")[1])
    start, end = rest.find(b"{"), rest.rfind(b"}")
    return status, json.loads(rest[start : end + 1]) if start >= 0 else None


async def enter(host, secret):
    body = {"platform": "link", "parameters": {"key": secret}}
    status, entered = await ask(host, "POST", "/api/v1/campaigns/load/enter", body=body)
    assert status == 200, (status, entered)
    token, number = entered["token"], entered["assignment"]["id"]
    await ask(host, "POST", f"/api/v1/assignments/{number}/consent", token, {"agreed": True})
    return token, number


async def lease(host, person):
    token, number = person
    status, task = await ask(host, "POST", f"/api/v1/assignments/{number}/lease", token)
    return task if status == 200 else None


async def submit(host, person, task):
    answers = [{"item": item["id"], "action": "verify"} for item in task["items"]]
    path = f"/api/v1/leases/{task['token']}/answers/1"
    begun = time.monotonic()
    status, answer = await ask(host, "PUT", path, person[0], {"answers": answers})
    assert status == 200, (status, answer)
    return time.monotonic() - begun


def percentiles(name, times):
    times = sorted(times)
    at = lambda share: 1000 * times[min(len(times) - 1, int(share * len(times)))]
    print(f"{name}: n {len(times)}  p50 {at(0.5):.1f} ms  p99 {at(0.99):.1f} ms  max {1000 * times[-1]:.1f} ms")


async def run(host, secret, people, seconds):
    crowd = [await enter(host, secret) for _ in range(people)]
    tasks = [await lease(host, person) for person in crowd]

    async def later(at):
        await asyncio.sleep(at / people)
        return await submit(host, crowd[at], tasks[at])

    held = [at for at in range(people) if tasks[at]]
    percentiles(f"{len(held)} submissions within a second", await asyncio.gather(*(later(at) for at in held)))
    if not seconds:
        return
    times, begun = [], time.monotonic()

    async def one(at):
        task = await lease(host, crowd[at % people])
        if task:
            times.append(await submit(host, crowd[at % people], task))

    running, at = [], 0
    while time.monotonic() - begun < seconds:
        running.append(asyncio.create_task(one(at)))
        at += 1
        await asyncio.sleep(max(0.0, begun + at / 10 - time.monotonic()))
    await asyncio.gather(*running)
    percentiles(f"ten tasks a second for {seconds} s", times)


def corpus(path, documents):
    text = " ".join(f"Berlin and Paris met in Rome, said Report {n}." for n in range(8))
    with open(path, "w") as file:
        for n in range(documents):
            marks = [{"span": [0, 6], "link": "Q64"}, {"span": [11, 16], "link": "Q90"}]
            file.write(json.dumps({"document": f"d{n}", "text": text, "annotations": marks}) + "\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--karat", default="target/release/karat")
    arguments.add_argument("--database")
    arguments.add_argument("--people", type=int, default=300)
    arguments.add_argument("--seconds", type=int, default=0)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        store = ["--database", given.database] if given.database else ["--data", str(folder / "karat.db")]
        gold = folder / "gold.jsonl"
        corpus(gold, 4000)
        verify = [given.karat, "verify"]
        subprocess.run([*verify, "create", "load", "-g", str(gold), "--judgements", "3", *store], check=True)
        subprocess.run([*verify, "open", "load", "--skip-calibration", "--no-controls", *store], check=True)
        link = subprocess.run([*verify, "invite", "load", *store], check=True, capture_output=True, text=True)
        secret = link.stdout.strip().rpartition("key=")[2]
        serve = [given.karat, "serve", "--trust-machine", "--listen", "0", *store]
        server = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
        try:
            address = server.stdout.readline().strip().removeprefix("http://").rstrip("/")
            name, _, port = address.rpartition(":")
            asyncio.run(run((name, int(port)), secret, given.people, given.seconds))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
