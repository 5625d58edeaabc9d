"""Writes tiff.jsonl beside itself: blocks as GDAL and imagecodecs compress them, with the SHA-256 of what they hold.

pip install rasterio==1.5.2 tifffile==2026.3.3 imagecodecs==2026.3.6 numpy==2.4.6
"""

import base64
import hashlib
import io
import json
import pathlib
import struct
import warnings

import imagecodecs
import numpy as np
import rasterio
import tifffile
from rasterio.io import MemoryFile

warnings.filterwarnings("ignore", category=rasterio.errors.NotGeoreferencedWarning)
RNG = np.random.default_rng(7)
VECTORS = []


def add(name, codecs, stored, values):
    """One block, from the array outward; shapes are (rows, columns) or (rows, columns, samples)."""
    values = np.ascontiguousarray(values)
    VECTORS.append(
        {
            "id": name,
            "codecs": [{"name": codec, "configuration": configuration} for codec, configuration in codecs],
            "shape": list(values.shape),
            "dataType": {"kind": {"u": "uint", "i": "int", "f": "float", "c": "complex"}[values.dtype.kind], "bits": values.itemsize * 8},
            "stored": base64.b64encode(stored).decode(),
            "sha256": hashlib.sha256(values.astype(values.dtype.newbyteorder("<")).tobytes()).hexdigest(),
        }
    )


def block(values, **options):
    """The first block of a GeoTIFF of (band, y, x) values, its page, and what GDAL reads from it."""
    bands, rows, columns = values.shape
    with MemoryFile() as memory:
        with memory.open(driver="GTiff", height=rows, width=columns, count=bands, dtype=values.dtype, blockysize=rows, **options) as file:
            file.write(values)
        with memory.open() as file:
            read = file.read()
        page = tifffile.TiffFile(io.BytesIO(bytes(memory.getbuffer()))).pages[0]
    file = page.parent.filehandle
    file.seek(page.dataoffsets[0])
    stored = file.read(page.databytecounts[0])
    assert len(page.dataoffsets) == 1
    return stored, page, read[0] if bands == 1 else np.moveaxis(read, 0, -1)


def bilevel(rows, columns):
    """Runs of every length, rows that resemble the one above."""
    image = np.zeros((rows, columns), "u1")
    for row in range(rows):
        at, colour = 0, 0
        while at < columns:
            longest = int(RNG.choice([4, 64, 700, 2700]))
            at += (run := int(RNG.integers(0 if at == 0 else 1, longest)))
            image[row, at - run : at] = colour
            colour ^= 1
        if row % 3 == 1:
            image[row] = np.roll(image[row - 1], RNG.integers(-4, 5))
    return image


def fax():
    for rows, columns in ((12, 6000), (24, 300)):
        image = bilevel(rows, columns)
        for word, compression in (("CCITTRLE", 2), ("CCITTFAX3", 3), ("CCITTFAX4", 4)):
            stored, page, _ = block(image[None], compress=word, nbits=1)
            options = int(page.tags[292].value) if 292 in page.tags else 0
            for order in (1, 2):
                turned = stored if order == 1 else imagecodecs.bitorder_decode(stored)
                configuration = {"compression": compression, "options": options, "fillOrder": order, "width": columns}
                add(f"ccitt {compression} {rows}x{columns} order {order}", [("vz.tiff-ccitt", configuration)], turned, image)


def lerc():
    values = RNG.normal(0, 10, (1, 24, 30)).astype("f4")
    values[0, 10:20, 5:25] = np.nan
    for word in ("none", "deflate", "zstd"):
        stored, _, read = block(values, compress="LERC" + ("" if word == "none" else "_" + word.upper()))
        add(f"lerc with NaN {word}", [("vz.tiff-lerc", {"additional": word})], stored, read)
    bands = RNG.normal(0, 10, (3, 12, 20)).astype("f8")
    bands[:, 4:9, 3:15] = np.nan
    stored, _, read = block(bands, compress="LERC", interleave="pixel")
    add("lerc with NaN in all bands", [("vz.tiff-lerc", {"additional": "none"})], stored, read)
    bands[1, 10:, 10:] = np.nan
    stored, _, read = block(bands, compress="LERC", interleave="pixel")
    add("lerc with NaN in one band", [("vz.tiff-lerc", {"additional": "none"})], stored, read)
    rgba = RNG.integers(0, 255, (4, 12, 20)).astype("u1")
    rgba[3] = np.where(rgba[0] > 100, 255, 0)
    stored, _, read = block(rgba, compress="LERC", interleave="pixel", photometric="RGB", alpha="NON-PREMULTIPLIED")
    add("lerc with an alpha of 0 and 255", [("vz.tiff-lerc", {"additional": "none"})], stored, read)
    rgba[3, 0, 0] = 7
    stored, _, read = block(rgba, compress="LERC", interleave="pixel", photometric="RGB", alpha="NON-PREMULTIPLIED")
    add("lerc with any alpha", [("vz.tiff-lerc", {"additional": "none"})], stored, read)


