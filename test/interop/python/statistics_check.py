"""Compares what `virtual-zarr read --stats --json` tells with NumPy on the same files.

Each line of standard input is a JSON object with the file, the array, how it was read and what was told. Decoded values are xarray's, stored
ones netCDF4's without its masks and scales. Prints what differs.
"""

import json
import sys

import netCDF4
import numpy as np
import xarray as xr


def stored(case):
    with netCDF4.Dataset(case["file"]) as file:
        file.set_auto_maskandscale(False)
        file.set_auto_chartostring(False)
        variable = file[case["array"]]
        values = np.asarray(variable[:])
        missing = np.zeros(values.shape, bool)
        if values.dtype.kind in "iuf":
            for name in ("_FillValue", "missing_value"):
                if name in variable.ncattrs():
                    missing |= np.isin(values, np.atleast_1d(variable.getncattr(name)).astype(values.dtype))
        return values, missing


def decoded(case):
    with xr.open_dataset(case["file"]) as dataset:
        values = dataset[case["array"]].values
    return values, np.zeros(values.shape, bool)


def number(told, values):
    if told is None:
        return None
    if values.dtype.kind == "M":
        return np.datetime64(told, "ms").astype("int64")
    return float(told)


def same(ours, theirs):
    if ours is None or theirs is None:
        return ours is None and theirs is None
    return bool(np.isclose(ours, theirs, rtol=1e-9, atol=1e-12))


compared = 0
for line in sys.stdin:
    case = json.loads(line)
    values, missing = (decoded if case["isDecoded"] else stored)(case)
    compared += 1
    if values.dtype.kind not in "iufM":
        # Texts have no order here; how many there are is the shape's, which for characters is another matter.
        if any(case["told"][name] is not None for name in ("min", "max", "mean")):
            print(f"{case['array']}: {case['told']}")
        continue
    if case["isCut"]:
        values, missing = values[1:-1], missing[1:-1]
    if values.dtype.kind == "M":
        missing = missing | np.isnat(values)
        numbers = values.astype("M8[ms]").astype("int64")[~missing]
    else:
        missing = missing | np.isnan(values.astype("float64"))
        numbers = values[~missing].astype("float64")
    wanted = [None] * 3 if numbers.size == 0 else [numbers.min(), numbers.max(), numbers.astype("float64").mean()]
    told = case["told"]
    ours = [number(told[name], values) for name in ("min", "max", "mean")]
    if values.dtype.kind == "M" and ours[2] is not None:
        # Dates are told to the millisecond.
        ours[2], wanted[2] = round(float(ours[2])), round(float(wanted[2]))
    counts = [told["count"], told["missing"]]
    if counts != [values.size, int(missing.sum())] or not all(map(same, ours, wanted)):
        print(f"{case['file']} {case['array']} {case['isDecoded']} {case['isCut']}: {told} is not {values.size}, {missing.sum()}, {wanted}")
print(f"compared {compared}")
