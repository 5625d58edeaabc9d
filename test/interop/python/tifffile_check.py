"""References to TIFFs as tifffile writes them: read by fsspec, zarr-python and imagecodecs, and by zarr-python through the service."""

import base64
import json
import logging
import math
import os
import sys
import warnings

import fsspec
import imagecodecs.numcodecs
import numpy as np
import tifffile
import zarr

# Larger ones take the machine's memory in clients that read whole arrays.
MOST_SAMPLES = 2_000_000


def main():
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    imagecodecs.numcodecs.register_codecs(verbose=False)
    job = json.load(open(sys.argv[1]))
    rows = [row for case in job["cases"] for row in checked(case, job)]
    json.dump({"rows": rows}, sys.stdout)


def checked(case, job):
    """Nothing for files that tifffile writes no references to, or whose references its own codecs can't read."""
    name = case["id"].replace("/", "_") + ".json"
    target = os.path.join(job["folder"], name)
    try:
        path, values = written(case, target)
    except Exception:
        return
    url = base64.urlsafe_b64encode((job["documents"] + name).encode()).decode().rstrip("=")
    for codecs in ("portable", "native"):
        row = {"client": f"zarr-python, {codecs}", "case": case["id"], "read": 0, "failures": []}
        try:
            served = zarr.open_array(f"{job['service']}zarr/~{url};codecs={codecs}/", path=path, mode="r", zarr_format=3)[...]
            row["read"] += 1
            if not np.array_equal(served, values, equal_nan=values.dtype.kind in "fc"):
                row["failures"].append(f"values {served.ravel()[:4]}, tifffile's {values.ravel()[:4]}")
        except Exception as error:
            row["failures"].append(f"{type(error).__name__}: {str(error)[:300]}")
        yield row


def written(case, target):
    """The path of the array in the references, and its values."""
    with tifffile.TiffFile(case["source"]) as file:
        if math.prod(file.series[0].shape) > MOST_SAMPLES:
            raise ValueError("too large")
    with tifffile.imread(case["source"], aszarr=True, level=0) as store:
        store.write_fsspec(target, url=case["folder"])
    document = json.load(open(target))
    keys = [key for key in document.get("refs", document) if key.endswith(".zarray")]
    options = {"asynchronous": True, "remote_protocol": "http", "remote_options": {"asynchronous": True}}
    filesystem = fsspec.filesystem("reference", fo=target, **options)
    path = keys[0][: -len(".zarray")].rstrip("/")
    return path, zarr.open_array(zarr.storage.FsspecStore(filesystem, path="", read_only=True), path=path, mode="r", zarr_format=2)[...]


main()
