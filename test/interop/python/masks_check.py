"""Which values are missing: every type of variable with every type and kind of `_FillValue` and `missing_value`.

    masks_check.py FOLDER SERVICE_URL

Each combination is a variable of a file in FOLDER, which the service may read. What xarray masks of the store must be what the written
rule says (docs/missing-values.md), and what it masks of the file itself but for the differences that the rule names.
Prints {"compared": number, "equal": number, "documented": {reason: number}, "failures": [text]}.
"""

import base64
import collections
import itertools
import json
import sys
import warnings
from pathlib import Path

import h5py
import netCDF4
import numpy as np
import xarray as xr

from cdf_writer import write_cdf

INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
FLOATS = ["f4", "f8"]
CLASSIC = ["i1", "i2", "i4", "f4", "f8"]
NUMBERS = [0, 1, -1, -9999, 200, 255, 70000, 5000000000, 2**63 - 1, 2**64 - 1, -9999.9, 0.1, 1.5, 1e20, 1e300]
NUMBERS += [float("nan"), float("inf"), float("-inf"), -0.0, float(np.finfo("f4").max)]
# Too small for float32 but the last, which rounds to the smallest of them.
NUMBERS += [1e-60, -1e-60, 1e-45]
TEXTS = ["-9999", "-9999.9", "0.1", "NaN", "missing", "255", "1e20", " -1 ", "inf", "0", "", " "]
LENGTH = 16


def main():
    warnings.simplefilter("ignore")
    folder, service = Path(sys.argv[1]), sys.argv[2]
    report = {"compared": 0, "equal": 0, "documented": collections.Counter(), "failures": []}
    for path, engines, variables in files_in(folder):
        check(path, engines, variables, service, report)
    json.dump(report, sys.stdout)


def files_in(folder):
    every = INTEGERS + FLOATS
    cases = [
        ("masks-cdf1.nc", ["netcdf4", "scipy"], singles(CLASSIC, CLASSIC)),
        ("masks-cdf5.nc", ["netcdf4"], singles(every, every)),
        ("masks-hdf5.nc", ["h5netcdf", "netcdf4"], singles(["u1", "i2", "i8", "f4", "f8"], ["i2", "i8", "u8", "f4", "f8"])),
        ("pairs-cdf5.nc", ["netcdf4"], pairs(["u1", "i2", "i8", "f4", "f8"])),
    ]
    for name, engines, attributes in cases:
        variables = {f"v{i}": (["x"], data_for(kind, given), given) for i, (kind, given) in enumerate(attributes)}
        path = folder / name
        if "hdf5" in name:
            write_hdf5(path, variables)
        else:
            write_cdf(path, {"x": LENGTH}, variables, 5 if "cdf5" in name else 1)
        yield path, engines, variables


def singles(kinds, attribute_kinds):
    for kind, name in itertools.product(kinds, ["_FillValue", "missing_value"]):
        for value in attribute_values(attribute_kinds):
            yield kind, {name: value}


def attribute_values(kinds):
    for kind, number in itertools.product(kinds, NUMBERS):
        if kind in FLOATS or (isinstance(number, int) and np.iinfo(kind).min <= number <= np.iinfo(kind).max):
            with np.errstate(all="ignore"):
                yield np.dtype(kind).type(number)
    yield from TEXTS
    for kind in set(kinds) & {"i2", "f4", "f8"}:
        yield np.array([-9999, 1], kind)
    yield np.array([np.nan, 1.0])
    yield np.array([-1.0, np.inf])
    yield np.array([-9999.0])


def pairs(kinds):
    for kind in kinds:
        own = np.dtype(kind).type
        values = [own(7), own(100), np.float64(7), np.float32(7), np.int16(100), np.float64(0.1), np.float32(0.1)]
        values += [np.float64("nan"), np.float32("nan"), "100", "abc", np.array([7.0, 100.0]), np.array([7.0, np.nan])]
        values += [np.float64(1e300), np.float64("inf"), np.int32(-9999)]
        for fill, missing in itertools.product(values, repeat=2):
            yield kind, {"_FillValue": fill, "missing_value": missing}


def data_for(kind, attributes):
    """Ordinary numbers, the ends of the type, and what the attributes become by any way of converting them."""
    own = np.dtype(kind)
    found = [own.type(value) for value in (0, 1, 2, 3, 7, 100)]
    if own.kind == "f":
        found += [own.type(value) for value in (np.nan, np.inf, -np.inf)]
    else:
        found += [np.iinfo(kind).min, np.iinfo(kind).max]
    for value in attributes.values():
        for item in [] if isinstance(value, str) and number_of(value) is None else np.atleast_1d(value):
            number = number_of(item) if isinstance(item, str) else item
            with np.errstate(all="ignore"):
                found += [np.asarray(number).astype(own)[()], np.asarray(number, "f4").astype(own)[()]]
    return np.array([found[i % len(found)] for i in range(LENGTH)], own)


