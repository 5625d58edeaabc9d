"""Compares stacks that the service makes one array of with tifffile: `stacks_check.py JOB`; writes files to its folder first.

Prints [failure, ...]. A case: {"id", "source": path, "url": store URL}; a job without cases: {"folder"}.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import tensorstore
import tifffile
import xarray as xr

warnings.simplefilter("ignore")
NAMES = {"T": "t", "C": "c", "Z": "z", "S": "band", "Y": "y", "X": "x"}
ORDER = "TCZSYX"


def write(folder):
    """Larger than the fixtures, and in codecs of pictures: directories lie between their images."""
    random = np.random.default_rng(0)
    smooth = np.add.outer(np.arange(200), np.arange(240))
    data = (smooth + random.integers(0, 50, (4, 2, 3, 200, 240))).astype("u2")
    names = {"Channel": {"Name": ["red", "green"]}, "PhysicalSizeX": 0.1, "PhysicalSizeXUnit": "µm"}
    for compression in ("zlib", "lzw", "zstd", "jpegxl", "jpeg2000", "lerc"):
        arguments = {"lossless": True} if compression == "jpegxl" else {"reversible": True} if compression == "jpeg2000" else {}
        with tifffile.TiffWriter(Path(folder) / f"{compression}.ome.tif", ome=True) as writer:
            options = {"compression": compression, "compressionargs": arguments, "tile": (64, 64)}
            writer.write(data, metadata={"axes": "TCZYX", **names}, **options)
    for axes, order in (("TCZYX", data), ("ZTCYX", data.transpose(2, 0, 1, 3, 4))):
        with tifffile.TiffWriter(Path(folder) / f"{axes}.ome.tif", ome=True, bigtiff=True) as writer:
            writer.write(order, metadata={"axes": axes, **names})
    tifffile.imwrite(Path(folder) / "hyperstack.tif", data.transpose(0, 2, 1, 3, 4), imagej=True, metadata={"axes": "TZCYX"})
    tifffile.imwrite(Path(folder) / "virtual.tif", data.transpose(0, 2, 1, 3, 4), imagej=True, truncate=True, metadata={"axes": "TZCYX"})


def expected_arrays(source):
    with tifffile.TiffFile(source) as file:
        for number, series in enumerate(file.series):
            for level, smaller in enumerate(series.levels):
                letters = [letter for letter in ORDER if letter in smaller.axes]
                data = smaller.asarray().transpose([smaller.axes.index(letter) for letter in letters])
                group = "/".join(part for part in (f"image_{number}" if number else "", str(level) if level else "") if part)
                yield group, [NAMES[letter] for letter in letters], data


def problems(case):
    for group, dimensions, expected in expected_arrays(case["source"]):
        dataset = xr.open_zarr(case["url"], group=group or None, chunks=None)
        served = dataset.band_data
        if list(served.dims) != dimensions:
            yield f"{group}: dimensions {served.dims} instead of {dimensions}"
        elif not np.array_equal(served.values, expected):
            yield f"{group}: values differ"
        kvstore = {"driver": "http", "base_url": f"{case['url']}{group}{'/' if group else ''}band_data/"}
        again = tensorstore.open({"driver": "zarr3", "kvstore": kvstore}).result().read().result()
        if not np.array_equal(again, expected):
            yield f"{group}: values in tensorstore differ"
        if "c" in dataset.coords and not np.array_equal(dataset.band_data.sel(c=dataset.c.values[-1]).values, np.take(expected, -1, dimensions.index("c"))):
            yield f"{group}: a channel by its name differs"


def main():
    job = json.load(open(sys.argv[1]))
    if "cases" not in job:
        write(job["folder"])
        return
    found = []
    for case in job["cases"]:
        try:
            found += [f"{case['id']}: {problem}" for problem in problems(case)]
        except Exception as error:
            found.append(f"{case['id']}: {type(error).__name__}: {error}")
    json.dump(found, sys.stdout)


main()
