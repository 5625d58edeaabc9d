"""What independent readers find in the examples: `python explorer_values.py EXAMPLES` prints JSON for explorer.test.ts.

For each array: where the picture is taken (`at`), and for some points of it row, column and value, null where it is missing.
"""

import json
import sys
from pathlib import Path

import netCDF4
import numpy as np
import rasterio
import zarr
from astropy.io import fits

EXAMPLES = Path(sys.argv[1])
POINTS = 24


def described(path, plane, at=None, y=None, x=None):
    values = np.ma.masked_invalid(np.ma.asarray(plane).astype("float64"))
    rows, columns = values.shape
    random = np.random.default_rng(7)
    places = {(0, 0), (rows - 1, columns - 1), (0, columns - 1), (rows - 1, 0)}
    while len(places) < min(POINTS, rows * columns):
        places.add((int(random.integers(rows)), int(random.integers(columns))))
    masked = np.ma.getmaskarray(values)
    number = lambda r, c: None if masked[r, c] else float(values[r, c])
    # A cell smaller than a pixel may be drawn by one beside it.
    around = lambda r, c: [
        number(i, j)
        for i in range(max(0, r - 1), min(rows, r + 2))
        for j in range(max(0, c - 1), min(columns, c + 2))
    ]
    probes = [[r, c, number(r, c), around(r, c)] for r, c in sorted(places)]
    return {
        "path": path,
        "at": at or {},
        # Steps of the coordinates down and across; upwards is a positive one.
        "steps": [1.0 if one is None else float(one[1] - one[0]) for one in (y, x)],
        "shape": [rows, columns],
        "range": [float(values.min()), float(values.max())],
        "probes": probes,
    }


def netcdf(name, path, index, at):
    with netCDF4.Dataset(EXAMPLES / name) as file:
        return described(path, file[path][index], at, file["lat"][:], file["lon"][:])


def tiff(name, path, scale=None, offset=0.0):
    with rasterio.open(EXAMPLES / name) as file:
        plane = file.read(1, masked=True).astype("float64")
        plane = plane * (scale or file.scales[0]) + (offset if scale else file.offsets[0])
        return described(path, plane, {}, [0, file.transform.e], [0, file.transform.a])


def sci():
    with fits.open(EXAMPLES / "nebula.fits") as file:
        return described("SCI", file["SCI"].data)


def chlorophyll():
    group = zarr.open_group(EXAMPLES / "chlorophyll.zarr", mode="r")
    return described("chlorophyll", group["chlorophyll"][4], {"time": 4}, group["lat"][:], group["lon"][:])


def forest():
    group = zarr.open_group(EXAMPLES / "forest.zarr", mode="r")
    return described("cover", group["cover"][:], {}, group["y"][:], group["x"][:])


print(
    json.dumps(
        {
            "sea-surface": netcdf("sea-surface.nc", "sst", (5,), {"time": 5}),
            "relief": netcdf("relief.nc", "elevation", (slice(None), slice(None)), {}),
            "atmosphere": netcdf("atmosphere.nc", "air_temperature", (3, 1), {"time": 3, "level": 1}),
            "currents": netcdf("currents.nc", "u", (2,), {"time": 2}),
            "harvest": tiff("harvest.tif", "band_data"),
            "meadow": tiff("meadow/red.tif", "red", 0.0001, -0.1),
            "nebula": sci(),
            "chlorophyll": chlorophyll(),
            "forest": forest(),
        }
    )
)
