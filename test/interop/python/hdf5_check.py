"""Reads every HDF5 file of a job file (argv[1]) through the running service with every client; prints one JSON report.

A case: {"id", "source": path of the file, "url": store URL, "paths": paths of its datasets, "isNetcdf"}. Values must be h5py's, and what
xarray reads of a NetCDF-4 file must be what its own readers (netCDF4, else h5netcdf) read of it: TEST-1.
The report: {"rows": [{"client", "case", "read", "refused", "failures": [text]}], "hashes": {case: {path: sha256}}}.
"""

import json
import os
import sys
import urllib.error
import urllib.request
import warnings

import netCDF4
import numpy as np
import xarray as xr
import zarr

import clients
import documented
import hdf5_oracle
import oracle
import xarray_check


def main():
    warnings.simplefilter("ignore")
    rows, hashes = [], {}
    for case in json.load(open(sys.argv[1]))["cases"]:
        documents = served_documents(case["url"])
        if documents is None:
            continue
        # Names of external files count from the folder that a program runs in.
        os.chdir(os.path.dirname(case["source"]))
        arrays = expected_arrays(case, documents)
        hashes[case["id"]] = {path: oracle.hash_of(values) for path, values in arrays.items()}
        for name, make in clients.CLIENTS.items():
            with zarr.config.set(clients.ZARRS if name == "zarrs-python" else {}):
                rows.append(row_of(name, case, lambda row: read_all(row, name, make, case, arrays, documents)))
        if case["isNetcdf"]:
            rows.append(row_of("xarray", case, lambda row: compare_with_xarray(row, case)))
    json.dump({"rows": rows, "hashes": hashes}, sys.stdout)


def row_of(client, case, read):
    row = {"client": client, "case": case["id"], "read": 0, "refused": 0, "failures": []}
    try:
        read(row)
    except Exception as error:
        row["failures"].append(f"{type(error).__name__}: {str(error)[:300]}")
    row["failures"] = [failure for failure in row["failures"] if not documented.is_documented(case, failure)]
    return row


def served_documents(url):
    """Undefined for a file of which nothing can be served: test/formats/hdf5 knows which those are."""
    try:
        with urllib.request.urlopen(url + "zarr.json") as reply:
            root = json.load(reply)
            return {"": root, **root["consolidated_metadata"]["metadata"]}
    except urllib.error.HTTPError:
        return None


def expected_arrays(case, documents):
    """What the served arrays must hold, by the paths that they are served under."""
    arrays = {}
    for path, values in hdf5_oracle.read_arrays(case["source"], case["paths"]).items():
        served = served_path(documents, path)
        document = documents.get(served, {})
        if document.get("node_type") == "array":
            arrays[served] = as_served(values, document)
    return arrays


def served_path(documents, path):
    """Names that break clients are replaced, the original is an attribute (TREE-7)."""
    parent = ""
    for name in path.split("/"):
        prefix = f"{parent}/" if parent else ""
        below = [key for key in documents if key.startswith(prefix) and key != "" and "/" not in key[len(prefix) :]]
        originals = {documents[key]["attributes"].get("virtual_zarr:name"): key for key in below}
        parent = prefix + name if prefix + name in documents else originals.get(name, prefix + name)
    return parent


def as_served(values, document):
    """Characters are joined along their last dimension; what an unlimited dimension has more reads as the fill value."""
    shape = tuple(document["shape"])
    if values.dtype == "S1":
        return oracle.as_served(oracle.OracleArray(values, None), document).values
    if shape == values.shape or len(shape) != values.ndim:
        return values
    padded = np.full(shape, document["fill_value"], values.dtype)
    padded[tuple(slice(length) for length in values.shape)] = values
    return padded


def read_all(row, name, make, case, arrays, documents):
    client = make(case["url"])
    for path, expected in arrays.items():
        limit = documented.client_limit(name, documents[path])
        try:
            values = np.asarray(client.read(path))
        except clients.Refused as refusal:
            row["refused"] += 1
            if limit is None:
                row["failures"].append(f"{path}: refused, and no known limit says so: {refusal}")
            continue
        except Exception as error:
            row["failures"].append(f"{path}: {type(error).__name__}: {str(error)[:200]}")
            continue
        problem = value_problem(values, expected)
        if problem is None:
            row["read"] += 1
        else:
            row["failures"].append(f"{path}: {problem}")


def value_problem(values, expected):
    if values.shape != expected.shape:
        return f"shape {values.shape} instead of {expected.shape}"
    if expected.dtype.kind == "O":
        same = [str(item) for item in values.ravel().tolist()] == expected.ravel().tolist()
        return None if same else f"texts differ: {values.ravel()[:5]!r} instead of {expected.ravel()[:5]!r}"
    if values.dtype.newbyteorder("=") != expected.dtype.newbyteorder("="):
        return f"type {values.dtype} instead of {expected.dtype}"
    return None if oracle.canonical(values) == oracle.canonical(expected) else "values differ"


def groups_of(source):
    def below(group, path):
        yield path
        for name, child in group.groups.items():
            yield from below(child, f"{path}/{name}" if path else name)

    with netCDF4.Dataset(source) as dataset:
        return list(below(dataset, ""))


def compare_with_xarray(row, case):
    try:
        groups = groups_of(case["source"])
    except OSError:
        return
    for group in groups:
        for options in ({}, {"decode_cf": False}):
            native = open_native(case, group, options)
            if native is None:
                continue
            for consolidated in (True, False):
                served, _ = xarray_check.loaded(lambda: xarray_check.open_served(case["url"], group, consolidated, options))
                served.attrs.pop("virtual_zarr", None)
                lines = xarray_check.differences(*xarray_check.comparable(served, native))
                # DM-3: names of dimensions without one are invented here group by group, by the netCDF library file by file.
                told = [line for line in lines if "dimensions ('phony_dim_" not in line]
                row["failures"] += [f"group {group!r} {options}: {line}" for line in told]
                row["read"] += 1


def open_native(case, group, options):
    """None where neither reader can."""
    for engine in ("netcdf4", "h5netcdf"):
        try:
            return xarray_check.loaded(lambda: xr.open_dataset(case["source"], group=group or None, engine=engine, **options))[0]
        except Exception:
            continue
    return None


main()
