"""`packing=codecs`: what zarr-python itself unpacks, against xarray's mask_and_scale on the usual store.

    packing_codecs_check.py version        prints the version of zarr-python
    packing_codecs_check.py made FOLDER    writes the combinations of packing_check.py into FOLDER, prints their paths
    packing_codecs_check.py JOB            JOB: {"cases": [{"id", "url": a store's without its last slash}]}

The last prints {"arrays": number, "values": number, "exact": number, "files": [id], "failures": [text]}: arrays are counted once for each
`codecs=`, values without those that are missing, and as exact those that are the same to the last bit.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import xarray as xr
import zarr

import packing_check

CODECS = ["portable", "native", "raw"]


def read(job):
    report = {"arrays": 0, "values": 0, "exact": 0, "files": [], "failures": []}
    for case in json.load(open(job))["cases"]:
        for codecs in CODECS:
            try:
                read_case(case, codecs, report)
            except Exception as error:
                report["failures"].append(f"{case['id']}, {codecs}: {type(error).__name__}: {str(error)[:300]}")
    return report


def read_case(case, codecs, report):
    told, usual = (f"{case['url']};{options}codecs={codecs}/" for options in ("packing=codecs;", ""))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        arrays = {path: array for path, array in arrays_of(told) if array.metadata.to_dict()["codecs"][0]["name"] == "scale_offset"}
        groups = {parent: (opened(told, parent), opened(usual, parent, mask_and_scale=False)) for parent in {path.rpartition("/")[0] for path in arrays}}
        for path, array in arrays.items():
            parent, _, name = path.rpartition("/")
            unpacked, packed = (dataset.variables[name].load() for dataset in groups[parent])
            compare(f"{case['id']}, {codecs}: {path}", array[...], unpacked, packed, report)
    if arrays:
        report["files"] = [*dict.fromkeys([*report["files"], case["id"]])]
    report["arrays"] += len(arrays)
    report["failures"] += sorted({f"{case['id']}, {codecs}: warns: {item.message}" for item in caught if is_of_documents(item, codecs)})


def arrays_of(url):
    root = zarr.open(url, mode="r")
    members = root.members(max_depth=None) if isinstance(root, zarr.Group) else []
    return [(path, member) for path, member in members if isinstance(member, zarr.Array)]


def opened(url, group, **options):
    return xr.open_zarr(url, group=group or None, chunks=None, decode_times=False, **options)


def is_of_documents(warning, codecs):
    """What is said of the documents; not of numbers that overflow, and not of types and codecs by the names that only `native` has."""
    is_native = codecs == "native" and ("does not have a Zarr V3 specification" in str(warning.message) or "Imagecodecs codecs" in str(warning.message))
    return not issubclass(warning.category, RuntimeWarning) and not is_native


def compare(place, values, unpacked, packed, report):
    if values.dtype != np.float64 or unpacked.values.tobytes() != values.tobytes():
        report["failures"].append(f"{place}: xarray has {unpacked.values.ravel()[:5]}, zarr-python {values.ravel()[:5]}")
    expected, scaled, offset = unpacked_by_xarray(packed)
    # docs/packing.md: it counts under _Unsigned, too, as in netCDF4-python and not in xarray.
    if "_Unsigned" in packed.attrs and "missing_value" in packed.attrs:
        expected = np.where(packed.values == np.int64(packed.attrs["missing_value"]).astype(packed.dtype), np.nan, expected)
    missing = np.isnan(expected)
    if (np.isnan(values) != missing).any():
        at = np.flatnonzero((np.isnan(values) != missing).ravel())[:5]
        report["failures"].append(f"{place}: {values.ravel()[at]} is not missing as {expected.ravel()[at]} of {packed.values.ravel()[at]} {packed.attrs}")
        return
    report["values"] += int((~missing).sum())
    report["exact"] += int((values == expected).sum())
    # docs/packing.md: the quotient by the inverse and the product differ in the last bit, and so may their sums with the offset.
    largest = np.maximum(np.abs(scaled), np.maximum(np.abs(expected), abs(offset)))
    wrong = ~missing & (values != expected) & ~(np.abs(values - expected) <= 2 * np.spacing(largest))
    if wrong.any():
        report["failures"].append(f"{place}: {values[wrong][:5]} instead of {expected[wrong][:5]} of {packed.values[wrong][:5]} {packed.attrs}")


def unpacked_by_xarray(packed):
    """By xarray, told to compute in 64 bits; what the packed values are when only scaled, and the offset."""
    scale, offset = (np.float64(packed.attrs.get(name, default)) for name, default in (("scale_factor", 1), ("add_offset", 0)))
    both = packed.copy()
    both.attrs |= {"scale_factor": scale, "add_offset": offset}
    expected = xr.conventions.decode_cf_variable("packed", both, decode_times=False, concat_characters=False).values
    with np.errstate(over="ignore", invalid="ignore"):
        return expected.astype("f8"), np.float64(expected) - offset, offset


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    answers = {"version": lambda: zarr.__version__, "made": lambda folder: [str(path) for path, _ in packing_check.written(Path(folder))]}
    json.dump(answers[what](*words) if what in answers else read(what), sys.stdout)