def smooth(shape):
    values = np.cumsum(np.cumsum(RNG.normal(0, 1, shape), -2), -1)
    return ((values - values.min()) / np.ptp(values) * 255).astype("u1")


def pictures():
    bands = smooth((3, 35, 45))
    colours = np.ascontiguousarray(np.moveaxis(bands, 0, -1))
    grey = np.ascontiguousarray(colours[..., 0])
    with_alpha = np.dstack([colours, 255 - grey])
    deep = colours.astype("u2") * 257 - 3
    jpegs(bands, colours, grey, with_alpha)
    for values in (grey, colours, with_alpha, with_alpha[..., 2:], deep, deep[..., 0]):
        stored = imagecodecs.png_encode(np.ascontiguousarray(values), level=6)
        add(f"png {values.dtype} {values.shape}", [("vz.tiff-png", {})], stored, values)
    for values, options in ((colours, {"lossless": True}), (with_alpha, {"lossless": True}), (colours, {"level": 70}), (with_alpha, {"level": 70})):
        stored = imagecodecs.webp_encode(values, **options)
        add(f"webp {values.shape} {options}", [("vz.tiff-webp", {})], stored, imagecodecs.webp_decode(stored))
    stored = imagecodecs.webp_encode(colours, lossless=True)
    add("webp whose alpha is left out", [("vz.tiff-webp", {})], stored, np.dstack([colours, np.full_like(grey, 255)]))
    signed = grey.astype("i2") * 100 - 12000
    for values, options in (
        (grey, {"codecformat": "j2k"}),
        (colours, {"codecformat": "j2k"}),
        (colours, {"codecformat": "jp2"}),
        (deep, {"codecformat": "j2k"}),
        (deep[..., 0] >> 4, {"codecformat": "j2k", "bitspersample": 12}),
        (signed, {"codecformat": "j2k"}),
        (colours, {"codecformat": "j2k", "level": 40, "reversible": False}),
        (with_alpha, {"codecformat": "j2k"}),
        (with_alpha[..., 2:], {"codecformat": "jp2"}),
        ((grey.astype("i2") - 128).astype("i1"), {"codecformat": "j2k"}),
        (colours.astype("u4") * 65793, {"codecformat": "j2k", "bitspersample": 24}),
        (signed.astype("i4") * 900, {"codecformat": "j2k", "bitspersample": 26}),
    ):
        stored = imagecodecs.jpeg2k_encode(np.ascontiguousarray(values), **options)
        add(f"jpeg2000 {values.dtype} {values.shape} {options}", [("vz.tiff-jpeg2000", {})], stored, imagecodecs.jpeg2k_decode(stored))
    for values, options in ((grey, {}), (colours, {}), (with_alpha, {}), (with_alpha[..., 2:], {}), (colours, {"usecontainer": True})):
        stored = imagecodecs.jpegxl_encode(np.ascontiguousarray(values), lossless=True, **options)
        samples = 1 if values.ndim == 2 else values.shape[2]
        add(f"jpegxl {values.shape} {options}", [("vz.tiff-jpegxl", {"samples": samples, "bits": 8})], stored, values)


