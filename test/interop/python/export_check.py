"""Reads exported references with fsspec and zarr-python and compares them with the store they were exported of.

A case of the job file (argv[1]): {"id", "url": native store, "refs": path of the document, "set": folder of the Parquet set or
null}. The report: {"rows": [{"client", "case", "read", "failures": [text], "left": [paths]}]}.
"""

import json
import re
import sys
import urllib.parse
import warnings

import fsspec
import numpy as np
import zarr


def main():
    warnings.simplefilter("ignore")
    rows = []
    for case in json.load(open(sys.argv[1]))["cases"]:
        rows.append(checked("fsspec JSON", case, case["refs"]))
        if case["set"] is not None:
            rows.append(checked("fsspec Parquet", case, case["set"]))
    json.dump({"rows": rows}, sys.stdout)


def checked(client, case, refs):
    row = {"client": client, "case": case["id"], "read": 0, "failures": [], "left": left_out(refs)}
    try:
        compare(row, case["url"], refs)
    except Exception as error:
        # In native a codec passes as the source names it; numcodecs without kerchunk has none for messages of GRIB. In the words of
        # zarr-python 3.1, and of 3.4.
        if not re.search("(Unknown codec:|An implementation for codec) 'numcodecs.grib'", str(error)):
            row["failures"].append(f"{type(error).__name__}: {str(error)[:300]}")
    return row


def left_out(refs):
    try:
        document = json.load(open(f"{refs}/.zmetadata" if client_is_set(refs) else refs))
    except FileNotFoundError:
        return []
    about = document if client_is_set(refs) else document.get("metadata", {})
    return sorted(about.get("virtual_zarr", {}).get("not_exported", {}))


def client_is_set(refs):
    return not refs.endswith(".json")


def compare(row, url, refs):
    options = {"asynchronous": True}
    filesystem = fsspec.filesystem("reference", fo=refs, asynchronous=True, remote_protocol="http", remote_options=options)
    exported = zarr.storage.FsspecStore(filesystem, path="", read_only=True)
    served = zarr.open(url, mode="r", zarr_format=3)
    members = [("", served)] if isinstance(served, zarr.Array) else served.members(max_depth=None)
    for listed, array in members:
        # Without consolidated metadata names come from the index pages, as they stand in links.
        path = urllib.parse.unquote(listed)
        # zarr-python can't compare structures with their fill value.
        if not isinstance(array, zarr.Array) or path in row["left"] or array.dtype.names is not None:
            continue
        try:
            again = zarr.open_array(exported, path=path, mode="r", zarr_format=2)
            row["failures"] += [f"{path}: {line}" for line in differences(array, again)]
            row["read"] += 1
        except Exception as error:
            row["failures"].append(f"{path}: {type(error).__name__}: {str(error)[:300]}")


def differences(served, exported):
    # Chunks are those of the source, and so is the order of axes where Zarr v2 has no word for another.
    names = list(exported.attrs["_ARRAY_DIMENSIONS"])
    axes = [names.index(name) for name in served.metadata.dimension_names or ()]
    one, other = np.asarray(served[...]), np.asarray(exported[...]).transpose(axes)
    if one.shape != other.shape:
        yield f"shape {other.shape}, served {one.shape}"
    elif one.dtype.kind in "OTU":
        if canonical(one) != canonical(other):
            yield f"texts {other.ravel()[:5]}, served {one.ravel()[:5]}"
    elif one.dtype.newbyteorder("<") != other.dtype.newbyteorder("<"):
        yield f"dtype {other.dtype}, served {one.dtype}"
    elif canonical(one) != canonical(other):
        yield f"values {other.ravel()[:5]}, served {one.ravel()[:5]}"
    mine, theirs = (({key: value for key, value in dict(a.attrs).items() if key not in HIDDEN}) for a in (served, exported))
    if repr(mine) != repr(theirs):
        yield f"attributes {theirs}, served {mine}"


# What marks missing points is also the fill value in v2: `references_check.py` looks at what readers make of both.
HIDDEN = {"_ARRAY_DIMENSIONS", "_FillValue"}


def canonical(values):
    if values.dtype.kind in "OTU":
        return [str(item) for item in values.ravel().tolist()]
    return np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<"))).tobytes()


main()
