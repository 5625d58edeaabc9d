"""Mosaics as rasterio.merge puts the same files together: `make FOLDER`, then `check FOLDER SERVER`."""

import base64
import glob
import hashlib
import json
import os
import sys

import clients
import numpy as np
import rasterio
import rioxarray  # noqa: F401
import xarray as xr
from rasterio.merge import merge
from rasterio.transform import Affine, from_origin

UTM = "EPSG:32633"


def image(shape, dtype, seed, low=1, high=250):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return rng.normal(100, 30, shape).astype(dtype)
    return rng.integers(low, high, shape).astype(dtype)


def save(folder, name, data, transform, crs=UTM, overviews=(), mask=None, **profile):
    data = data if data.ndim == 3 else data[None]
    count, height, width = data.shape
    shape = {"count": count, "height": height, "width": width, "dtype": data.dtype}
    path = os.path.join(folder, name)
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True):
        with rasterio.open(path, "w", driver="GTiff", crs=crs, transform=transform, **shape, **profile) as file:
            file.write(data)
            if mask is not None:
                file.write_mask(mask)
        if overviews:
            with rasterio.open(path, "r+") as file:
                file.build_overviews(list(overviews), rasterio.enums.Resampling.average)
    return name


TILED = {"tiled": True, "blockxsize": 32, "blockysize": 32, "compress": "deflate"}


def write_join(folder, name, sources, **members):
    with open(os.path.join(folder, name), "w") as file:
        json.dump({"virtual_zarr": "join/1", "sources": sources, "along": ["y", "x"], **members}, file)


def make(folder):
    for row in range(8):
        for column in range(8):
            if (row * 8 + column) % 7 == 3:
                continue
            data = image((64, 64), "uint16", row * 8 + column, 0, 4000)
            data[row : row + 4, 10:20] = 0
            where = from_origin(500000 + 640 * column, 5000000 - 640 * row, 10, 10)
            save(folder, f"grid_{row}{column}.tif", data, where, nodata=0, overviews=(2, 4), **TILED)
    fields = {"row": "0..7", "column": "0..7"}
    write_join(folder, "grid.json", {"template": "grid_{row}{column}.tif", **fields}, missing="fill")
    make_scenes(folder)
    make_kinds(folder)
    make_turned(folder)
    make_refused(folder)


def make_scenes(folder):
    """Overlapping scenes, not aligned to each other's blocks, of which each has another block size and no data at its border."""
    blocks = [TILED, {"compress": "lzw", "predictor": 2}, {"tiled": True, "blockxsize": 64, "blockysize": 16}, {}]
    names = []
    for place, (x, y) in enumerate([(0, 0), (37, 21), (70, -11), (18, 60)]):
        data = image((90, 110), "int16", 100 + place, -500, 500)
        for edge in range(90):
            data[edge, : (edge * 3) % 40] = -9999
        where = from_origin(500000 + 30 * x, 5000000 - 30 * y, 30, 30)
        names.append(save(folder, f"scene_{place}.tif", data, where, nodata=-9999, **blocks[place]))
    write_join(folder, "scenes.json", names)
    write_join(folder, "scenes_back.json", names[::-1])


def make_kinds(folder):
    """Other types, bands, nodata values, none, and masks."""

    def pair(stem, first, second, one={}, two={}, at=(40, 24)):
        here = from_origin(10, 50, 0.25, 0.25)
        there = from_origin(10 + 0.25 * at[0], 50 - 0.25 * at[1], 0.25, 0.25)
        crs = "EPSG:4326"
        names = [
            save(folder, f"{stem}_a.tif", first, here, crs, **{**TILED, **one}),
            save(folder, f"{stem}_b.tif", second, there, crs, **{**TILED, **two}),
        ]
        write_join(folder, f"{stem}.json", names)

    holes = lambda data, value: np.where(image(data.shape, "uint8", 9) < 60, np.array(value, data.dtype), data)
    for place, dtype in enumerate(["uint8", "int16", "uint32", "int32", "float32", "float64"]):
        first, second = image((70, 64), dtype, place), image((64, 96), dtype, place + 50)
        pair(f"plain_{dtype}", first, second)
        pair(f"other_{dtype}", holes(first, 0), holes(second, 251), {"nodata": 0}, {"nodata": 251})
        if dtype.startswith("float"):
            pair(f"nan_{dtype}", holes(first, np.nan), holes(second, -9999.9), {"nodata": np.nan}, {"nodata": -9999.9})
    rgb = [image((3, 64, 64), "uint8", seed) for seed in (1, 2)]
    pair("rgb", *rgb, {"nodata": 0}, {"nodata": 0, "interleave": "band"})
    pair("rgb_pixel", *rgb, {"interleave": "pixel"}, {"interleave": "pixel"}, (64, 0))
    mask = [image((64, 64), "uint8", seed) > 90 for seed in (3, 4)]
    pair("mask", *rgb, {"mask": mask[0]}, {"mask": mask[1]})
    pair("half_mask", *rgb, {}, {"mask": mask[1]})
    wide = np.where(mask[1], image((64, 64), "int16", 8, 1, 900), 0)
    pair("mask_wider", np.where(mask[0], image((64, 64), "uint8", 7, 1, 200), 0), wide, {"mask": mask[0]}, {"mask": mask[1]})
    pair("wider", image((64, 64), "uint8", 5), image((64, 64), "int16", 6, -300, 300))
    # Of a sparse file what was never written reads as zero, and is as valid as all else.
    pair("sparse", image((64, 64), "uint8", 7), np.zeros((64, 96), "uint8"), {}, {"sparse_ok": True})


