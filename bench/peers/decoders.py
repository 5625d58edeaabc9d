"""Chunks in every compression, for the benchmark: decoders.py FOLDER.

Writes each as NAME.bin with NAME.json (its codecs as the service names them, its shape and type, the hash of what it decodes to), and then, at the start
and for each line of input, a line of JSON: how many MB the libraries in C decode of each in a second of processor time.
"""

import bz2
import hashlib
import json
import lzma
import sys
import time
import warnings
from pathlib import Path

import h5py
import hdf5plugin
import imagecodecs
import numpy as np
import rasterio
import tifffile
from rasterio.io import MemoryFile

warnings.filterwarnings("ignore", category=rasterio.errors.NotGeoreferencedWarning)
SIDE = 1024
SECONDS = 0.3
LITTLE = ("bytes", {"endian": "little"})
RNG = np.random.default_rng(1)
CASES = {}


def add(name, codecs, stored, decode):
    """`decode` gives the array that the codecs describe."""
    values = np.ascontiguousarray(decode())
    kind = {"u": "uint", "i": "int", "f": "float"}[values.dtype.kind]
    chunk = {
        "codecs": [{"name": codec, "configuration": configuration} for codec, configuration in codecs],
        "shape": list(values.shape),
        "dataType": {"kind": kind, "bits": 8 * values.itemsize},
        "sha256": hashlib.sha256(values.astype(values.dtype.newbyteorder("<")).tobytes()).hexdigest(),
    }
    CASES[name] = (chunk, bytes(stored), decode, values.nbytes)


def whole(values, decoded):
    return np.frombuffer(decoded, values.dtype).reshape(values.shape)


def of_bytes(int16, float32, classes):
    """Compressions of bytes, behind TIFF's predictors where these are used."""
    raw = int16.tobytes()
    zlib = imagecodecs.zlib_encode(raw, level=6)
    add("deflate", [LITTLE, ("numcodecs.zlib", {"level": 6})], zlib, lambda: whole(int16, imagecodecs.zlibng_decode(zlib)))
    differences = imagecodecs.zlib_encode(imagecodecs.delta_encode(int16).tobytes(), level=6)
    decode = lambda: imagecodecs.delta_decode(whole(int16, imagecodecs.zlibng_decode(differences)))
    add("deflate, predictor 2", [("imagecodecs_delta", {"axis": -1}), LITTLE, ("numcodecs.zlib", {"level": 6})], differences, decode)
    planes = imagecodecs.zlib_encode(imagecodecs.floatpred_encode(float32).tobytes(), level=6)
    published = {"shape": list(float32.shape), "dtype": "<f4", "axis": -1}
    decode = lambda: imagecodecs.floatpred_decode(whole(float32, imagecodecs.zlibng_decode(planes)))
    add("deflate, predictor 3", [("imagecodecs_floatpred", published), LITTLE, ("numcodecs.zlib", {"level": 6})], planes, decode)
    for name, values in (("LZW, int16", int16), ("LZW, classes", classes)):
        lzw = imagecodecs.lzw_encode(values.tobytes())
        add(name, [LITTLE, ("imagecodecs_lzw", {})], lzw, lambda v=values, s=lzw: whole(v, imagecodecs.lzw_decode(s, out=v.nbytes)))
    packed = imagecodecs.packbits_encode(classes.tobytes())
    add("PackBits", [LITTLE, ("imagecodecs_packbits", {})], packed, lambda: whole(classes, imagecodecs.packbits_decode(packed)))
    zstd = imagecodecs.zstd_encode(raw, level=3)
    add("zstd", [LITTLE, ("zstd", {"level": 3, "checksum": False})], zstd, lambda: whole(int16, imagecodecs.zstd_decode(zstd)))
    lz4 = imagecodecs.lz4_encode(raw, header=True)
    add("lz4", [LITTLE, ("numcodecs.lz4", {"acceleration": 1})], lz4, lambda: whole(int16, imagecodecs.lz4_decode(lz4, header=True)))
    bzip2 = bz2.compress(raw, 9)
    add("bzip2", [LITTLE, ("numcodecs.bz2", {"level": 9})], bzip2, lambda: whole(int16, imagecodecs.bz2_decode(bzip2)))
    xz = lzma.compress(raw, preset=6)
    add("LZMA", [LITTLE, ("numcodecs.lzma", {"format": 1})], xz, lambda: whole(int16, imagecodecs.lzma_decode(xz)))
    shuffled = imagecodecs.byteshuffle_encode(float32).tobytes()
    decode = lambda: imagecodecs.byteshuffle_decode(whole(float32, shuffled))
    for compressor in ("lz4", "zstd", "blosclz"):
        frame = imagecodecs.blosc_encode(float32.tobytes(), level=5, compressor=compressor, shuffle=1, typesize=4, numthreads=1)
        configuration = {"typesize": 4, "cname": compressor, "clevel": 5, "shuffle": "shuffle", "blocksize": 0}
        decode = lambda s=frame: whole(float32, imagecodecs.blosc_decode(s, numthreads=1))
        add(f"blosc, {compressor}", [LITTLE, ("blosc", configuration)], frame, decode)


