"""Reads the streams of `vz.tiff-jpeg` in tiff.jsonl and jpeg.jsonl once more and replaces the SHA-256 of what they hold; the streams stay.

They were written and first read with rasterio 1.4, whose libjpeg 9 brings colours of half the resolution to size otherwise than libjpeg-turbo, which every
newer GDAL has (docs/decisions/0009-picture-decoders.md).

pip install rasterio==1.5.2 numpy==2.5.5
"""

import base64
import hashlib
import json
import pathlib
import struct
import warnings

import numpy as np
import rasterio
from rasterio.io import MemoryFile

warnings.filterwarnings("ignore", category=rasterio.errors.NotGeoreferencedWarning)
assert tuple(int(each) for each in rasterio.__version__.split(".")[:2]) >= (1, 5)


def tiff(stream, tables, shape, photometric):
    """One strip of JPEG."""
    rows, columns, samples = (*shape, 1)[:3]
    fields = {
        256: (3, [columns]), 257: (3, [rows]), 258: (3, [8] * samples), 259: (3, [7]), 262: (3, [photometric]), 273: (4, [8]),
        277: (3, [samples]), 278: (3, [rows]), 279: (4, [len(stream)]), 284: (3, [1]),
    }  # fmt: skip
    if tables is not None:
        fields[347] = (7, list(tables))
    if photometric == 6:
        frame = next(at for at in segments(stream) if stream[at + 1] in (0xC0, 0xC1, 0xC2))
        fields[530] = (3, [stream[frame + 11] >> 4, stream[frame + 11] & 15])
    if samples == 4:
        fields[332] = (3, [1])
    body = b"II*\0" + struct.pack("<I", 8 + len(stream) + len(stream) % 2) + stream.ljust(len(stream) + len(stream) % 2, b"\0")
    at = len(body) + 2 + 12 * len(fields) + 4
    entries, beyond = b"", b""
    for tag, (kind, values) in sorted(fields.items()):
        packed = struct.pack(f"<{len(values)}{ {3: 'H', 4: 'I', 7: 'B'}[kind] }", *values)
        place = packed.ljust(4, b"\0") if len(packed) <= 4 else struct.pack("<I", at + len(beyond))
        beyond += b"" if len(packed) <= 4 else packed + b"\0" * (len(packed) % 2)
        entries += struct.pack("<HHI", tag, kind, len(values)) + place
    return body + struct.pack("<H", len(fields)) + entries + bytes(4) + beyond


def segments(stream):
    at = 2
    while stream[at + 1] != 0xDA:
        yield at
        at += 2 + int.from_bytes(stream[at + 2 : at + 4], "big")


def reread(vector):
    codec = vector["codecs"][-1]
    if codec["name"] != "vz.tiff-jpeg" or vector["dataType"]["bits"] != 8 or codec["configuration"]["photometric"] == 5:
        return False
    tables = codec["configuration"]["tables"]
    stored = base64.b64decode(vector["stored"])
    content = tiff(stored, tables and base64.b64decode(tables), vector["shape"], codec["configuration"]["photometric"])
    with MemoryFile(content) as memory, memory.open() as file:
        values = np.ascontiguousarray(np.moveaxis(file.read(), 0, -1))
    assert values.size == np.prod(vector["shape"]), (vector["id"], values.shape)
    digest = hashlib.sha256(values.tobytes()).hexdigest()
    differs = digest != vector["sha256"]
    vector["sha256"] = digest
    if differs:
        print(vector["id"])
    return differs


for name in ("tiff", "jpeg"):
    path = pathlib.Path(__file__).with_name(f"{name}.jsonl")
    vectors = [json.loads(line) for line in path.read_text().splitlines()]
    count = sum(reread(vector) for vector in vectors)
    path.write_text("\n".join(json.dumps(vector) for vector in vectors) + "\n")
    print(count, "of", len(vectors), "in", path.name)
