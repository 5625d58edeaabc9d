"""STAC documents of local COGs, read as rasterio reads and merges their files: `make FOLDER BASE`, then `check FOLDER SERVER BASE`.

Where odc-stac is installed, stacks are compared with what it loads of the same Items, too."""

import base64
import hashlib
import json
import os
import sys

import clients
import numpy as np
import rasterio
import rioxarray  # noqa: F401
import xarray as xr
from mosaics_check import TILED, image, save, store
from rasterio.merge import merge
from rasterio.transform import from_origin

try:
    import odc.stac
    import pystac
except ImportError:
    odc = None

BANDS = {"red": (10, 1), "nir": (10, 1), "swir": (20, 2), "scl": (20, 2), "aerosol": (60, 6)}


def item(folder, base, name, when, corner, seed, version="1.0.0", holes=True):
    """An Item of Sentinel-2's kind: bands of three resolutions, and one of several bands."""
    x, y = corner
    assets = {}
    for place, (key, (size, factor)) in enumerate(BANDS.items()):
        dtype = "uint8" if key == "scl" else "uint16"
        data = image((120 // factor, 180 // factor), dtype, seed * 10 + place, 1, 200)
        if holes:
            data[: 30 // factor, : 40 // factor] = 0
        save(folder, f"{name}_{key}.tif", data, from_origin(x, y, size, size), nodata=0, **TILED)
        said = {"scale": 0.0001, "offset": -0.1} if key in ("red", "nir") else {}
        band = {"name": f"B{place:02}", "common_name": key if key in ("red", "nir") else "other"}
        assets[key] = {"href": f"./{name}_{key}.tif", "type": "image/tiff; application=geotiff; profile=cloud-optimized", "roles": ["data"], "title": f"Band {key}"}
        if version == "1.0.0":
            assets[key]["eo:bands"] = [band]
            assets[key]["raster:bands"] = [{"nodata": 0, "data_type": dtype, "spatial_resolution": size, **said}]
        else:
            own = {f"raster:{key}": value for key, value in said.items()}
            assets[key]["bands"] = [{"name": band["name"], "eo:common_name": band["common_name"], "data_type": dtype, "nodata": 0, **own}]
    save(folder, f"{name}_visual.tif", image((3, 120, 180), "uint8", seed + 500), from_origin(x, y, 10, 10), interleave="pixel", **TILED)
    visual = [{"name": name} for name in ("R", "G", "B")]
    assets["visual"] = {"href": f"./{name}_visual.tif", "type": "image/tiff; application=geotiff", "roles": ["visual"], ("eo:bands" if version == "1.0.0" else "bands"): visual}
    assets["thumbnail"] = {"href": "./nothing.jpg", "type": "image/jpeg", "roles": ["thumbnail"]}
    assets["info"] = {"href": "./nothing.xml", "type": "application/xml", "roles": ["metadata"]}
    properties = {"datetime": when, "platform": "test-1", "eo:cloud_cover": 12.5, "proj:epsg": 32633, "proj:code": "EPSG:32633"}
    geometry = {"type": "Polygon", "coordinates": [[[15, 45], [16, 45], [16, 46], [15, 46], [15, 45]]]}
    return {
        "type": "Feature",
        "stac_version": version,
        "stac_extensions": [
            "https://stac-extensions.github.io/eo/v1.1.0/schema.json",
            "https://stac-extensions.github.io/raster/v1.1.0/schema.json",
            "https://stac-extensions.github.io/projection/v1.1.0/schema.json",
        ],
        "id": name,
        "collection": "test",
        "geometry": geometry,
        "bbox": [15, 45, 16, 46],
        "properties": properties,
        "links": [{"rel": "self", "href": f"{base}{name}.json"}],
        "assets": assets,
    }


def write(folder, name, document):
    with open(os.path.join(folder, name), "w") as file:
        json.dump(document, file)


def collection(items, **links):
    return {"type": "FeatureCollection", "stac_version": "1.0.0", "features": items, "links": [{"rel": rel, "href": href} for rel, href in links.items()]}


def make(folder, base):
    one = item(folder, base, "one", "2024-01-01T10:00:00Z", (500040, 5000040), 1)
    write(folder, "one.json", one)
    write(folder, "newer.json", item(folder, base, "newer", "2024-01-01T10:00:00Z", (500040, 5000040), 2, "1.1.0"))
    # Later ones of the same place, one of them shifted, and two neighbours of one moment.
    stack = [
        one,
        item(folder, base, "third", "2024-02-01T10:00:00.500Z", (500040, 5000040), 3),
        item(folder, base, "second", "2024-01-15T10:00:00Z", (500640, 4999440), 4),
        item(folder, base, "west", "2024-03-01T10:00:00Z", (500040, 5000040), 5, holes=False),
        item(folder, base, "east", "2024-03-01T10:00:00Z", (501840, 5000040), 6, holes=False),
    ]
    write(folder, "stack.json", collection(stack))
    write(folder, "page_1.json", collection(stack[:2], next="page_2.json"))
    write(folder, "page_2.json", collection(stack[2:4], next=f"{base}page_3.json"))
    write(folder, "page_3.json", collection(stack[4:]))
    for each in stack:
        write(folder, f"{each['id']}.json", each)
    links = [{"rel": "item", "href": f"./{each['id']}.json"} for each in stack]
    write(folder, "collection.json", {"type": "Collection", "stac_version": "1.0.0", "id": "test", "description": "", "license": "other", "extent": {}, "links": links})
    # Places that nobody can read, with others beside them.
    moved = json.loads(json.dumps(one))
    for key, asset in moved["assets"].items():
        asset["alternate"] = {"here": {"href": asset["href"]}}
        asset["href"] = f"ftp://host.invalid/{key}.tif"
    write(folder, "alternate.json", {**moved, "id": "alternate"})
    mixed = json.loads(json.dumps(one))
    grid = xr.Dataset({"t": (("lat", "lon"), np.arange(12.0).reshape(3, 4))}, coords={"lat": [1.0, 2, 3], "lon": [1.0, 2, 3, 4]})
    grid.to_netcdf(os.path.join(folder, "grid.nc"), engine="scipy")
    grid.to_zarr(os.path.join(folder, "grid.zarr"), mode="w", zarr_format=2, consolidated=True)
    mixed["assets"] = {
        "red": mixed["assets"]["red"],
        "grid": {"href": "grid.nc", "type": "application/x-netcdf", "roles": ["data"]},
        "cube": {"href": "grid.zarr/", "type": "application/vnd.zarr", "roles": ["data"]},
    }
    write(folder, "mixed.json", {**mixed, "id": "mixed"})
    other = item(folder, base, "other", "2024-05-01T10:00:00Z", (500045, 5000040), 7)
    write(folder, "r_beside.json", collection([one, other]))
    write(folder, "r_circle.json", collection([one], next="r_circle.json"))


def compare(name, found, wanted, failures):
    try:
        np.testing.assert_array_equal(found, wanted)
        return 1
    except AssertionError as error:
        failures.append(f"{name}: {str(error)[:400]}")
        return 0


def check(folder, server, base):
    failures, read, hashes = [], 0, {}
    for name, stem in [("one", "one"), ("newer", "newer"), ("alternate", "one")]:
        url = store(server, f"{base}{name}.json")
        groups = {10: "", 20: "20m", 60: "60m"}
        for key, (size, _factor) in {**BANDS, "visual": (10, 1)}.items():
            group = groups[size]
            raw = xr.open_zarr(url + group, chunks=None, mask_and_scale=False, decode_coords="all")
            with rasterio.open(os.path.join(folder, f"{stem}_{key}.tif")) as file:
                wanted = file.read() if key == "visual" else file.read(1)
                transform = file.transform
            read += compare(f"{name} {key}", raw[key].values, wanted, failures)
            attributes = raw[key].attrs
            if not raw[key].rio.transform(recalc=True).almost_equals(transform, 1e-6) or raw.rio.crs.to_epsg() != 32633:
                failures.append(f"{name} {key}: lies at {raw[key].rio.transform(recalc=True)}")
            scaled = (attributes.get("scale_factor"), attributes.get("add_offset"))
            if scaled != ((0.0001, -0.1) if key in ("red", "nir") else (None, None)):
                failures.append(f"{name} {key}: scaled by {scaled}")
            if key == "red" and (attributes.get("common_name"), attributes.get("long_name"), attributes.get("_FillValue")) != ("red", "Band red", 0):
                failures.append(f"{name} {key}: {attributes}")
            if key == "visual" and list(raw["visual_band"].values) != ["R", "G", "B"]:
                failures.append(f"{name}: bands {raw['visual_band'].values}")
            path = f"{group}/{key}".lstrip("/")
            for client in ["zarr-python (obstore)", "tensorstore"]:
                read += compare(f"{name} {key} {client}", clients.CLIENTS[client](url).read(path), raw[key].values, failures)
            hashes[f"{name}.json/{path}"] = hashlib.sha256(np.ascontiguousarray(raw[key].values).tobytes()).hexdigest()
        root = xr.open_zarr(url, chunks=None)
        if (root.attrs.get("stac_id"), root.attrs.get("eo:cloud_cover")) != (name, 12.5) or set(root.data_vars) != {"red", "nir", "visual"}:
            failures.append(f"{name}: {root.attrs} {set(root.data_vars)}")
    read += check_stacks(folder, server, base, failures, hashes)
    mixed = store(server, f"{base}mixed.json")
    for group in ("grid", "cube"):
        read += compare(group, xr.open_zarr(mixed + group, chunks=None)["t"].values, np.arange(12.0).reshape(3, 4), failures)
    chosen = store(server, f"{base}one.json").rstrip("/") + ";assets=swir,scl/"
    if set(xr.open_zarr(chosen, chunks=None).data_vars) != {"swir", "scl"}:
        failures.append("assets=swir,scl")
    print(json.dumps({"read": read, "failures": failures, "hashes": hashes}))


def merged(folder, items, key):
    """Each moment of the Items as rasterio merges their files on the area of all: the last valid pixel counts."""
    paths = [os.path.join(folder, f"{each['id']}_{key}.tif") for each in items]
    bounds = []
    for path in paths:
        with rasterio.open(path) as file:
            bounds.append(file.bounds)
    left, bottom, right, top = zip(*bounds)
    area = (min(left), min(bottom), max(right), max(top))
    times = sorted({each["properties"]["datetime"] for each in items})
    steps = []
    for time in times:
        own = [path for path, each in zip(paths, items) if each["properties"]["datetime"] == time]
        steps.append(merge(own, bounds=area, method="last")[0][0])
    return np.array([time.rstrip("Z") for time in times], "M8[ms]"), np.stack(steps)


def check_stacks(folder, server, base, failures, hashes):
    with open(os.path.join(folder, "stack.json")) as file:
        items = json.load(file)["features"]
    read = 0
    for name in ["stack", "page_1", "collection"]:
        for size, group in [(10, ""), (20, "20m"), (60, "60m")]:
            url = store(server, f"{base}{name}.json") + group
            found = xr.open_zarr(url, chunks=None, mask_and_scale=False)
            keys = [key for key, (own, _factor) in BANDS.items() if own == size]
            for key in keys:
                times, wanted = merged(folder, items, key)
                read += compare(f"{name} {key} time", found.time.values.astype("M8[ms]"), times, failures)
                read += compare(f"{name} {key}", found[key].values, wanted, failures)
                digest = hashlib.sha256(np.ascontiguousarray(found[key].values).tobytes()).hexdigest()
                hashes[f"{name}.json/{group}/{key}".replace("//", "/")] = digest
            if odc is not None:
                read += compare_odc(items, name, size, keys, found, failures)
    return read


def compare_odc(items, name, size, keys, found, failures):
    read = 0
    own = [pystac.Item.from_dict(each) for each in items]
    wanted = odc.stac.load(own, bands=keys, crs="EPSG:32633", resolution=size, anchor="edge", groupby="time", fail_on_error=True).load()
    # odc's grid begins at a whole number of pixels, and may be larger.
    wanted = wanted.reindex(x=found.x, y=found.y, method="nearest", tolerance=size / 100)
    times = wanted.time.values.astype("M8[ms]")
    read += compare(f"odc-stac {name} {size} time", found.time.values.astype("M8[ms]"), times, failures)
    for key in keys:
        read += compare(f"odc-stac {name} {key}", found[key].values, wanted[key].values, failures)
    return read


if __name__ == "__main__":
    {"make": make, "check": check}[sys.argv[1]](*sys.argv[2:])