def of_pictures(float32, colours, deep, drawing):
    jpeg = imagecodecs.jpeg8_encode(colours, level=90, subsampling="444")
    add("JPEG", [("vz.tiff-jpeg", {"tables": None, "photometric": 6})], jpeg, lambda: imagecodecs.jpeg8_decode(jpeg))
    lerc = imagecodecs.lerc_encode(float32, level=0.01)
    add("LERC", [("vz.tiff-lerc", {"additional": "none"})], lerc, lambda: imagecodecs.lerc_decode(lerc))
    png = imagecodecs.png_encode(deep)
    add("PNG, 16 bits", [("vz.tiff-png", {})], png, lambda: imagecodecs.png_decode(png))
    webp = imagecodecs.webp_encode(colours, lossless=True)
    add("WebP", [("vz.tiff-webp", {})], webp, lambda: imagecodecs.webp_decode(webp))
    for name, values in (("JPEG 2000, 16 bits", deep), ("JPEG 2000, 24 bits", deep.astype("u4") * 255)):
        bits = 8 * values.itemsize if values.itemsize < 4 else 24
        jpeg2000 = imagecodecs.jpeg2k_encode(values, codecformat="j2k", bitspersample=bits)
        add(name, [("vz.tiff-jpeg2000", {})], jpeg2000, lambda s=jpeg2000: imagecodecs.jpeg2k_decode(s))
    jpegls = imagecodecs.jpegls_encode(deep)
    add("JPEG-LS", [LITTLE, ("vz.jpegls", {})], jpegls, lambda: imagecodecs.jpegls_decode(jpegls))
    jpegxl = imagecodecs.jpegxl_encode(deep, lossless=True)
    add("JPEG XL, 16 bits", [("vz.tiff-jpegxl", {"samples": 1, "bits": 16})], jpegxl, lambda: imagecodecs.jpegxl_decode(jpegxl, numthreads=1))
    rice = imagecodecs.rcomp_encode(deep.astype("i2").ravel(), nblock=32)
    decode = lambda: imagecodecs.rcomp_decode(rice, shape=deep.shape, dtype="i2", nblock=32)
    add("Rice", [("vz.fits-rice", {"bytes": 2, "blockLength": 32})], rice, decode)
    fax = fax_of(drawing)
    configuration = {"compression": 4, "options": 0, "fillOrder": 1, "width": drawing.shape[1]}
    unpacked = lambda: imagecodecs.ccittfax4_decode(fax, height=drawing.shape[0], width=drawing.shape[1])
    add("CCITT 4", [("vz.tiff-ccitt", configuration)], fax, lambda: np.asarray(unpacked(), "u1").reshape(drawing.shape))


def fax_of(drawing):
    rows, columns = drawing.shape
    with MemoryFile() as memory:
        options = {"compress": "CCITTFAX4", "nbits": 1, "blockysize": rows, "photometric": "MINISWHITE"}
        with memory.open(driver="GTiff", height=rows, width=columns, count=1, dtype="u1", **options) as file:
            file.write(drawing, 1)
        page = tifffile.TiffFile(memory).pages[0]
        memory.seek(page.dataoffsets[0])
        return memory.read(page.databytecounts[0])


