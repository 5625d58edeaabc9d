"""Many NetCDF-4 files as one, by the peers: join.py make FOLDER, or join.py PEER COUNT URL-WITH-{n}

`make` writes day.nc: 20 variables of 24 hours, compressed, in 16 chunks each. A peer opens COUNT names of it and prints what that took.
"""

import json
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

warnings.simplefilter("ignore")


def make(folder):
    import netCDF4
    import numpy as np

    with netCDF4.Dataset(f"{folder}/day.nc", "w") as file:
        for name, values in {"time": np.arange(24), "lat": np.linspace(-89, 89, 90), "lon": np.linspace(0, 358, 180)}.items():
            file.createDimension(name, len(values))
            file.createVariable(name, "f8", (name,))[:] = values
        file["time"].units = "hours since 2000-01-01"
        for number in range(20):
            variable = file.createVariable(f"v{number:02d}", "f4", ("time", "lat", "lon"), zlib=True, complevel=1, chunksizes=(6, 45, 90))
            variable.setncatts({"units": "K", "long_name": f"variable {number}"})
            variable[:] = np.arange(24 * 90 * 180).reshape(24, 90, 180) % (number + 7)


def virtualizarr(urls):
    from obspec_utils.registry import ObjectStoreRegistry
    from obstore.store import HTTPStore
    from virtualizarr import open_virtual_mfdataset
    from virtualizarr.parsers import HDFParser

    parts = urlsplit(urls[0])
    host = f"{parts.scheme}://{parts.netloc}"
    registry = ObjectStoreRegistry({host: HTTPStore(host, client_options={"allow_http": True})})
    options = {"combine": "nested", "concat_dim": "time", "parallel": ThreadPoolExecutor, "loadable_variables": ["time", "lat", "lon"]}
    joined = open_virtual_mfdataset(urls, registry=registry, parser=HDFParser(), coords="minimal", compat="override", **options)
    return joined.sizes["time"]


def kerchunk(urls):
    import fsspec
    from kerchunk.combine import MultiZarrToZarr
    from kerchunk.hdf import SingleHdf5ToZarr

    def one(url):
        with fsspec.open(url, "rb") as file:
            return SingleHdf5ToZarr(file, url).translate()

    with ThreadPoolExecutor(16) as threads:
        single = list(threads.map(one, urls))
    refs = MultiZarrToZarr(single, concat_dims=["time"], identical_dims=["lat", "lon"]).translate()
    return json.loads(refs["refs"]["v00/.zarray"])["shape"][0]


def main(peer, count, pattern):
    open_all = {"virtualizarr": virtualizarr, "kerchunk": kerchunk}[peer]
    open_all([pattern.replace("{n}", f"warm-{number}") for number in range(2)])
    print(json.dumps({"ready": True}), flush=True)
    sys.stdin.readline()
    start = time.perf_counter()
    try:
        length = open_all([pattern.replace("{n}", f"{number:06d}") for number in range(1, int(count) + 1)])
        print(json.dumps({"milliseconds": (time.perf_counter() - start) * 1000, "length": length}), flush=True)
    except Exception as error:  # noqa: BLE001
        print(json.dumps({"error": f"{type(error).__name__}: {error}"[:300]}), flush=True)


make(sys.argv[2]) if sys.argv[1] == "make" else main(*sys.argv[1:])
