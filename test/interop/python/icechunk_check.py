"""Icechunk through the service, both ways: `icechunk_check.py JOB`, a file with {"stores": […], "exports": […], "changed": {…}}.

Prints {"failures": […], "arrays": n, "icechunk": version}. Stores of repositories are read by zarr-python, xarray and tensorstore, and compared with what Icechunk
read itself; exported repositories are read by Icechunk below zarr-python and xarray, and compared with the store that they were made of.
"""

import hashlib
import json
import os
import re
import sys
import warnings
from pathlib import Path

import icechunk
import imagecodecs.numcodecs
import numpy as np
import tensorstore
import virtual_tiff  # noqa: F401, it registers the codecs of TIFF
import xarray as xr
import zarr

RAW = {"mask_and_scale": False, "decode_times": False, "decode_coords": False, "consolidated": False}


def main():
    warnings.simplefilter("ignore")
    imagecodecs.numcodecs.register_codecs(verbose=False)
    job = json.load(open(sys.argv[1]))
    failures, arrays = [], 0
    for store in job["stores"]:
        arrays += len(store["arrays"])
        failures += store_failures(store)
    for export in job["exports"]:
        try:
            count, found = export_failures(export)
        except icechunk.IcechunkError as error:
            count, found = 1, [str(error).partition("\n")[0]]
        arrays += count
        failures += [f"{export['id']}: {line}" for line in found] + ([] if count > 0 else [f"{export['id']} has no arrays"])
    failures += changed_failures(job["changed"])
    print("\n" + json.dumps({"failures": failures, "arrays": arrays, "icechunk": icechunk.__version__}))


def hashed(values):
    values = np.asarray(values)
    if values.dtype.kind in "TOU":
        texts = [str(value) for value in values.ravel()]
        return hashlib.sha256(json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()
    return hashlib.sha256(np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<")).tobytes()).hexdigest()


def store_failures(store):
    root = zarr.open_group(store["url"], mode="r")
    groups = {}
    for path, expected in store["arrays"].items():
        group, name = path.rsplit("/", 1)
        readers = {"zarr-python": lambda: root[path][...], "tensorstore": lambda: with_tensorstore(store["url"], path)}
        if group not in groups and group != "chunks":
            groups[group] = xr.open_dataset(store["url"], engine="zarr", group=group, **{**RAW, "consolidated": True})
        if group in groups:
            readers["xarray"] = lambda: groups[group][name].values
        for client, read in readers.items():
            # tensorstore has no texts of any length.
            if client == "tensorstore" and root[path].dtype.kind == "T":
                continue
            if hashed(read()) != expected:
                yield f"{store['url']} {path}: other values in {client}"


def with_tensorstore(url, path):
    spec = {"driver": "zarr3", "kvstore": {"driver": "http", "base_url": f"{url}{path}/"}}
    return tensorstore.open(spec, open=True, read=True).result().read().result()


def opened(folder):
    """A repository, with the containers that its configuration declares."""
    configuration = Path(folder, "config.yaml").read_text()
    prefixes = re.findall(r'url_prefix: "([^"]*)"', configuration)
    storage = icechunk.local_filesystem_storage(folder)
    access = {prefix: access_to(prefix) for prefix in prefixes}
    return icechunk.Repository.open(storage, authorize_virtual_chunk_access=access).readonly_session("main").store


def access_to(prefix):
    """That nothing has to be shown there: since Icechunk 2 in a word for each kind of place."""
    kind = "LocalFileSystemAccess" if prefix.startswith("file:") else "HttpAccess"
    return getattr(icechunk.credentials, kind, None)


def arrays_of(root):
    return {path: member for path, member in root.members(max_depth=None) if isinstance(member, zarr.Array)}


def export_failures(export):
    store = opened(export["folder"])
    mine, theirs = arrays_of(zarr.open_group(store, mode="r")), arrays_of(zarr.open_group(export["url"], mode="r"))
    found = [f"{path} is missing" for path in theirs if path not in mine]
    for path, array in mine.items():
        expected = theirs[path]
        if array.metadata.dimension_names != expected.metadata.dimension_names:
            found.append(f"{path} has dimensions {array.metadata.dimension_names}")
        if hashed(array[...]) != hashed(expected[...]):
            found.append(f"{path} has other values")
        if dict(array.attrs) != dict(expected.attrs):
            found.append(f"{path} has other attributes")
    # As a user of xarray opens it: masked, with times.
    ours = xr.open_zarr(store, consolidated=False, decode_timedelta=False)
    served = xr.open_zarr(export["url"], decode_timedelta=False)
    if not ours.drop_attrs().identical(served.drop_attrs()):
        found.append("xarray sees another dataset")
    return len(mine), found


def changed_failures(changed):
    """A file that was replaced after its export: Icechunk must notice."""
    root = zarr.open_group(opened(changed["folder"]), mode="r")
    try:
        root[changed["array"]][...]
    except icechunk.IcechunkError as error:
        return [] if "changed" in str(error) or "modified" in str(error) else [f"a changed source: {error}"]
    return ["a changed source is read as if it were the old one"]


main()
sys.stdout.flush()
# Threads of Icechunk 2 abort the process now and then when Python takes itself down under them.
os._exit(0)
