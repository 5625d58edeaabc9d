"""Writes lzo.jsonl with lzallright (lzokay), which shares no code with this project.

Run by hand, with lzallright and numpy installed: python test/codecs/vectors/make-lzo.py
Each vector: as in hdf5.jsonl.
"""
import base64, hashlib, json, pathlib
import lzallright, numpy as np

rng = np.random.default_rng(7)
words = b"the quick brown fox jumps over the lazy dog and runs away from it as fast as it can ".split()
contents = {
    "one byte": b"a",
    "three bytes": b"abc",
    "a short run": b"aaaaaaaaaaaaaaaaa",
    "zeros": bytes(70_000),
    "noise": rng.bytes(600),
    "long literals": rng.bytes(2000),
    "words": b" ".join(words[i] for i in rng.integers(0, len(words), 900)),
    "numbers": np.cumsum(rng.integers(-3, 4, 1500)).astype("<i4").tobytes(),
    # Matches farther back than 2 kB, 16 kB and 32 kB.
    **{f"{distance} back": (block := rng.bytes(300)) + bytes([1]) * distance + block for distance in (100, 3000, 20_000, 40_000)},
    "short matches": b"".join(bytes([i % 7, i % 5]) + rng.bytes(i % 4) for i in range(700)),
}
lines = []
for name, content in contents.items():
    stored = lzallright.LZOCompressor().compress(content)
    assert lzallright.LZOCompressor.decompress(stored) == content
    lines.append(json.dumps({
        "id": f"lzo {name}",
        "codecs": [{"name": "bytes", "configuration": {}}, {"name": "vz.lzo", "configuration": {}}],
        "dataType": {"kind": "uint", "bits": 8},
        "shape": [len(content)],
        "stored": base64.b64encode(stored).decode(),
        "length": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }))
path = pathlib.Path(__file__).with_name("lzo.jsonl")
path.write_text("\n".join(lines) + "\n")
print(len(lines), path.stat().st_size)
