"""Inlined arrays, read by xarray: inline_check.py SERVICE FOLDER writes files into FOLDER, which the service may read.

Prints {"failures": […], "requests": {"plain": n, "inline": n}}: what is served and exported with `inline` against what netCDF4 reads of the
files, and how many requests xarray sends to open a store and to load its coordinates.
"""

import base64
import json
import pathlib
import sys
import urllib.parse
import urllib.request
import warnings

import aiohttp
import fsspec
import netCDF4
import numpy as np
import xarray as xr

warnings.simplefilter("ignore")
SERVICE, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
STEPS = 240
requests = []
send = aiohttp.ClientSession._request


async def counted(session, method, url, **more):
    requests.append(str(url))
    return await send(session, method, url, **more)


aiohttp.ClientSession._request = counted


def write(path, first):
    """A year of hours as models write it: a chunk for each step."""
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("time", None)
        file.createDimension("station", 5)
        time = file.createVariable("time", "f8", ("time",), chunksizes=(1,))
        time.units = "hours since 2001-01-01"
        depth = file.createVariable("depth", "i2", ("time", "station"), chunksizes=(1, 5), zlib=True)
        depth.scale_factor, depth.add_offset = 0.5, 3.0
        names = file.createVariable("name", str, ("station",))
        position = file.createVariable("position", "f4", ("station",))
        position.units = "km"
        time[:] = first + np.arange(STEPS)
        depth[:] = (np.arange(STEPS * 5) % 300).reshape(STEPS, 5)
        names[:] = np.array([f"Sta\u00e7\u00e3o {i}" for i in range(5)], dtype=object)
        position[:] = np.arange(5) * 1.5


def store(source, options):
    name = base64.urlsafe_b64encode(source.encode()).decode().rstrip("=")
    return f"{SERVICE}zarr/~{name}{options}/"


def opened(url):
    before = len(requests)
    dataset = xr.open_zarr(url, chunks=None)
    for name in dataset.coords:
        dataset[name].load()
    dataset["name"].load()
    return dataset, len(requests) - before


def same(expected, found, what):
    problems = [] if set(expected.variables) == set(found.variables) else [f"{what}: {sorted(found.variables)}"]
    for name in expected.variables:
        if name in found.variables and not np.array_equal(np.asarray(expected[name].values), np.asarray(found[name].values)):
            problems.append(f"{what}: {name} differs")
    return problems


def exported(source, to, options):
    query = urllib.parse.urlencode({"url": source, "to": to, **options})
    with urllib.request.urlopen(f"{SERVICE}export?{query}") as answer:
        return answer.read()


failures, counts = [], {}
for part in range(2):
    write(FOLDER / f"depth{part}.nc", part * STEPS)
source = (FOLDER / "depth0.nc").as_uri()
expected = xr.open_dataset(FOLDER / "depth0.nc", engine="netcdf4").load()
for kind, options in {"plain": "", "inline": ";inline=auto", "named": ";inline=time,name;packing=decoded"}.items():
    dataset, counts[kind] = opened(store(source, options))
    failures += same(expected, dataset, kind)
join = f"{FOLDER.as_uri()}/depth{{0..1}}.nc"
both = xr.concat([xr.open_dataset(FOLDER / f"depth{part}.nc", engine="netcdf4").load() for part in range(2)], "time", data_vars="minimal")
for kind, options in {"join": ";along=time", "inlined join": ";along=time;inline=auto,depth"}.items():
    dataset, counts[kind] = opened(store(join, options))
    failures += same(both, dataset, kind)
refs = json.loads(exported(source, "kerchunk", {"inline": "auto"}))["refs"]
mapper = fsspec.get_mapper("reference://", fo={"version": 1, "refs": refs}, remote_protocol="file")
failures += same(expected, xr.open_dataset(mapper, engine="zarr", backend_kwargs={"consolidated": False}), "kerchunk")
if not all(refs[key].startswith("base64:") for key in ("time/0", "name/0", "depth/0.0")) or "time/1" in refs:
    failures.append(f"kerchunk: {[refs.get(key) for key in ('time/0', 'name/0', 'time/1')]}")
print("\n" + json.dumps({"failures": failures, "requests": counts}))