def make_turned(folder):
    data = [image((40, 50), "int16", seed) for seed in (20, 21)]
    up = Affine(10, 0, 500000, 0, 10, 5000000)
    save(folder, "up_a.tif", data[0], up, nodata=-1, **TILED)
    save(folder, "up_b.tif", data[1], Affine(10, 0, 500300, 0, 10, 5000170), nodata=-1, **TILED)
    write_join(folder, "up.json", ["up_a.tif", "up_b.tif"])
    # The same pixels stored from the north.
    save(folder, "down_b.tif", data[1][::-1], from_origin(500300, 5000170 + 400, 10, 10), nodata=-1, **TILED)
    write_join(folder, "up_down.json", ["up_a.tif", "down_b.tif"])
    write_join(folder, "down_up.json", ["down_b.tif", "up_a.tif"])
    # As GDAL's translate of a mirrored picture may have it.
    save(folder, "left_b.tif", data[1][:, ::-1], Affine(-10, 0, 500800, 0, 10, 5000170), nodata=-1)
    write_join(folder, "up_left.json", ["up_a.tif", "left_b.tif"])


def make_refused(folder):
    data = image((32, 32), "uint8", 1)
    save(folder, "r_first.tif", data, from_origin(0, 0, 10, 10))
    save(folder, "r_system.tif", data, from_origin(320, 0, 10, 10), "EPSG:32634")
    save(folder, "r_size.tif", data, from_origin(320, 0, 20, 20))
    save(folder, "r_beside.tif", data, from_origin(323, 0, 10, 10))
    save(folder, "r_turned.tif", data, Affine(10, 1, 320, 1, -10, 0))
    save(folder, "r_nowhere.tif", data, Affine.identity(), None)
    save(folder, "r_bands.tif", image((2, 32, 32), "uint8", 1), from_origin(320, 0, 10, 10))
    for name in ["system", "size", "beside", "turned", "nowhere", "bands"]:
        write_join(folder, f"r_{name}.json", ["r_first.tif", f"r_{name}.tif"])


def store(server, url):
    return f"{server}zarr/~{base64.urlsafe_b64encode(url.encode()).decode().rstrip('=')}/"


def sources_of(folder, name):
    with open(os.path.join(folder, name)) as file:
        sources = json.load(file)["sources"]
    if isinstance(sources, dict):
        return sorted(glob.glob(os.path.join(folder, "grid_*.tif")))
    return [os.path.join(folder, source) for source in sources]


def merged(paths, **options):
    data, transform = merge(paths, method="last", **options)
    return data, transform


def turned(folder, name):
    """What rasterio doesn't merge: the same painted by hand, rows from the south as in the first file."""
    canvas = np.full((57, 80), -1, "int16")
    files = {"up_b.tif": lambda a: a, "down_b.tif": lambda a: a[::-1], "left_b.tif": lambda a: a[:, ::-1]}
    for path in sources_of(folder, name):
        with rasterio.open(path) as file:
            data = file.read(1)
        base = os.path.basename(path)
        if base == "up_a.tif":
            canvas[:40, :50] = data
        else:
            canvas[17:57, 30:80] = files[base](data)
    if name == "down_up.json":
        return canvas[::-1][None], Affine(10, 0, 500000, 0, -10, 5000570)
    return canvas[None], Affine(10, 0, 500000, 0, 10, 5000000)


