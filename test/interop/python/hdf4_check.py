"""Compares stores of HDF4 files with what the HDF library read of them: `hdf4_check.py JOB`, a file with {"stores": [{"url", "arrays"}], "systems": [URL], "places": {"url", "golden"}, "tile": URL}.

Prints [failure, ...]: zarr-python, tensorstore and zarrs read every array, xarray and rioxarray place the tile.
"""

import hashlib
import json
import sys
import warnings

import numpy as np
import rioxarray  # noqa: F401
import tensorstore
import xarray as xr
import zarr
from pyproj import CRS, Transformer

warnings.simplefilter("ignore")


def hash_of(values):
    data = np.ascontiguousarray(values)
    return hashlib.sha256(data.astype(data.dtype.newbyteorder("<")).tobytes()).hexdigest()


def readers(url, path):
    spec = {"driver": "zarr3", "kvstore": {"driver": "http", "base_url": f"{url}{path}/"}}
    yield "zarr-python", lambda: zarr.open_group(url, mode="r")[path][...]
    yield "tensorstore", lambda: tensorstore.open(spec, open=True, read=True).result().read().result()

    def with_zarrs():
        with zarr.config.set({"codec_pipeline.path": "zarrs.ZarrsCodecPipeline"}):
            return zarr.open_group(url, mode="r")[path][...]

    yield "zarrs", with_zarrs


def store_problems(url, arrays):
    for path, golden in arrays.items():
        if not isinstance(golden["dtype"], str):
            continue
        for client, read in readers(url, path):
            try:
                values = read()
            except Exception as error:  # noqa: BLE001
                yield f"{url} {path}: {client}: {error}"
                continue
            if hash_of(values) != golden["sha256"]:
                yield f"{url} {path}: other values in {client}"


def tile_problems(url):
    tree = xr.open_datatree(url, engine="zarr")
    if list(tree["/"].ds["NDVI"].dims) != ["YDim:Vegetation", "XDim:Vegetation"]:
        yield f"the root has {tree['/'].ds}"
    tile = xr.open_dataset(url, engine="zarr", group="Vegetation", decode_coords="all")
    ndvi = tile["NDVI"].rio.set_spatial_dims("XDim", "YDim")
    # As GDAL shows the file itself.
    if not np.allclose(list(ndvi.rio.transform())[:6], [9266.254330558333, 0, 0, 0, -9266.25433055, 5559752.598333]):
        yield f"the tile lies at {ndvi.rio.transform()}"
    crs = ndvi.rio.crs.to_dict()
    if crs.get("proj") != "sinu" or abs(crs.get("R", crs.get("a", 0)) - 6371007.181) > 1e-3:
        yield f"the tile is in {crs}"
    values = ndvi.values
    if np.isnan(values).sum() != 887 or not -0.2 <= np.nanmin(values) <= np.nanmax(values) <= 1:
        yield f"{np.isnan(values).sum()} points are missing, and others from {np.nanmin(values)} to {np.nanmax(values)}"
    names = tree["/stations"].ds["name"].values.tolist()
    if names != ["Alder   ", "Birch   ", "Cedar   "]:
        yield f"the stations are {names}"


def system_problems(url):
    """The text and the attributes of each grid mapping are the same system to PROJ."""
    for node in xr.open_datatree(url, engine="zarr").subtree:
        if "spatial_ref" not in node.ds:
            continue
        attributes = dict(node.ds["spatial_ref"].attrs)
        systems = [CRS.from_wkt(attributes.pop("crs_wkt"))]
        attributes.pop("spatial_ref")
        systems.append(CRS.from_cf(attributes))
        x, y = node.ds["XDim"].values[:2], node.ds["YDim"].values
        places = [Transformer.from_crs(crs, crs.geodetic_crs, always_xy=True).transform(x, y) for crs in systems]
        if not np.allclose(*places, rtol=0, atol=1e-12) or not np.isfinite(places).all():
            yield f"{node.path}: {places} by text and by attributes"


def place_problems(url, golden):
    """The points of grids of all projections lie where GCTP has them."""
    tree = xr.open_datatree(url, engine="zarr")
    for name, places in golden.items():
        grid = tree[name].ds
        if places is None or "spatial_ref" not in grid:
            continue
        attributes = grid["spatial_ref"].attrs
        crs = CRS.from_wkt(attributes["crs_wkt"]) if "crs_wkt" in attributes else CRS.from_cf(attributes)
        points = np.meshgrid(grid["XDim"].values, grid["YDim"].values)
        expected, found = (np.array(places[0]), np.array(places[1])), [axis.ravel() for axis in points]
        transformer = Transformer.from_crs(crs.geodetic_crs, crs, always_xy=True)
        # PROJ can't turn Wagner VII round, and has other digits of Wagner's constants.
        size = max(np.abs(axis).max() for axis in found)
        apart = max(np.abs(np.array(own) - other).max() for own, other in zip(transformer.transform(*expected), found))
        if not apart < size * (1e-5 if name.startswith("WAG") else 2e-9):
            yield f"{name}: points are {apart} m from where GCTP has them"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    failures = [problem for store in job["stores"] for problem in store_problems(store["url"], store["arrays"])]
    failures += [problem for url in job["systems"] for problem in system_problems(url)]
    with open(job["places"]["golden"], encoding="utf-8") as file:
        failures += place_problems(job["places"]["url"], json.load(file)["places"])
    print(json.dumps(failures + list(tile_problems(job["tile"]))))


if __name__ == "__main__":
    main()
