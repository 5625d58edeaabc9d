"""Reads every DMR++ sidecar of a job file (argv[1]) through the running service with every client; prints one JSON report.

A case: {"id", "source": path of the data file or null, "url": store URL, "hashes": sha256 of values by path, or null}. Where there is
a source, xarray's own reading of it must be what xarray reads of the store: values, names, attributes, masks and coordinates.
The report: {"rows": [{"client", "case", "read", "failures": [text]}]}.
"""

import json
import sys
import urllib.request
import warnings

import numpy as np
import xarray as xr
import zarr

import clients
import documented
import oracle
import xarray_check


def main():
    warnings.simplefilter("ignore")
    rows = []
    for case in json.load(open(sys.argv[1]))["cases"]:
        documents = served_documents(case["url"])
        hashes = case["hashes"] if case["hashes"] is not None else native_hashes(case["source"])
        for name, make in clients.CLIENTS.items():
            with zarr.config.set(clients.ZARRS if name == "zarrs-python" else {}):
                rows.append(row_of(name, case, lambda row: read_all(row, name, make, case, hashes, documents)))
        if case["source"] is not None:
            rows.append(row_of("xarray", case, lambda row: compare_with_xarray(row, case)))
    json.dump({"rows": rows}, sys.stdout)


def row_of(client, case, read):
    row = {"client": client, "case": case["id"], "read": 0, "failures": []}
    try:
        read(row)
    except Exception as error:
        row["failures"].append(f"{type(error).__name__}: {str(error)[:300]}")
    return row


def served_documents(url):
    with urllib.request.urlopen(url + "zarr.json") as reply:
        return json.load(reply)["consolidated_metadata"]["metadata"]


def native_hashes(source):
    hashes = {}
    for group in groups_of(source):
        with xr.open_dataset(source, group=group or None, engine="netcdf4", decode_cf=False) as dataset:
            for name, variable in dataset.variables.items():
                hashes[f"{group}/{name}" if group else name] = hash_of(variable.values)
    return hashes


def hash_of(values):
    return oracle.hash_of(values.astype(object) if values.dtype.kind in "TU" else values)


def groups_of(source):
    import netCDF4

    def below(group, path):
        yield path
        for name, child in group.groups.items():
            yield from below(child, f"{path}/{name}" if path else name)

    with netCDF4.Dataset(source) as dataset:
        return list(below(dataset, ""))


def read_all(row, name, make, case, hashes, documents):
    client = make(case["url"])
    for path, expected in hashes.items():
        if path not in documents:
            row["failures"].append(f"{path}: is not served")
            continue
        limit = documented.client_limit(name, documents[path])
        try:
            values = np.asarray(client.read(path))
        except clients.Refused as refusal:
            if limit is None:
                row["failures"].append(f"{path}: refused, and no known limit says so: {refusal}")
            continue
        if hash_of(values) == expected:
            row["read"] += 1
        else:
            row["failures"].append(f"{path}: values differ: {values.ravel()[:5]}")


def compare_with_xarray(row, case):
    for group in groups_of(case["source"]):
        for options in ({}, {"decode_cf": False}):
            native, _ = xarray_check.loaded(lambda: xr.open_dataset(case["source"], group=group or None, engine="netcdf4", **options))
            for consolidated in (True, False):
                served, _ = xarray_check.loaded(lambda: xarray_check.open_served(case["url"], group, consolidated, options))
                lines = xarray_check.differences(*xarray_check.comparable(served, native))
                # DM-3: names of dimensions without one are invented here group by group, by the netCDF library file by file.
                told = [line for line in lines if "dimensions ('phony_dim_" not in line]
                row["failures"] += [f"group {group!r} {options}: {line}" for line in told]
                row["read"] += 1


main()
