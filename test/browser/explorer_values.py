"""What independent readers find in the examples: `python explorer_values.py EXAMPLES` prints JSON for explorer.test.ts.

For each array: where the picture is taken (`at`), and for some points of it row, column and value, null where it is missing; of one that
is drawn as a line all values.
"""

import json
import sys
import zlib
from pathlib import Path

import icechunk
import netCDF4
import numpy as np
import rasterio
import zarr
from astropy.io import fits
from pyhdf.SD import SD
from rasterio.merge import merge

EXAMPLES = Path(sys.argv[1])
POINTS = 24


def described(path, plane, at=None, y=None, x=None, axes=None):
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
        # Which dimensions run down and across, where that is not as the page has it.
        **({"axes": axes} if axes else {}),
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


def rain():
    """The files of the join one after the other, each with its own packing."""
    months = []
    for name in sorted((EXAMPLES / "rain").glob("*.nc")):
        with netCDF4.Dataset(name) as file:
            months.append(file["rain"][:].astype("float64"))
            y, x = file["lat"][:], file["lon"][:]
    return described("rain", np.ma.concatenate(months)[200], {"time": 200}, y, x)


def storms():
    """A chunk that the references name, by zlib and NumPy alone."""
    references = json.loads((EXAMPLES / "storms.json").read_text())
    url, offset, length = references["refs"]["rain/5.0.0"]
    stored = (EXAMPLES / url.replace("{{day}}", references["templates"]["day"])).read_bytes()[offset : offset + length]
    shuffled = np.frombuffer(zlib.decompress(stored), "u1").reshape(2, -1)
    values = np.ascontiguousarray(shuffled.T).view("<i2").reshape(40, 60)
    axes = np.arange(40) * 2.0, np.arange(60) * 2.0
    return described("rain", np.ma.masked_equal(values, -1) * 0.1, {"time": 5}, *axes)


def coast():
    """The surveys one over the other, in the order of the document."""
    names = json.loads((EXAMPLES / "coast.json").read_text())["sources"]
    files = [rasterio.open(EXAMPLES / name) for name in names]
    values, transform = merge(files, method="last", masked=True)
    return described("band_data", values[0], {}, [0, transform.e], [0, transform.a])


def vegetation():
    """Its grid is a tile of MODIS: 10 degrees of a sphere of 6,371,007.181 m."""
    stored = SD(str(EXAMPLES / "vegetation.hdf")).select("NDVI").get()
    pixel = 1111950.519667 / 120
    return described("Vegetation/NDVI", np.ma.masked_equal(stored, -3000) * 1e-4, {}, [0, -pixel], [0, pixel])


def forecast():
    """Pressure after twelve hours, by GDAL's own reader of GRIB."""
    with rasterio.open(EXAMPLES / "forecast.grib2") as file:
        wanted = {"GRIB_SHORT_NAME": "0-MSL", "GRIB_FORECAST_SECONDS": "43200"}
        bands = [band for band in file.indexes if wanted.items() <= file.tags(band).items()]
        assert len(bands) == 1, bands
        return described("msl", file.read(bands[0]), {"step": 2}, [0, -1.0], [0, 1.0])


def rivers():
    with zarr.storage.ZipStore(EXAMPLES / "rivers.zarr.zip", mode="r") as store:
        stored = zarr.open_group(store, mode="r")["discharge"][:]
    return described("discharge", np.ma.masked_equal(stored, -9999) * 0.001)


def tides():
    # It writes its warnings where the JSON goes.
    icechunk.set_logs_filter("error")
    storage = icechunk.local_filesystem_storage(str(EXAMPLES / "tides.icechunk"))
    group = zarr.open_group(icechunk.Repository.open(storage).readonly_session("main").store, mode="r")
    height, gauges, time = (group[name][:] for name in ("height", "gauge", "time"))
    # Gauges count upwards, as latitudes do.
    return described("height", height.T, {}, gauges[::3], time, ["gauge", "time"])


def buoy():
    with netCDF4.Dataset(EXAMPLES / "buoy.nc") as file:
        values = file["wave_height"][:]
    missing = np.ma.getmaskarray(values)
    line = [None if gone else float(value) for value, gone in zip(values.data, missing)]
    return {"path": "wave_height", "values": line}


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
            "rain": rain(),
            "storms": storms(),
            "coast": coast(),
            "vegetation": vegetation(),
            "forecast": forecast(),
            "rivers": rivers(),
            "tides": tides(),
            "buoy": buoy(),
        }
    )
)