def of_hdf5(int16, float32):
    """Filters of HDF5, read by its library from a file in memory; it keeps no chunks."""
    small = int16 // 4
    with_bits = h5py.h5t.STD_I16LE.copy()
    with_bits.set_precision(12)
    field = {"size": 2, "precision": 12, "offset": 0, "signed": True, "order": "little"}
    add_hdf5("shuffle", float32, lambda words: [LITTLE, ("numcodecs.shuffle", {"elementsize": 4})], shuffle=True)
    szip = ["mask", "pixelsPerBlock", "bitsPerPixel", "pixelsPerScanline"]
    add_hdf5("szip", int16, lambda words: [LITTLE, ("vz.szip", dict(zip(szip, words)))], compression="szip", compression_opts=("nn", 16))
    nbit = lambda words: [("vz.bit-field", field), LITTLE, ("vz.nbit", {"clientData": words})]
    add_hdf5("nbit", small, nbit, type_id=with_bits)
    scaled = lambda words: [LITTLE, ("vz.scaleoffset", {"clientData": words})]
    add_hdf5("scale-offset, int16", small, scaled, scaleoffset=0)
    add_hdf5("scale-offset, float32", float32, scaled, scaleoffset=2)
    add_hdf5("LZF", int16, lambda words: [LITTLE, ("vz.lzf", {})], compression="lzf")
    for compression, option in (("none", "none"), ("lz4", "lz4"), ("zstd", "zstd")):
        filters = lambda words: [LITTLE, ("vz.bitshuffle", {"elementsize": 4, "blocksize": 0, "compression": compression})]
        add_hdf5(f"bitshuffle, {compression}", float32, filters, **hdf5plugin.Bitshuffle(cname=option))
    for compressor in ("lz4", "zstd"):
        add_hdf5(f"blosc2, {compressor}", float32, lambda words: [LITTLE, ("vz.blosc2", {})], **hdf5plugin.Blosc2(cname=compressor))


def add_hdf5(name, values, codecs, type_id=None, **options):
    # A file of its own, which stays open while its decoding is measured.
    file = h5py.File(name, "w", driver="core", backing_store=False, rdcc_nbytes=0)
    if type_id is None:
        dataset = file.create_dataset("d", data=values, chunks=values.shape, **options)
    else:
        properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        properties.set_chunk(values.shape)
        properties.set_filter(h5py.h5z.FILTER_NBIT, h5py.h5z.FLAG_OPTIONAL)
        dataset = h5py.Dataset(h5py.h5d.create(file.id, b"d", type_id, h5py.h5s.create_simple(values.shape), properties))
        dataset.write_direct(values)
    file.flush()
    mask, stored = dataset.id.read_direct_chunk((0,) * values.ndim)
    assert mask == 0, name
    words = [int(word) for word in dataset.id.get_create_plist().get_filter(0)[2]]
    target = np.empty_like(values)

    def decode():
        dataset.id.read(h5py.h5s.ALL, h5py.h5s.ALL, target)
        return target

    add(name, codecs(words), stored, decode)


def rate(decode, size):
    decode()
    count, start = 0, time.process_time()
    while time.process_time() - start < SECONDS:
        decode()
        count += 1
    return count * size / 1e6 / (time.process_time() - start)


def main(folder):
    y, x = np.mgrid[:SIDE, :SIDE]
    field = 280 + 20 * np.sin(y / 90) * np.cos(x / 70)
    # As archives keep them: with as many bits as mean something.
    float32 = (field + RNG.normal(0, 0.05, field.shape)).astype("f4")
    float32 = (float32.view("u4") & 0xFFFFF000).view("f4")
    int16 = (field * 4 + RNG.normal(0, 1.5, field.shape)).astype("i2")
    classes = ((y >> 4) * 7 + (x >> 4) * 3 + (RNG.random(field.shape) < 0.01)).astype("u1") % 9
    colours = np.stack([field - 200 + shift + RNG.normal(0, 2, field.shape) for shift in (0, 30, 60)], -1).clip(0, 255).astype("u1")
    deep = (int16.astype("i4") * 20).astype("u2")
    drawing = (((x // 37 + y // 53) % 5 == 0) | (np.hypot(x - 500, y - 400) % 60 < 4)).astype("u1")
    of_bytes(int16, float32, classes)
    of_pictures(float32, colours, deep, drawing)
    of_hdf5(int16, float32)
    for place, (name, (chunk, stored, _, _)) in enumerate(CASES.items()):
        (folder / f"{place:02}.bin").write_bytes(stored)
        (folder / f"{place:02}.json").write_text(json.dumps({"name": name, **chunk}))
    while True:
        print(json.dumps({name: rate(decode, size) for name, (_, _, decode, size) in CASES.items()}), flush=True)
        if not sys.stdin.readline():
            return


main(Path(sys.argv[1]))