def expected(folder):
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".json") or name.startswith("r_"):
            continue
        if name.startswith(("up", "down_up")):
            yield name, "", *turned(folder, name)
        else:
            # rasterio takes the type of the first file for that of all.
            options = {"dtype": "int16"} if name in ("wider.json", "mask_wider.json") else {}
            yield name, "", *merged(sources_of(folder, name), **options)
    for level in (1, 2):
        paths = sources_of(folder, "grid.json")
        files = [rasterio.open(path, OVERVIEW_LEVEL=level - 1) for path in paths]
        yield "grid.json", str(level), *merged(files)


def check(folder, server):
    failures, read, hashes = [], 0, {}
    for name, group, wanted, transform in expected(folder):
        try:
            url = store(server, f"file://{folder}/{name}") + group
            raw = xr.open_zarr(url, chunks=None, mask_and_scale=False, decode_coords="all")
            values = raw["band_data"].values
            values = values if values.ndim == 3 else values[None]
            nodata = raw["band_data"].attrs.get("_FillValue")
            if nodata is not None and np.isnan(nodata):
                nodata = np.nan
            compared = wanted
            if wanted.dtype.kind == "f" and nodata is None and not name.startswith("nan"):
                # rasterio fills gaps with 0 where no value says that there is none: NaN is what says so here.
                compared = np.where(wanted == 0, np.nan, wanted)
            if values.dtype != wanted.dtype:
                raise AssertionError(f"{values.dtype} instead of {wanted.dtype}")
            if name in ("mask.json", "half_mask.json", "mask_wider.json"):
                mask = xr.open_zarr(url, group="mask", chunks=None)["band_data"].values if name != "half_mask.json" else None
                valid = (wanted != 0) if mask is None else np.broadcast_to(mask[None] != 0, wanted.shape)
                if mask is not None:
                    with_mask = np.any(wanted != 0, axis=0)
                    np.testing.assert_array_equal(mask != 0, with_mask, err_msg="mask")
                compared, values = compared[valid], values[valid]
            np.testing.assert_array_equal(values, compared, err_msg="band_data")
            place = raw["band_data"].rio.transform(recalc=True)
            if not place.almost_equals(transform, 1e-6):
                raise AssertionError(f"lies at {place} instead of {transform}")
            stated = raw["band_data"].rio.transform()
            if not stated.almost_equals(transform, 1e-6) or not raw.rio.crs:
                raise AssertionError(f"is said to lie at {stated} instead of {transform}")
            stored = raw["band_data"].values
            path = f"{group}/band_data".lstrip("/")
            for client in ["zarr-python (obstore)", "tensorstore"]:
                own = clients.CLIENTS[client](store(server, f"file://{folder}/{name}")).read(path)
                np.testing.assert_array_equal(own, stored, err_msg=client)
            hashes[f"{name}/{path}"] = hashlib.sha256(np.ascontiguousarray(stored).tobytes()).hexdigest()
            read += 1
        except Exception as error:  # noqa: BLE001
            failures.append(f"{name} {group}: {type(error).__name__}: {str(error)[:600]}")
    print(json.dumps({"read": read, "failures": failures, "hashes": hashes}))


def examples(folder, server):
    """The bundled mosaic and the bundled Item, by their ids."""
    failures = []
    with open(os.path.join(folder, "coast.json")) as file:
        paths = [os.path.join(folder, source) for source in json.load(file)["sources"]]
    wanted = [("coast", "", "band_data", merged(paths)[0][0])]
    for name, group in [("red", ""), ("nir", ""), ("swir", "20m/"), ("scl", "20m/")]:
        with rasterio.open(os.path.join(folder, "meadow", f"{name}.tif")) as file:
            wanted.append(("meadow", group, name, file.read(1)))
    for name, group, variable, values in wanted:
        for client in ["zarr-python (fsspec)", "zarr-python (obstore)", "tensorstore", "zarrs-python"]:
            found = clients.CLIENTS[client](f"{server}zarr/{name}/").read(group + variable)
            if not np.array_equal(found, values):
                failures.append(f"{name} {variable}: {client} reads other values")
        decoded = xr.open_zarr(f"{server}zarr/{name}/{group}", chunks=None)[variable]
        if name == "meadow" and variable != "scl":
            np.testing.assert_allclose(decoded.values, np.where(values == 0, np.nan, values * 0.0001 - 0.1), rtol=1e-6)
    print(json.dumps({"read": len(wanted), "failures": failures, "hashes": {}}))


if __name__ == "__main__":
    {"make": make, "check": check, "examples": examples}[sys.argv[1]](*sys.argv[2:])
