"""Readers of the fleet's test: they read arrays with zarr-python from one line of standard input, which says what, to the end of it."""

import hashlib
import json
import random
import sys
import threading
import time

import numpy
import zarr


class Seen:
    """What the readers saw; each adds to it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.counts = {"rounds": 0, "wrong": 0}
        self.errors = []

    def add(self, name):
        with self.lock:
            self.counts[name] += 1


def read(url, expected, seen):
    seen.add("rounds")
    try:
        array = zarr.open_array(f"{url}/temperature", mode="r", zarr_format=3)
        stored = numpy.ascontiguousarray(array[...], dtype=">f4")
    except Exception as error:  # noqa: BLE001: whatever it is, a reader of the fleet must not see it
        seen.errors.append(f"{url[-40:]}: {type(error).__name__}: {error}")
        return
    if hashlib.sha256(stored.tobytes()).hexdigest() != expected:
        seen.add("wrong")


def client(number, stores, over, seen):
    numbers = random.Random(number)
    while not over.is_set():
        # A few files are asked for most of the time.
        read(*stores[int(len(stores) * numbers.random() ** 3)], seen)
        time.sleep(0.02 + 0.04 * numbers.random())


def main():
    print("ready", flush=True)
    task = json.loads(sys.stdin.readline())
    over, seen = threading.Event(), Seen()
    clients = [
        threading.Thread(target=client, args=(number, task["stores"], over, seen))
        for number in range(task["clients"])
    ]
    for each in clients:
        each.start()
    sys.stdin.read()
    over.set()
    for each in clients:
        each.join()
    print(json.dumps({**seen.counts, "errors": seen.errors}), flush=True)


main()
