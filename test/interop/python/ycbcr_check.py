"""Old JPEG, YCbCr without JPEG, and tables of strips that are too short: `ycbcr_check.py JOB` writes files to the job's "folder" and prints their names, or,
of a job with "cases", prints what rasterio reads otherwise than the service serves, [text, ...]. A case: {"id", "source", "url"}.
"""

import json
import pathlib
import struct
import sys
import warnings
import zlib

import numpy as np
import rasterio
import zarr

from jpeg_streams import TABLES, Picture

warnings.simplefilter("ignore")
KINDS = {1: "B", 3: "H", 4: "I", 5: "II", 7: "B"}
SIZES = {1: 1, 3: 2, 4: 4, 5: 8, 7: 1}
BT601 = [299, 1000, 587, 1000, 114, 1000]
BT709 = [2125, 10000, 7154, 10000, 721, 10000]
# What studios write: black is 16, white 235.
STUDIO = [16, 1, 235, 1, 128, 1, 240, 1, 128, 1, 240, 1]


def tiff(data, fields, endian="<"):
    """`data` begins at byte 8; `fields` are {tag: (type, values)}."""
    data += b"\0" * (len(data) % 2)
    at = 8 + len(data) + 2 + 12 * len(fields) + 4
    entries, beyond = b"", b""
    for tag, (kind, values) in sorted(fields.items()):
        packed = struct.pack(endian + KINDS[kind][0] * len(values), *values)
        place = packed.ljust(4, b"\0") if len(packed) <= 4 else struct.pack(endian + "I", at + len(beyond))
        if len(packed) > 4:
            beyond += packed + b"\0" * (len(packed) % 2)
        entries += struct.pack(endian + "HHI", tag, kind, len(packed) // SIZES[kind]) + place
    head = (b"II*\0" if endian == "<" else b"MM\0*") + struct.pack(endian + "I", 8 + len(data))
    return head + data + struct.pack(endian + "H", len(fields)) + entries + bytes(4) + beyond


def colours(width, height, compression, **more):
    return {256: (3, [width]), 257: (3, [height]), 258: (3, [8, 8, 8]), 259: (3, [compression]), 262: (3, [6]), 277: (3, [3]), 284: (3, [1]), **more}


def old_jpegs(random):
    """As scanners of the nineties wrote it."""
    for factors in ((1, 1), (2, 1), (2, 2)):
        name = f"{factors[0]}x{factors[1]}"
        # One strip, with a stream around it; the directory doesn't say how many samples there are.
        picture = Picture(random, 53, 40, [factors, (1, 1), (1, 1)])
        stream = picture.sequential()
        fields = colours(53, 40, 6) | {273: (4, [8]), 278: (4, [40]), 279: (4, [len(stream)]), 513: (4, [8]), 530: (3, list(factors))}
        yield f"old-stream-{name}", tiff(stream, fields)
        yield f"old-no-samples-{name}", tiff(stream, {tag: field for tag, field in fields.items() if tag != 277})
        yield f"old-no-colours-{name}", tiff(stream, {tag: field for tag, field in fields.items() if tag not in (262, 258)})
        yield f"old-said-rgb-{name}", tiff(stream, fields | {262: (3, [2])})
        yield f"old-studio-{name}", tiff(stream, fields | {529: (5, BT709), 532: (5, STUDIO)})
        # A stream with restart markers, of which each strip has one interval.
        rows = 8 * factors[1]
        picture = Picture(random, 53, 5 * rows - 3, [factors, (1, 1), (1, 1)])
        stream = picture.sequential(restart=picture.units[0])
        cuts = [at for at in range(len(stream) - 1) if stream[at] == 255 and 0xD0 <= stream[at + 1] <= 0xD7]
        scan = stream.index(b"\xff\xda")
        begin = scan + 2 + int.from_bytes(stream[scan + 2 : scan + 4], "big")
        starts = [begin, *(cut + 2 for cut in cuts)]
        ends = [*cuts, len(stream) - 2]
        fields = colours(53, picture.height, 6) | {
            273: (4, [8 + start for start in starts]), 278: (4, [rows]), 279: (4, [end - start for start, end in zip(starts, ends)]),
            512: (3, [1]), 513: (4, [8]), 514: (4, [len(stream)]), 515: (3, [picture.units[0]]), 530: (3, list(factors)),
        }  # fmt: skip
        yield f"old-strips-{name}", tiff(stream, fields)
        # A tile that is larger than the image, tables one by one.
        picture = Picture(random, 64, 48, [factors, (1, 1), (1, 1)])
        stream = picture.sequential()
        scan = stream.index(b"\xff\xda")
        data = stream[scan + 2 + int.from_bytes(stream[scan + 2 : scan + 4], "big") : -2]
        quantization = bytes(min(255, each) for each in picture.quantization)
        dc, ac = TABLES[5 : 2 + int.from_bytes(TABLES[2:4], "big")], TABLES[2 + int.from_bytes(TABLES[2:4], "big") + 5 :]
        at = 8 + len(data)
        fields = colours(60, 41, 6) | {
            322: (3, [64]), 323: (3, [48]), 324: (4, [8]), 325: (4, [len(data)]), 512: (3, [1]), 519: (4, [at] * 3),
            520: (4, [at + 64] * 3), 521: (4, [at + 64 + len(dc)] * 3), 529: (5, BT601), 530: (3, list(factors)), 532: (5, STUDIO),
        }  # fmt: skip
        yield f"old-tile-{name}", tiff(data + quantization + dc + ac, fields, ">")


def plain(random):
    for across, down in ((1, 1), (1, 2), (2, 1), (2, 2), (4, 1), (4, 2), (4, 4)):
        for compression in (1, 5, 8, 32773):
            for tags in ({}, {529: (5, BT709)}, {529: (5, BT601), 532: (5, STUDIO)}):
                width, height, rows = (int(random.integers(3, 70)), int(random.integers(3, 70)), 4 * int(random.integers(1, 5)))
                if down == 4:
                    # libtiff 4.7 reads too little of a strip whose rows of units don't divide by 4 (TIFFScanlineSize: 18 / 4 rounded down).
                    width += -width % 8
                fields = colours(width, height, compression) | {278: (4, [rows]), 530: (3, [across, down])} | tags
                strips = []
                for top in range(0, height, rows):
                    units = -(-min(rows, height - top) // down) * -(-width // across)
                    strips.append(compressed(random.integers(0, 256, units * (across * down + 2)).astype("u1").tobytes(), compression))
                name = f"plain-{across}x{down}-{compression}-{len(tags)}"
                yield name, tiff(b"".join(strips), fields | table(strips, 273, 279))
        tiles = [random.integers(0, 256, 48 // down * 32 // across * (across * down + 2)).astype("u1").tobytes() for _ in range(4)]
        tiles = [zlib.compress(tile) for tile in tiles]
        # libtiff 4.7 takes rows of units of 4 by 4 from the wrong places of tiles that lie partly outside.
        fields = colours(*((64, 96) if down == 4 else (50, 70)), 8) | {322: (3, [32]), 323: (3, [48]), 530: (3, [across, down])}
        yield f"plain-tiles-{across}x{down}", tiff(b"".join(tiles), fields | table(tiles, 324, 325))
    # Without the tag, units have 2 by 2 pixels.
    strip = random.integers(0, 256, 10 * 10 * 6).astype("u1").tobytes()
    yield "plain-untold", tiff(strip, colours(19, 20, 1) | {278: (4, [20])} | table([strip], 273, 279))


def compressed(strip, compression):
    if compression == 8:
        return zlib.compress(strip)
    if compression == 32773:
        return b"".join(bytes([len(run) - 1]) + run for run in (strip[at : at + 128] for at in range(0, len(strip), 128)))
    if compression == 5:
        import imagecodecs

        return imagecodecs.lzw_encode(strip)
    return strip


def table(blocks, offsets, counts):
    places = np.cumsum([8, *map(len, blocks)])[:-1].tolist()
    return {offsets: (4, places), counts: (4, [len(block) for block in blocks])}


def short(random):
    """The file lists the lengths of fewer strips than there are."""
    for compression in (1, 8):
        strips = [compressed(random.integers(1, 256, 500).astype("u1").tobytes(), compression) for _ in range(4)]
        fields = {256: (3, [50]), 257: (3, [40]), 258: (3, [8]), 259: (3, [compression]), 262: (3, [1]), 277: (3, [1]), 278: (3, [10])}
        fields |= table(strips, 273, 279)
        for count in (1, 3):
            yield f"short-{compression}-{count}", tiff(b"".join(strips), fields | {279: (4, fields[279][1][:count])})


job = json.load(open(sys.argv[1]))
if "folder" in job:
    random = np.random.default_rng(job["seed"])
    names = []
    for name, content in (*old_jpegs(random), *plain(random), *short(random)):
        pathlib.Path(job["folder"], f"{name}.tif").write_bytes(content)
        names.append(name)
    json.dump(names, sys.stdout)
else:
    failures = []
    for case in job["cases"]:
        try:
            with rasterio.open(case["source"]) as file:
                expected = file.read()
        except rasterio.errors.RasterioError as error:
            failures.append(f"{case['id']}: rasterio: {error.__cause__ or error}")
            continue
        try:
            values = np.asarray(zarr.open_group(case["url"], mode="r")["band_data"][...]).reshape(expected.shape)
        except Exception as error:
            failures.append(f"{case['id']}: {type(error).__name__}: {str(error)[:200]}")
            continue
        if not np.array_equal(values, expected):
            failures.append(f"{case['id']}: differs by {int(np.abs(values.astype(int) - expected).max())} at {np.argwhere(values != expected)[0].tolist()}")
    json.dump(failures, sys.stdout)
