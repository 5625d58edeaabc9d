"""Whole rasters, read by what reads files and by what reads stores: whole_read.py make FOLDER, or whole_read.py read

`make` writes the files and prints their names as JSON. `read` takes lines of JSON (`how`, `url`) and answers each with the time, the processor time
and the hash of what was read.
"""

import hashlib
import json
import os
import sys
import time
import warnings

import numpy as np

warnings.simplefilter("ignore")
SIDE = 4096
RNG = np.random.default_rng(1)


def make(folder):
    import h5py
    import rasterio

    y, x = np.mgrid[:SIDE, :SIDE]
    field = 280 + 20 * np.sin(y / 90) * np.cos(x / 70)
    int16 = (field * 4 + RNG.normal(0, 1.5, field.shape)).astype("i2")
    classes = ((y >> 4) * 7 + (x >> 4) * 3 + (RNG.random(field.shape) < 0.01)).astype("u1") % 9
    tiffs = {
        "deflate": (int16, 512, {"compress": "DEFLATE", "predictor": 2}),
        "deflate-small": (int16, 128, {"compress": "DEFLATE", "predictor": 2}),
        "lzw": (classes, 512, {"compress": "LZW"}),
    }
    for name, (values, side, options) in tiffs.items():
        tiles = {"tiled": True, "blockxsize": side, "blockysize": side}
        with rasterio.open(f"{folder}/{name}.tif", "w", driver="GTiff", width=SIDE, height=SIDE, count=1, dtype=values.dtype, **tiles, **options) as file:
            file.write(values, 1)
    filters = {
        "scale-offset": (int16, 512, {"scaleoffset": 0}),
        "szip": (int16, 512, {"compression": "szip", "compression_opts": ("nn", 16)}),
        "shuffle-deflate": (int16, 128, {"shuffle": True, "compression": "gzip", "compression_opts": 4}),
    }
    for name, (values, side, options) in filters.items():
        with h5py.File(f"{folder}/{name}.h5", "w") as file:
            file.create_dataset("band_data", data=values, chunks=(side, side), **options)


def rasterio_plain(url):
    import rasterio

    with rasterio.open(f"/vsicurl/{url}") as file:
        return file.read(1)


def rasterio_tuned(url):
    import rasterio

    with rasterio.Env(GDAL_DISABLE_READDIR_ON_OPEN="EMPTY_DIR", GDAL_NUM_THREADS="ALL_CPUS", CPL_VSIL_CURL_CHUNK_SIZE=1048576):
        return rasterio_plain(url)


def h5py_of(url, **cache):
    import fsspec
    import h5py

    with fsspec.open(url, "rb", **cache).open() as opened, h5py.File(opened) as file:
        return file["band_data"][:]


def by_xarray(url):
    import xarray

    return xarray.open_zarr(url, consolidated=True, mask_and_scale=False)["band_data"].values


def by_zarr(url):
    import zarr
    from obstore.store import HTTPStore
    from zarr.storage import ObjectStore

    store = ObjectStore(HTTPStore(url, client_options={"allow_http": True}), read_only=True)
    return zarr.open_group(store, mode="r", use_consolidated=True)["band_data"][:]


def by_zarr_at_once(url):
    import zarr

    with zarr.config.set({"async.concurrency": 64}):
        return by_zarr(url)


WAYS = {
    "rasterio": rasterio_plain,
    "rasterio, tuned": rasterio_tuned,
    "h5py": h5py_of,
    "h5py, whole file": lambda url: h5py_of(url, cache_type="all"),
    "xarray": by_xarray,
    "zarr-python": by_zarr,
    "zarr-python, 64 at once": by_zarr_at_once,
}


def read():
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        start, before = time.perf_counter(), os.times()
        try:
            values = np.squeeze(WAYS[asked["how"]](asked["url"]))
        except Exception as error:  # noqa: BLE001
            print(json.dumps({"error": f"{type(error).__name__}: {error}"[:300]}), flush=True)
            continue
        after = os.times()
        worked = after.user + after.system - before.user - before.system
        told = {"seconds": time.perf_counter() - start, "worked": worked}
        print(json.dumps({**told, "sha256": hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()}), flush=True)


make(sys.argv[2]) if sys.argv[1] == "make" else read()
