"""What users run, in one process that has loaded its code: lines of JSON ({"how", "url"}) in, one line of what it took out for each.

Peers read the file itself, the others a store of the service. Values are compared by their hash.
"""

import hashlib
import json
import os
import sys
import time
import warnings

import dask
import numpy as np
import xarray as xr

warnings.simplefilter("ignore")
dask.config.set(scheduler="threads", num_workers=2)


def open_zarr(url):
    with xr.open_zarr(url) as data:
        return [np.asarray(data[name].values) for name in sorted(data.coords)]


def variable_of(data):
    return max(data.data_vars.values(), key=lambda each: each.size)


def zarr_whole(url):
    with xr.open_zarr(url) as data:
        return variable_of(data).compute(num_workers=2).values


def point_of(data):
    """A series in the middle of the map: of era5_short.nc it crosses 365 chunks."""
    point = {name: data.sizes[name] // 2 for name in ("lat", "lon")}
    return variable_of(data).isel(point).compute(num_workers=2).values


def zarr_point(url):
    with xr.open_zarr(url) as data:
        return point_of(data)


def h5netcdf_file(url, **options):
    import fsspec

    return xr.open_dataset(fsspec.open(url, **options).open(), engine="h5netcdf", chunks={})


def h5netcdf_open(url):
    with h5netcdf_file(url) as data:
        return [np.asarray(data[name].values) for name in sorted(data.coords)]


def h5netcdf_whole(url):
    with h5netcdf_file(url) as data:
        return variable_of(data).compute(num_workers=2).values


def h5netcdf_all(url):
    """Tuned: the file is read at once."""
    with h5netcdf_file(url, cache_type="all") as data:
        return variable_of(data).compute(num_workers=2).values


def h5netcdf_point(url):
    with h5netcdf_file(url) as data:
        return point_of(data)


def rasterio_tuned(url):
    import rasterio

    options = {"GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR", "GDAL_NUM_THREADS": "ALL_CPUS", "CPL_VSIL_CURL_CHUNK_SIZE": "10485760"}
    with rasterio.Env(**options), rasterio.open(f"/vsicurl/{url}", NUM_THREADS="ALL_CPUS") as file:
        return file.read(1).astype("f4")


def astropy_headers(url):
    from astropy.io import fits

    with fits.open(url, use_fsspec=True) as hdus:
        return np.asarray([len(hdu.header) for hdu in hdus])


def virtualizarr_join(url):
    """Of a URL with the number of files behind #."""
    from concurrent.futures import ThreadPoolExecutor
    from urllib.parse import urlsplit

    from obspec_utils.registry import ObjectStoreRegistry
    from obstore.store import HTTPStore
    from virtualizarr import open_virtual_mfdataset
    from virtualizarr.parsers import HDFParser

    pattern, count = url.split("#")
    host = "{0.scheme}://{0.netloc}".format(urlsplit(url))
    options = {"combine": "nested", "concat_dim": "time", "parallel": ThreadPoolExecutor, "loadable_variables": ["time", "lat", "lon"]}
    joined = open_virtual_mfdataset(
        [pattern.replace("{n}", f"{number:06d}") for number in range(int(count))],
        registry=ObjectStoreRegistry({host: HTTPStore(host, client_options={"allow_http": True})}),
        parser=HDFParser(),
        coords="minimal",
        compat="override",
        **options,
    )
    return [np.asarray(joined[name].values) for name in sorted(joined.coords)]


HOW = {each.__name__: each for each in (open_zarr, zarr_whole, zarr_point, h5netcdf_open, h5netcdf_whole, h5netcdf_all, h5netcdf_point, rasterio_tuned, astropy_headers, virtualizarr_join)}


def hash_of(values):
    digest = hashlib.sha256()
    for each in values if isinstance(values, list) else [values]:
        each = np.squeeze(each)
        digest.update(np.ascontiguousarray(each.astype("f4") if each.dtype.kind in "uif" else each).tobytes())
    return digest.hexdigest()


def main():
    print(json.dumps({"isReady": True}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        start, before = time.perf_counter(), os.times()
        try:
            values = HOW[request["how"]](request["url"])
        except Exception as error:  # noqa: BLE001
            print(json.dumps({"error": f"{type(error).__name__}: {error}"[:500]}), flush=True)
            continue
        seconds, after = time.perf_counter() - start, os.times()
        cpu = after.user + after.system - before.user - before.system
        print(json.dumps({"seconds": seconds, "cpuSeconds": cpu, "sha256": hash_of(values)}), flush=True)


main()
