"""Writes zfpy.jsonl beside itself: chunks as numcodecs' ZFPY and zfpy write them, with the SHA-256 of what they read.

pip install zfpy==1.0.1 numcodecs==0.16.3 numpy==2.5.5
"""

import base64
import hashlib
import json
import pathlib

import numcodecs.zfpy
import numpy as np
import zfpy

VECTORS = []
SHAPES = [(1,), (37,), (5, 9), (16, 16), (3, 6, 7), (2, 5, 3, 6)]
KINDS = {"i": "int", "f": "float"}


def values(shape, dtype):
    at = np.arange(np.prod(shape), dtype="f8").reshape(shape)
    wave = np.sin(at / 5) * 1000 + at
    if np.dtype(dtype).kind == "f":
        # A block of zeros, and numbers far from each other.
        wave.ravel()[:4] = 0
        wave.ravel()[-1] = -3e-9
    return wave.astype(dtype)


def add(name, array, stored):
    decoded = np.ascontiguousarray(zfpy.decompress_numpy(stored))
    assert decoded.shape == array.shape and decoded.dtype == array.dtype
    VECTORS.append({
        "id": f"{name} {array.dtype.name} {'x'.join(map(str, array.shape))}",
        "shape": list(array.shape),
        "dataType": {"kind": KINDS[array.dtype.kind], "bits": array.itemsize * 8},
        "stored": base64.b64encode(stored).decode(),
        "sha256": hashlib.sha256(decoded.tobytes()).hexdigest(),
    })


for dtype in ("int32", "int64", "float32", "float64"):
    for shape in SHAPES:
        array = values(shape, dtype)
        add("reversible", array, zfpy.compress_numpy(array))
        for rate in (3, 8, 17.5):
            add(f"rate {rate}", array, numcodecs.zfpy.ZFPY(mode=zfpy.mode_fixed_rate, rate=rate).encode(array))
        for precision in (5, 16, 31):
            add(f"precision {precision}", array, numcodecs.zfpy.ZFPY(mode=zfpy.mode_fixed_precision, precision=precision).encode(array))
        # zfp refuses a tolerance for integers.
        for tolerance in (10, 1e-3, 0) if dtype.startswith("float") else ():
            add(f"tolerance {tolerance}", array, numcodecs.zfpy.ZFPY(mode=zfpy.mode_fixed_accuracy, tolerance=tolerance).encode(array))
    # More bits of a block than the short form of the mode has.
    array = values((5, 4, 6, 3), dtype)
    add("rate 30", array, zfpy.compress_numpy(array, rate=30))

pathlib.Path(__file__).with_name("zfpy.jsonl").write_text("".join(json.dumps(vector) + "\n" for vector in VECTORS))