def jpegs(bands, colours, grey, with_alpha):
    for quality in (30, 100):
        for word, photometric in (("YCBCR", 6), ("RGB", 2)):
            stored, page, read = block(bands, compress="JPEG", photometric=word, interleave="pixel", JPEG_QUALITY=quality)
            configuration = {"tables": base64.b64encode(page.jpegtables).decode(), "photometric": photometric}
            add(f"jpeg {word} of GDAL, quality {quality}", [("vz.tiff-jpeg", configuration)], stored, read)
    for values, photometric in ((bands, 6), (bands[:1], 1)):
        with MemoryFile() as memory:
            with memory.open(driver="JPEG", height=35, width=45, count=len(values), dtype="uint8", QUALITY=60, PROGRESSIVE="YES") as file:
                file.write(values)
            stored = bytes(memory.getbuffer())
            with memory.open() as file:
                read = np.moveaxis(file.read(), 0, -1).squeeze()
        add(f"jpeg progressive {read.shape}", [("vz.tiff-jpeg", {"tables": None, "photometric": photometric})], stored, read)
    own = {"tables": None, "photometric": 1}
    stored = imagecodecs.jpeg8_encode(grey, level=90, optimize=True)
    add("jpeg grey, own tables", [("vz.tiff-jpeg", own)], stored, imagecodecs.jpeg8_decode(stored))
    stored = imagecodecs.jpeg8_encode(grey.astype("u2") * 16 + 5, level=90, bitspersample=12)
    add("jpeg of 12 bits", [("vz.tiff-jpeg", own)], stored, imagecodecs.jpeg8_decode(stored))
    stored = imagecodecs.jpeg8_encode(with_alpha, level=90, colorspace="CMYK", outcolorspace="CMYK")
    add("jpeg of four components", [("vz.tiff-jpeg", {"tables": None, "photometric": 5})], stored, imagecodecs.jpeg8_decode(stored, colorspace="CMYK", outcolorspace="CMYK"))


