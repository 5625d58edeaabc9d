"""Compares where the service says that grids lie with GDAL (rasterio) and with xarray's coordinates: `grids_check.py JOB`.

A case: {"id", "source": path, "url": store URL}. Prints [failure, ...]; "FILES" of a job is a folder to write grids to first.
"""

import json
import sys
import urllib.request
import warnings
from pathlib import Path

import netCDF4
import numpy as np
import pyproj
import rasterio
import xarray as xr

warnings.simplefilter("ignore")

# A GeoTransform that the file's own coordinates contradict.
CONTRADICTED = ["hdf5/gdal__ushort.nc"]


def grids():
    """Datasets by name: what a grid can be like."""
    yield "north", geographic(np.arange(60, 40, -0.25), np.arange(-10, 10, 0.25))
    yield "south", geographic(np.arange(-60, -40, 0.25), np.arange(100, 120, 0.5))
    yield "single", geographic(np.arange(50, 49, -1 / 1200).astype("f4"), np.arange(5, 6, 1 / 1200).astype("f4"))
    yield "projected", projected(25832, np.arange(5.4e6, 5.3e6, -1000.0), np.arange(3e5, 4e5, 1000.0))
    yield "polar", projected(3413, np.arange(5.4e6, 5.3e6, -25000.0 / 3), np.arange(-4e5, 4e5, 25000.0 / 3))


def geographic(latitudes, longitudes):
    coords = {"lat": ("lat", latitudes, {"units": "degrees_north"}), "lon": ("lon", longitudes, {"units": "degrees_east"})}
    return xr.Dataset({"value": (("lat", "lon"), np.ones((len(latitudes), len(longitudes)), "f4"))}, coords)


def projected(code, ys, xs):
    coords = {name: (name, values, {"units": "m", "standard_name": f"projection_{name}_coordinate"}) for name, values in (("y", ys), ("x", xs))}
    dataset = xr.Dataset({"value": (("y", "x"), np.ones((len(ys), len(xs)), "f4"), {"grid_mapping": "crs"})}, coords)
    dataset["crs"] = ((), 0, pyproj.CRS(code).to_cf())
    return dataset


def write(folder):
    for name, dataset in grids():
        for format in ("NETCDF4", "NETCDF3_64BIT"):
            dataset.to_netcdf(Path(folder) / f"{name}-{format}.nc", format=format, engine="netcdf4")


def problems(case):
    with urllib.request.urlopen(case["url"] + "zarr.json") as reply:
        attributes = json.load(reply)["attributes"]
    if "spatial:transform" not in attributes:
        yield "says nothing of a place"
        return
    a, b, c, d, e, f = attributes["spatial:transform"]
    rows, columns = attributes["spatial:dimensions"]
    served = xr.open_zarr(case["url"], chunks=None, decode_times=False)
    for name, first, step in ((rows, f, e), (columns, c, a)):
        values = served[name].values.astype("f8")
        if not np.allclose(values, first + step * (np.arange(len(values)) + 0.5), rtol=0, atol=abs(step) * 0.02):
            yield f"{name} is {values[:2]}, and {first}, {step} is said"
    if attributes["spatial:shape"] != [served.sizes[rows], served.sizes[columns]]:
        yield f"the shape is {attributes['spatial:shape']}"
    variable = next(name for name, array in served.data_vars.items() if array.dims[-2:] == (rows, columns))
    with rasterio.open(f"netcdf:{case['source']}:{variable}") as native:
        t, height = native.transform, native.height
        # GDAL turns rows to begin in the north.
        mine = (a, c, e, f) if e < 0 else (a, c, -e, f + e * height)
        scale = 1 if abs(t.a / a) > 0.9 else 1000
        # The newer GDAL (3.12; 3.10 does not) goes by an attribute of its own before the coordinates, which is wrong in a part of a grid.
        written = served[served[variable].attrs.get("grid_mapping", variable)].attrs.get("GeoTransform", "").split()
        is_by_attribute = len(written) == 6 and [t.c, t.a, t.b, t.f, t.d, t.e] == [float(number) for number in written]
        if is_by_attribute and case["id"] in CONTRADICTED:
            pass
        elif not np.allclose(np.array([t.a, t.c, t.e, t.f]) * scale, mine, rtol=1e-6, atol=abs(a) * 0.02):
            yield f"GDAL says {(t.a, t.c, t.e, t.f)}, the service {mine}"
        code = attributes.get("proj:code")
        if native.crs is not None and code is not None and pyproj.CRS(code) != pyproj.CRS(native.crs.to_wkt()):
            if pyproj.CRS(native.crs.to_wkt()).to_epsg(min_confidence=60) != pyproj.CRS(code).to_epsg():
                yield f"GDAL says {native.crs}, the service {code}"
    # What is said of a place must not keep anyone from writing the dataset.
    copy = Path(case["source"]).with_suffix(".copy.nc") if case.get("isOwn") else None
    if copy is not None:
        served.to_netcdf(copy, engine="netcdf4")
        with netCDF4.Dataset(copy) as written:
            if list(written.getncattr("spatial:transform")) != [a, b, c, d, e, f]:
                yield "to_netcdf lost the place"


def main():
    job = json.load(open(sys.argv[1]))
    if "folder" in job:
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