def write_hdf5(path, variables):
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("x", LENGTH)
        for name, (axes, values, _) in variables.items():
            file.createVariable(name, values.dtype, axes)[:] = values
    with h5py.File(path, "a") as file:
        for name, (_, _, attributes) in variables.items():
            for key, value in attributes.items():
                file[name].attrs.create(key, np.bytes_(value) if isinstance(value, str) else value)


def check(path, engines, variables, service, report):
    word = base64.urlsafe_b64encode(path.as_uri().encode()).decode().rstrip("=")
    served = masks_in(xr.open_dataset(f"{service}zarr/~{word}/", engine="zarr", decode_cf=False))
    natives = {engine: masks_in(xr.open_dataset(path, engine=engine, decode_cf=False)) for engine in engines}
    for name, (_, values, attributes) in variables.items():
        said = f"{path.name}: {values.dtype} with {({key: repr(value) for key, value in attributes.items()})}"
        if not same(served[name], rule(values, attributes)):
            report["failures"].append(f"{said}: {served[name]}, not by the rule, of {values}")
        for engine, native in natives.items():
            report["compared"] += 1
            reason = reason_of(values.dtype, attributes)
            if same(served[name], native[name]):
                report["equal"] += 1
            elif reason is not None:
                report["documented"][reason] = report["documented"].get(reason, 0) + 1
            else:
                report["failures"].append(f"{said}: {served[name]}, {engine} has {native[name]}, of {values}")


def masks_in(dataset):
    """What is missing after decoding, or the error of that."""
    dataset.load()
    masks = {}
    for name in dataset.variables:
        try:
            masks[name] = np.isnan(xr.decode_cf(dataset[[name]])[name].values)
        except Exception as error:
            masks[name] = type(error).__name__
    dataset.close()
    return masks


def same(one, other):
    return isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and (one == other).all()


def rule(values, attributes):
    fill, missing = attributes.get("_FillValue"), attributes.get("missing_value")
    sentinels = [] if isinstance(fill, str) or np.size(fill) != 1 else held(np.atleast_1d(fill)[0], values.dtype)
    if isinstance(missing, str):
        number = number_of(missing)
        sentinels += [] if number is None else held(number, values.dtype)
    elif np.size(missing) > 1:
        sentinels += [item for item in missing]
    elif missing is not None:
        found = held(np.atleast_1d(missing)[0], values.dtype)
        # JSON has no word for infinity: `_FillValue` carries it, unless it has a value of its own.
        sentinels += found if not sentinels or np.isfinite(found or 0).all() else []
    # xarray compares integers after it made them floats.
    numbers = values if values.dtype.kind == "f" else values.astype("f8")
    mask = np.isnan(numbers)
    for sentinel in sentinels:
        mask = mask | (numbers == (sentinel if values.dtype.kind == "f" else float(sentinel)))
    return mask


def held(value, kind):
    """The value in the variable's type, if that can hold it; a float may be rounded, and overflow to infinity."""
    if value is None:
        return []
    if kind.kind == "f":
        with np.errstate(all="ignore"):
            cast = kind.type(value)
        # One that rounding makes 0 would mask every 0.
        return [] if cast == 0 and value != 0 else [cast]
    number = float(value)
    if not np.isfinite(number) or number != int(number):
        return []
    whole = int(value)
    return [kind.type(whole)] if np.iinfo(kind).min <= whole <= np.iinfo(kind).max else []


def number_of(text):
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return None


def reason_of(kind, attributes):
    """Why the store may mask something else than readers of the file do (docs/missing-values.md)."""
    fill, missing = attributes.get("_FillValue"), attributes.get("missing_value")
    if not isinstance(fill, str) and np.size(fill) > 1:
        return "a list is no _FillValue (FV-14)"
    if isinstance(missing, str) and number_of(missing) is not None:
        return "missing_value that is text of a number (FV-12)"
    numbers = [np.atleast_1d(value)[0] for value in (fill, missing) if value is not None and not isinstance(value, str)]
    for number in numbers:
        if kind.kind == "f" and np.isfinite(number) and held(number, kind) not in ([number], []):
            return "rounded to the type, or to infinity (FV-6, FV-16)"
        if kind.kind != "f" and float(number) in (2.0**63, 2.0**64):
            return "one beyond the type, which NumPy compares in double (FV-16)"
    if fill is not None and missing is not None and not isinstance(missing, str) and np.isinf(np.max(missing)):
        return "an infinite missing_value beside another _FillValue (FV-12)"
    return None


main()