def more():
    """Added later: with numbers of its own, so that those above stay as they are."""
    global RNG
    RNG = np.random.default_rng(11)
    bands = smooth((3, 35, 45))
    for values, word, photometric in ((bands, "YCBCR", 6), (bands[:1], "MINISBLACK", 1)):
        stored, page, read = block(values, compress="JPEG", photometric=word, interleave="pixel", JPEG_QUALITY=75, JPEGTABLESMODE=3)
        stored, tables = without_huffman(stored), without_huffman(page.jpegtables)
        assert b"\xff\xc4" not in stored + tables
        configuration = {"tables": base64.b64encode(tables).decode(), "photometric": photometric}
        add(f"jpeg {word} without Huffman tables", [("vz.tiff-jpeg", configuration)], stored, read)
    deep = np.moveaxis(RNG.integers(0, 65536, (4, 35, 45)).astype("u2") // 3 + smooth((4, 35, 45)) * np.uint16(100), 0, -1)
    for samples in (1, 2, 3, 4):
        values = np.ascontiguousarray(deep[..., 0] if samples == 1 else deep[..., :samples])
        for options in ({"lossless": True}, {"lossless": True, "usecontainer": True}):
            stored = imagecodecs.jpegxl_encode(values, **options)
            assert np.array_equal(imagecodecs.jpegxl_decode(stored), values)
            add(f"jpegxl {values.dtype} {values.shape} {options}", [("vz.tiff-jpegxl", {"samples": samples, "bits": 16})], stored, values)


def old_jpegs():
    """Streams that GDAL reads as old JPEG: their data by itself, and all before it, which the file has once."""
    global RNG
    RNG = np.random.default_rng(13)
    colours = np.ascontiguousarray(np.moveaxis(smooth((3, 35, 45)), 0, -1))
    colours[10:20, 10:20] = (250, 10, 40)
    for subsampling, factors in (("444", (1, 1)), ("422", (2, 1)), ("420", (2, 2))):
        stream = imagecodecs.jpeg8_encode(colours, level=90, subsampling=subsampling)
        at = 2
        while stream[at + 1] != 0xDA:
            at += 2 + int.from_bytes(stream[at + 2 : at + 4], "big")
        at += 2 + int.from_bytes(stream[at + 2 : at + 4], "big")
        with MemoryFile(old_jpeg_file(stream, at, factors)) as memory, memory.open() as file:
            read = np.moveaxis(file.read(), 0, -1)
        configuration = {"header": base64.b64encode(stream[:at]).decode(), "photometric": 6}
        add(f"old jpeg {subsampling}", [("vz.tiff-old-jpeg", configuration)], stream[at:-2], read)


def old_jpeg_file(stream, data, factors):
    """A TIFF of 45 by 35 pixels: the stream behind its header, its one strip where the data begins."""
    length = len(stream) + len(stream) % 2
    bits = 8 + length + 2 + 13 * 12 + 4
    fields = [
        (256, 3, 1, 45), (257, 3, 1, 35), (258, 3, 3, bits), (259, 3, 1, 6), (262, 3, 1, 6), (273, 4, 1, 8 + data),
        (277, 3, 1, 3), (278, 3, 1, 35), (279, 4, 1, len(stream) - data), (512, 3, 1, 1), (513, 4, 1, 8),
        (514, 4, 1, len(stream)), (530, 3, 2, factors[0] | factors[1] << 16),
    ]  # fmt: skip
    directory = struct.pack("<H", len(fields)) + b"".join(struct.pack("<HHII", *field) for field in fields) + bytes(4)
    return b"II*\0" + struct.pack("<I", 8 + length) + stream.ljust(length, b"\0") + directory + struct.pack("<3H", 8, 8, 8)


def without_huffman(stream):
    """A JPEG stream without the segments of its Huffman tables, which are the standard ones."""
    at, kept = 2, [stream[:2]]
    while stream[at + 1] not in (0xD9, 0xDA):
        end = at + 2 + int.from_bytes(stream[at + 2 : at + 4], "big")
        if stream[at + 1] != 0xC4:
            kept.append(stream[at:end])
        at = end
    return b"".join([*kept, stream[at:]])


def numbers():
    content = {
        "text": (RNG.integers(0, 4, 9000) * RNG.integers(0, 2, 9000)).astype("u1"),
        "noise": RNG.integers(0, 256, 7000).astype("u1"),
        "one byte": np.zeros(1, "u1"),
        "zeros": np.zeros(70000, "u1"),
    }
    for kind, values in content.items():
        lzw, packbits = imagecodecs.lzw_encode(values.tobytes()), imagecodecs.packbits_encode(values.tobytes())
        add(f"lzw {kind}", [("bytes", {}), ("imagecodecs_lzw", {})], lzw, values)
        add(f"packbits {kind}", [("bytes", {}), ("imagecodecs_packbits", {})], packbits, values)
        turned = imagecodecs.bitorder_decode(lzw)
        add(f"lzw {kind}, bits turned", [("bytes", {}), ("imagecodecs_lzw", {}), ("vz.tiff-fill-order", {})], turned, values)
    for letters in ("u1", "<u2", ">u2", "<u4", ">i4", "<u8", ">i8", "<f4", ">f8"):
        for shape, axis in (((5, 9), -1), ((5, 9, 3), -2)):
            predictors(np.dtype(letters), shape, axis)
    for bits in (1, 2, 3, 5, 7, 10, 12, 14, 17, 24, 31):
        unpacked(bits)


def predictors(dtype, shape, axis):
    values = RNG.integers(0, 120, shape).astype(dtype)
    if dtype.kind == "f":
        values = RNG.normal(0, 100, shape).astype(dtype)
    samples = 1 if len(shape) == 2 else shape[2]
    endian = "big" if dtype.byteorder == ">" else "little"
    own = {"bits": dtype.itemsize * 8, "samples": samples, "width": shape[1], "endian": endian}
    stored = imagecodecs.delta_encode(values, axis=axis).tobytes()
    name = f"{dtype.str} {shape}"
    add(f"predictor 2 {name}", [("bytes", {"endian": endian}), ("vz.tiff-predictor2", own)], stored, values)
    add(f"delta {name}", [("imagecodecs_delta", {"axis": axis}), ("bytes", {"endian": endian})], stored, values)
    if dtype.kind != "f":
        return
    little = values.astype(dtype.newbyteorder("<"))
    stored = imagecodecs.floatpred_encode(little, axis=axis).tobytes()
    published = {"shape": list(shape), "dtype": little.dtype.str, "axis": axis}
    add(f"predictor 3 {name}", [("bytes", {"endian": endian}), ("vz.tiff-predictor3", own)], stored, values)
    add(f"floatpred {name}", [("imagecodecs_floatpred", published), ("bytes", {"endian": "little"})], stored, values)


def unpacked(bits):
    """Rows of 11 samples, the highest bit first, each row beginning with a byte of its own."""
    dtype = "u1" if bits <= 8 else "u2" if bits <= 16 else "u4"
    values = RNG.integers(0, 2**bits, (4, 11)).astype(dtype)
    rows = [np.packbits([(int(value) >> (bits - 1 - bit)) & 1 for value in row for bit in range(bits)]).tobytes() for row in values]
    configuration = {"bits": bits, "signed": False, "float": False, "endian": "big"}
    add(f"{bits} bits", [("vz.tiff-unpack", configuration)], b"".join(rows), values)


fax()
lerc()
pictures()
numbers()
more()
old_jpegs()
lines = "".join(json.dumps(vector) + "\n" for vector in VECTORS)
pathlib.Path(__file__).with_name("tiff.jsonl").write_text(lines)
