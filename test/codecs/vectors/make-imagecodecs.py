"""Writes imagecodecs.jsonl beside itself: chunks as imagecodecs' codecs for numcodecs write them, with the SHA-256 of what they read.

pip install imagecodecs==2026.3.6 imagecodecs-numcodecs==2026.3.6 numpy==2.4.6
"""

import base64
import hashlib
import json
import pathlib

import imagecodecs
import imagecodecs.numcodecs as codecs
import numpy as np

VECTORS = []


def add(name, codec, values, stored=None, note="", endian="little"):
    """A chunk, as its codec writes it (or as it is given), and what the codec makes of it again."""
    values = np.ascontiguousarray(values)
    stored = bytes(codec.encode(values)) if stored is None else stored
    # Some need to be told how much there is.
    decoded = codec.decode(stored, out=np.empty(values.nbytes, "u1") if needs_room(codec) else None)
    decoded = np.frombuffer(np.ascontiguousarray(decoded), values.dtype).reshape(values.shape)
    configuration = {key: value for key, value in codec.get_config().items() if key != "id"}
    VECTORS.append({
        "id": f"{name} {values.dtype.name} {'x'.join(map(str, values.shape))}{note}",
        "codecs": [{"name": "bytes", "configuration": {"endian": endian}}, {"name": codec.codec_id, "configuration": configuration}],
        "shape": list(values.shape),
        "dataType": {"kind": {"u": "uint", "i": "int", "f": "float"}[values.dtype.kind], "bits": values.itemsize * 8},
        "stored": base64.b64encode(stored).decode(),
        "sha256": hashlib.sha256(decoded.astype(values.dtype.newbyteorder("<")).tobytes()).hexdigest(),
    })


def needs_room(codec):
    return getattr(codec, "raw", False) or isinstance(codec, codecs.Lz4) and not codec.header


rows, columns = np.mgrid[0:21, 0:30]
wave = np.sin(rows / 7) + np.cos(columns / 9)
byte = (wave * 60 + 128).astype("u1")
word = (wave * 6000 + 20000).astype("u2")
real = wave.astype("f4")
colours = np.stack([byte, 255 - byte[::-1], (byte.astype(int) * 3 % 256).astype("u1")], -1)
four = np.concatenate([colours, byte[:, ::-1, None]], -1)

for name in ("Zlib", "Zlibng", "Zopfli", "Zstd", "Bz2", "Lzma", "Brotli", "Snappy", "Lz4h5", "Blosc", "Blosc2", "Bitorder"):
    add(name.lower(), getattr(codecs, name)(), word)
add("deflate", codecs.Deflate(), word)
add("deflate", codecs.Deflate(raw=True), word, note=" raw")
for header in (True, False):
    add("lz4", codecs.Lz4(header=header), word, note=f" header {header}")
add("lzf", codecs.Lzf(), word)
for itemsize, blocksize in ((1, 0), (2, 0), (2, 64), (4, 0)):
    add("bitshuffle", codecs.Bitshuffle(itemsize=itemsize, blocksize=blocksize), word, note=f" {itemsize} {blocksize}")
add("quantize", codecs.Quantize(mode="bitround", nsd=3), real)
add("packbits", codecs.Packbits(), byte)
add("lzw", codecs.Lzw(), word)

for subsampling in ("444", "422", "420", "411", "440"):
    add("jpeg", codecs.Jpeg(level=80, subsampling=subsampling), colours, note=f" {subsampling}")
add("jpeg", codecs.Jpeg(level=80), byte)
add("jpeg", codecs.Jpeg(level=80), byte[None], note=" alone")
add("jpeg", codecs.Jpeg(level=80, colorspace_data="RGB", colorspace_jpeg="RGB"), colours, note=" RGB")
add("jpeg", codecs.Jpeg(level=80, colorspace_data=2), colours, note=" 2")
add("jpeg", codecs.Jpeg(level=80, colorspace_data="CMYK", colorspace_jpeg="CMYK"), four, note=" CMYK")
add("jpeg", codecs.Jpeg(level=80, colorspace_data="CMYK", colorspace_jpeg="YCCK"), four, note=" YCCK")
coloured = imagecodecs.jpeg8_encode(colours, level=80)
add("jpeg", codecs.Jpeg(colorspace_data="YCBCR"), colours, coloured, " left as YCbCr")
add("jpeg", codecs.Jpeg(colorspace_data="GRAY"), byte, coloured, " as grey")
add("jpeg", codecs.Jpeg(colorspace_jpeg="RGB"), colours, coloured, " said to be RGB")
# An abbreviated stream: the tables of another, which TIFF keeps apart.
at = coloured.index(b"\xff\xc0")
tables = coloured[:2] + coloured[20:at] + b"\xff\xd9"
huffman = coloured[at:].index(b"\xff\xc4")
add("jpeg", codecs.Jpeg(tables=tables), colours, coloured[:20] + coloured[at:], " tables")
add("jpeg", codecs.Jpeg(header=coloured[:30]), colours, coloured[30:-2], " header")
# 12 bits: imagecodecs tells them by their values.
add("jpeg", codecs.Jpeg(level=80), word // 8)

add("jpeg2k", codecs.Jpeg2k(level=0), word)
add("jpeg2k", codecs.Jpeg2k(level=0), byte)
add("jpeg2k", codecs.Jpeg2k(level=0), word.astype("i4").astype("i2") - 20000)
add("jpeg2k", codecs.Jpeg2k(level=0), colours)
add("jpeg2k", codecs.Jpeg2k(level=0, codecformat="j2k"), byte, note=" j2k")
for values in (byte, word, colours, four):
    add("jpegxl", codecs.Jpegxl(lossless=True), values)
    add("png", codecs.Png(), values)
add("png", codecs.Png(), np.stack([word] * 3, -1))
for values in (byte, word, colours):
    add("jpegls", codecs.Jpegls(), values)
add("webp", codecs.Webp(lossless=True), colours)
add("webp", codecs.Webp(level=80), colours, note=" lossy")
add("webp", codecs.Webp(lossless=True), four)
for values in (byte, word, real, wave, word.astype("i4") - 20000, colours):
    add("lerc", codecs.Lerc(), values)
add("lerc", codecs.Lerc(compression="zstd"), real, note=" zstd")
add("lerc", codecs.Lerc(compression="deflate"), real, note=" deflate")
add("lerc", codecs.Lerc(), real, imagecodecs.lerc_encode(real, masks=rows % 5 > 0), " masked")
add("lerc", codecs.Lerc(), word, imagecodecs.lerc_encode(word, masks=rows % 5 > 0), " masked")

lines = [json.dumps(vector, separators=(",", ":")) for vector in VECTORS]
(pathlib.Path(__file__).parent / "imagecodecs.jsonl").write_text("\n".join(lines) + "\n")
print(len(lines))
