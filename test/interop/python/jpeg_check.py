"""Compares JPEG of all sampling factors with imagecodecs, rasterio and Debian's GDAL: `jpeg_check.py JOB`.

A job with "folder" and "seed": writes TIFF files (and the same streams as .jpg) there, prints their names. A job with "cases": prints a report,
{"read": {reader: pictures that equal it}, "failures": [text], "disagree": [pictures of which imagecodecs and GDAL make different values]}.
A case: {"id", "source": path of the TIFF, "url": its store}.
"""

import json
import os
import pathlib
import subprocess
import sys
import warnings

import imagecodecs
import numpy as np
import rasterio
import zarr

from jpeg_streams import Picture, as_tiff

warnings.simplefilter("ignore")
# Factors that divide each other: libjpeg refuses all others ("Fractional sampling not implemented yet").
PAIRS = [(one, other) for one in range(1, 5) for other in range(1, 5) if max(one, other) % min(one, other) == 0]
MAX_BLOCKS = 10


def write(folder, seed):
    random = np.random.default_rng(seed)
    names = []

    def add(name, picture, stream):
        folder.joinpath(f"{name}.jpg").write_bytes(stream)
        folder.joinpath(f"{name}.tif").write_bytes(as_tiff(picture, stream))
        names.append(name)

    for h1, h2 in PAIRS:
        for v1, v2 in PAIRS:
            factors = [(h1, v1), (h2, v2), (h2, v2)]
            # More blocks than a scan of all components may have.
            alone = sum(h * v for h, v in factors) > MAX_BLOCKS
            for precision in (8, 12):
                picture = Picture(random, *random.integers(1, 90, 2).tolist(), factors, precision)
                name = f"{h1}x{v1}-{h2}x{v2}-{precision}"
                restart = int(random.integers(0, 6))
                add(f"{name}-sequential", picture, picture.sequential(restart, alone))
                if not alone:
                    add(f"{name}-progressive", picture, picture.progressive(restart))
    for number in range(60):
        factors = [(int(random.choice((1, 2, 4))), int(random.choice((1, 2, 4)))) for _ in range(3)]
        picture = Picture(random, *random.integers(1, 40, 2).tolist(), factors)
        add(f"mixed-{number}", picture, picture.sequential(0, sum(h * v for h, v in factors) > MAX_BLOCKS))
    # One to four samples across: libjpeg interpolates from three on.
    for width in range(1, 9):
        for factors in ([(2, 1)], [(2, 2)], [(1, 2)]):
            picture = Picture(random, width, 5, factors + [(1, 1), (1, 1)])
            add(f"narrow-{width}-{factors[0][0]}x{factors[0][1]}", picture, picture.sequential())
    return names


def check(cases):
    read = {"imagecodecs": 0, "rasterio": 0, "Debian": 0}
    failures, disagree = [], []
    for case in cases:
        path = pathlib.Path(case["source"])
        stream = path.with_suffix(".jpg").read_bytes()
        newest = imagecodecs.jpeg8_decode(stream)
        values = np.asarray(zarr.open_group(case["url"], mode="r")["band_data"][...])
        values = np.moveaxis(values, 0, -1)
        if np.array_equal(values, newest):
            read["imagecodecs"] += 1
        else:
            failures.append(f"{case['id']}: differs from imagecodecs by {difference(values, newest)}")
        for reader, found in (("rasterio", by_rasterio(path, newest)), ("Debian", by_debian(path, newest))):
            if found is None:
                continue
            if np.array_equal(values, found):
                read[reader] += 1
            else:
                disagree.append(f"{case['id']}: {reader} by {difference(newest, found)}")
    return {"read": read, "failures": failures, "disagree": disagree}


def difference(one, other):
    return f"shape {one.shape}, {other.shape}" if one.shape != other.shape else int(np.abs(one.astype(int) - other.astype(int)).max())


def by_rasterio(path, newest):
    """As TIFF, or, with factors that libtiff refuses there, as JPEG."""
    for name in (path, path.with_suffix(".jpg")):
        try:
            with rasterio.open(name) as file:
                found = np.moveaxis(file.read(), 0, -1)
            if found.dtype == np.uint16 and found[0].size % 2 == 1:
                # libtiff 4.7 writes samples of 12 bits in pairs, and loses the last one of such a row (tif_jpeg.c, JPEGDecode).
                found[:, -1, -1] = newest[:, -1, -1]
            return found
        except rasterio.errors.RasterioError:
            pass
    return None


def by_debian(path, newest):
    """As /usr/bin/gdal_translate reads the JPEG; it has no 12 bits."""
    if newest.dtype != np.uint8 or not os.access("/usr/bin/gdal_translate", os.X_OK):
        return None
    target = path.with_suffix(".bin")
    command = ["/usr/bin/gdal_translate", "-q", "-of", "ENVI", "-co", "INTERLEAVE=BIP", str(path.with_suffix(".jpg")), str(target)]
    # The interpreter's own environment names the wheels' PROJ and GDAL data.
    subprocess.run(command, check=True, capture_output=True, env={"PATH": "/usr/bin", "GDAL_PAM_ENABLED": "NO"})
    return np.fromfile(target, "u1").reshape(newest.shape)


job = json.load(open(sys.argv[1]))
if "cases" in job:
    json.dump(check(job["cases"]), sys.stdout)
else:
    json.dump(write(pathlib.Path(job["folder"]), job["seed"]), sys.stdout)
