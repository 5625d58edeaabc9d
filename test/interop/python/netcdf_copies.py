"""Writes what a store shows to NetCDF files, and compares what is read from them: python netcdf_copies.py job.json

The job has cases of {id, url}; `make` names a folder that gets TIFF files of GDAL's, one of each kind that has attributes of its own.
"""

import json
import pathlib
import sys
import tempfile
import warnings

import numpy as np
import rioxarray  # noqa: F401, the accessor `rio`
import xarray as xr
import zarr

warnings.simplefilter("ignore")


def make(folder):
    import rasterio
    from rasterio.control import GroundControlPoint
    from rasterio.enums import Resampling

    rows, columns = np.mgrid[0:600, 0:600]
    values = ((rows + columns) % 200).astype("u1")
    placed = {"crs": "EPSG:32633", "transform": rasterio.Affine(10, 0, 500000, 0, -10, 4600000)}
    base = {"driver": "GTiff", "height": 600, "width": 600, "dtype": "uint8", "tiled": True, "blockxsize": 256, "blockysize": 256}

    def write(name, count=1, points=None, **options):
        with rasterio.open(folder / name, "w", count=count, **base, **options) as file:
            for band in range(1, count + 1):
                file.write(np.roll(values, band), band)
            if points:
                file.gcps = points
            yield file

    for _ in write("plain.tif", **placed):
        pass
    for file in write("bands.tif", count=3, nodata=7, **placed):
        file.descriptions = ("red", "green", "blue")
        file.units = ("K", "m", "K")
        file.scales = (1.0, 0.5, 0.25)
        file.update_tags(TITLE="a title", **{"é": "ü"})
    for file in write("palette.tif", photometric="palette", **placed):
        file.write_colormap(1, {index: (index, 255 - index, 7, 255) for index in range(256)})
    points = [GroundControlPoint(row, column, 10 + column / 100, 50 - row / 100, 0) for row in (0, 600) for column in (0, 600)]
    for file in write("points.tif", points=(points, rasterio.crs.CRS.from_epsg(4326))):
        pass
    for _ in write("pyramid.tif", **placed):
        pass
    with rasterio.open(folder / "pyramid.tif", "r+") as file:
        file.build_overviews([2, 4], Resampling.nearest)
        file.write_mask(values > 50)


def groups_below(node, path=""):
    yield path, node
    for name, group in node.groups():
        yield from groups_below(group, f"{path}/{name}".lstrip("/"))


def check(case, folder):
    """The groups of a store that were written, and what went wrong."""
    written, failures = 0, []
    for path, group in groups_below(zarr.open_group(case["url"], mode="r")):
        # A pyramid's root has objects that NetCDF can't hold, for map viewers; its level 0 is the same dataset (decision 13).
        if not list(group.arrays()) or "multiscales" in group.attrs:
            continue
        with xr.open_dataset(case["url"], engine="zarr", group=path or None) as dataset:
            for engine in ("netcdf4", "h5netcdf"):
                copy = folder / f"{engine}.nc"
                try:
                    dataset.to_netcdf(copy, engine=engine)
                    with xr.open_dataset(copy, engine=engine) as read:
                        xr.testing.assert_equal(read, dataset)
                    written += 1
                except Exception as error:
                    failures.append(f"{case['id']} {path} {engine}: {type(error).__name__}: {str(error)[:200]}")
    if case.get("tree"):
        failures += tree_failures(case)
    if "points" in case:
        failures += point_failures(case)
    return written, failures


def tree_failures(case):
    tree = xr.open_datatree(case["url"], engine="zarr")
    names = {path for path, group in groups_below(zarr.open_group(case["url"], mode="r"))}
    found = {group.lstrip("/") for group in tree.groups}
    return [] if found == names else [f"{case['id']}: the tree has {found}, expected {names}"]


def point_failures(case):
    """Ground control points as rioxarray reads them."""
    with xr.open_dataset(case["url"], engine="zarr", decode_coords="all") as dataset:
        points = [(point.row, point.col, point.x, point.y) for point in dataset.rio.get_gcps() or []]
    expected = [tuple(point) for point in case["points"]]
    return [] if points == expected else [f"{case['id']}: the control points are {points}"]


def main():
    job = json.loads(pathlib.Path(sys.argv[1]).read_text())
    if "make" in job:
        make(pathlib.Path(job["make"]))
        return
    written, failures = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for case in job["cases"]:
            done, failed = check(case, pathlib.Path(folder))
            written += done
            failures += failed
    print(json.dumps({"written": written, "failures": failures}))


main()
