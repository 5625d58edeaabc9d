"""Reads a store and the same one from elsewhere with xarray, group by group, and compares every variable.

A case of the job file (argv[1]): {"id", "url", "other": the same store}. The report: {"rows": [{"client", "case", "read", "failures"}]}.
"""

import json
import sys
import warnings

import numpy as np
import xarray as xr
import zarr


def main():
    warnings.simplefilter("ignore")
    json.dump({"rows": [checked(case) for case in json.load(open(sys.argv[1]))["cases"]]}, sys.stdout)


def checked(case):
    row = {"client": "xarray", "case": case["id"], "read": 0, "failures": []}
    try:
        groups = [""] + [name for name, member in zarr.open_group(case["url"], mode="r").members(max_depth=None) if isinstance(member, zarr.Group)]
        for group in groups:
            compare(row, *(xr.open_zarr(f"{case[which]}{group}", chunks=None) for which in ("url", "other")))
    except Exception as error:
        row["failures"].append(f"{type(error).__name__}: {str(error)[:300]}")
    return row


def compare(row, one, other):
    if set(one.variables) != set(other.variables):
        row["failures"].append(f"variables {sorted(one.variables)} and {sorted(other.variables)}")
    for name in one.variables:
        row["read"] += 1
        left, right = one[name], other[name]
        if left.dims != right.dims or left.dtype != right.dtype or left.values.tobytes() != right.values.tobytes() and not equal(left, right):
            row["failures"].append(f"{name} differs")


def equal(left, right):
    return left.dtype.kind == "O" and np.array_equal(left.values, right.values)


main()
