"""Offset and length of every chunk of one dataset, in C order, as h5py finds them: places.py FILE DATASET

As libhdf5 lists them; then every chunk is read by its coordinates and compared with the bytes at that place, since the
listing of an extensible array is wrong where the unlimited dimension is not the first one.
"""

import hashlib
import json
import sys

import h5py
import numpy as np

with h5py.File(sys.argv[1], "r") as file, open(sys.argv[1], "rb") as stored:
    dataset = file[sys.argv[2]]
    grid = [-(-n // c) for n, c in zip(dataset.shape, dataset.chunks)]
    places = np.full((int(np.prod(grid)), 2), (-1, 0), "<f8")

    def keep(info):
        position = np.ravel_multi_index([at // n for at, n in zip(info.chunk_offset, dataset.chunks)], grid)
        places[position] = info.byte_offset, info.size

    dataset.id.chunk_iter(keep)
    wrong = 0
    for coords, (offset, length) in zip(np.ndindex(*grid), places.astype("<i8")):
        stored.seek(offset)
        mask, chunk = dataset.id.read_direct_chunk(tuple(at * n for at, n in zip(coords, dataset.chunks)))
        wrong += chunk != stored.read(length)
    print(json.dumps({"chunks": len(places), "wrong": wrong, "hash": hashlib.sha256(places.tobytes()).hexdigest()}))
