"""What packed values mean: `scale_factor`, `add_offset` and `_Unsigned` of every type and kind, beside sentinels.

    packing_check.py FOLDER SERVICE_URL

Each combination is a variable of a file in FOLDER, which the service may read. What xarray makes of the store must be what it makes of the
file itself, but for the differences that docs/packing.md names; and no variable of the store may fail where one of the file does not.
Those with factors of 32 bits are read again by the recipe of docs/packing.md, which must give what the file gives, bit for bit.
With `packing=decoded` the values themselves must be what xarray makes of the attributes, rounded once.
Prints {"compared": number, "equal": number, "documented": {reason: number}, "restored": number, "failures": [text]}.
"""

import base64
import collections
import itertools
import json
import sys
import warnings
from pathlib import Path

import numpy as np
import xarray as xr

from cdf_writer import write_cdf

INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]
PACKINGS = {
    "none": None, "f4": np.float32(0.01), "f8": np.float64(0.01), "exact": np.float64(0.5), "narrow exact": np.float32(-0.5),
    "i2": np.int16(2), "i4": np.int32(3), "u1": np.uint8(2), "text": "0.01", "word": "abc", "empty": "",
    "list of one": np.array([0.25]), "list of two": np.array([0.1, 0.2]), "nan": np.float64("nan"),
    "narrow nan": np.float32("nan"), "inf": np.float64("inf"), "zero": np.float64(0), "narrow zero": np.float32(0),
}  # fmt: skip
USUAL = ["none", "f4", "f8", "exact", "i2"]


def main():
    warnings.simplefilter("ignore")
    folder, service = Path(sys.argv[1]), sys.argv[2]
    report = {"compared": 0, "equal": 0, "documented": collections.Counter(), "restored": 0, "failures": []}
    for path, variables in written(folder):
        check(path, variables, service, report)
    json.dump(report, sys.stdout)


def written(folder):
    """The files of all combinations, with what is in them."""
    for name, cases in {"scales.nc": list(scales()), "signs.nc": list(signs())}.items():
        variables = {f"v{i}": (["x"], data_for(kind), given) for i, (kind, given) in enumerate(cases)}
        write_cdf(folder / name, {"x": 12}, variables, 5)
        yield folder / name, variables


def data_for(kind):
    if kind.startswith("f"):
        return np.array([0, 1, 2, 50, 100, -1, np.nan, np.inf, -9999, 7, 12.5, 0.1], kind)
    least, most = np.iinfo(kind).min, np.iinfo(kind).max
    return np.array([0, 1, 2, 50, 100, least, most, most - 1, least + 1, 7, most // 2, most // 2 + 1], kind)


def scales():
    """Every kind of scale with the usual offsets, and the reverse; without a sentinel, and with those that matter."""
    for kind in ["u1", "i2", "i4", "i8", "f4", "f8"]:
        for scale, offset in itertools.product(PACKINGS, repeat=2):
            if (scale not in USUAL and offset not in USUAL) or scale == offset == "none":
                continue
            packing = {"scale_factor": PACKINGS[scale], "add_offset": PACKINGS[offset]}
            for fill in [None, np.dtype(kind).type(7), *([np.float64(7)] if kind == "i2" else [])]:
                yield kind, {name: value for name, value in [*packing.items(), ("_FillValue", fill)] if value is not None}


def signs():
    for kind, word in itertools.product([*INTEGERS, "f4"], ["true", "false", "True", "yes"]):
        packings = [{}, {"scale_factor": np.float64(0.5), "add_offset": np.float64(3)}] if word in ("true", "false") else [{}]
        for packing, (fill, missing) in itertools.product(packings, sentinels_of(np.dtype(kind))):
            given = {"_Unsigned": word, "_FillValue": fill, "missing_value": missing, **packing}
            if kind != "f4" and fill is None:
                given["valid_range"] = np.array([np.iinfo(kind).min, np.iinfo(kind).max - 1], kind)
            yield kind, {name: value for name, value in given.items() if value is not None}


def sentinels_of(kind):
    """As stored, as the other sign has it, and in other types."""
    values = [kind.type(7)]
    if kind.kind != "f":
        bits = 8 * kind.itemsize
        values += [kind.type(np.iinfo(kind).min), kind.type(np.iinfo(kind).max), kind.type(np.iinfo(kind).max // 2 + 5)]
        if kind.kind == "i":
            values += [kind.type(-1), np.dtype(f"u{kind.itemsize}").type(2**bits - 1)]
            values += [np.float64(2**bits - 1)] if bits < 32 else []
        else:
            values += [np.dtype(f"i{kind.itemsize}").type(-1), np.float64(-1)]
    yield None, None
    for value in values:
        yield from [(value, None), (None, value), (value, value), (value, kind.type(7))]


def check(path, variables, service, report):
    word = base64.urlsafe_b64encode(path.as_uri().encode()).decode().rstrip("=")
    store = xr.open_dataset(f"{service}zarr/~{word}/", engine="zarr", decode_cf=False).load()
    served = decoded(store)
    restored = decoded(in_narrow_numbers(store))
    applied = decoded(xr.open_dataset(f"{service}zarr/~{word};packing=decoded/", engine="zarr", decode_cf=False).load())
    native = decoded(xr.open_dataset(path, engine="netcdf4", decode_cf=False))
    for name, (_, values, attributes) in variables.items():
        report["compared"] += 1
        if is_narrow(attributes):
            report["restored"] += 1
            if not bit_for_bit(restored[name], native[name]):
                report["failures"].append(f"{path.name}: {attributes}: {restored[name]} by the recipe, {native[name]}")
        one, other = served[name], native[name]
        reason = reason_of(values.dtype, attributes, other)
        if isinstance(one, np.ndarray) and not is_own_way(values, attributes) and not rounded_once(applied[name], one, attributes):
            said = f"{values.dtype} {attributes}: {applied[name]}, xarray has {one} of {values}"
            report["failures"].append(f"{path.name}: packing=decoded: {said}")
        if isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and same(one, other):
            report["equal"] += 1
        elif reason is not None and isinstance(one, np.ndarray):
            report["documented"][reason] = report["documented"].get(reason, 0) + 1
        elif isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and near(one, other, values, attributes):
            key = "numbers of 32 bits"
            report["documented"][key] = report["documented"].get(key, 0) + 1
        else:
            said = f"{path.name}: {values.dtype} with {({key: repr(value) for key, value in attributes.items()})}"
            report["failures"].append(f"{said}: {one}, netcdf4 has {other}, of {values}")


def decoded(dataset):
    """Values after decoding, or the error of that."""
    dataset = dataset.load()
    found = {}
    for name in dataset.variables:
        try:
            found[name] = xr.decode_cf(dataset[[name]])[name].values
        except Exception as error:
            found[name] = type(error).__name__
    dataset.close()
    return found


def in_narrow_numbers(dataset):
    """The recipe of docs/packing.md."""
    dataset = dataset.copy()
    for variable in dataset.variables.values():
        for name in {"scale_factor", "add_offset"} & set(variable.attrs):
            value = variable.attrs[name]
            if np.float32(value) == value:
                variable.attrs[name] = np.float32(value)
    return dataset


def is_narrow(attributes):
    factors = [np.asarray(attributes[name]) for name in ("scale_factor", "add_offset") if name in attributes]
    return factors != [] and all(factor.dtype == np.float32 and np.isfinite(factor).all() for factor in factors)


def bit_for_bit(one, other):
    return isinstance(one, np.ndarray) and one.dtype == other.dtype and same(one, other)


def same(one, other):
    return ((one == other) | (np.isnan(one) & np.isnan(other))).all()


def is_own_way(values, attributes):
    """Where xarray computes in integers, takes no notice of a missing_value (netCDF4-python does), or for a sentinel what rounds to it."""
    if values.dtype.kind in "iu" and values.dtype.itemsize == 8:
        return True
    is_whole = np.asarray(attributes.get("scale_factor", 0.0)).dtype.kind in "iu"
    offset = np.asarray(attributes.get("add_offset", "none"))
    is_alone = offset.dtype.kind == "U" or offset.size != 1 or not np.isfinite(offset).all()
    is_unsigned = attributes.get("_Unsigned") in ("true", "false") and values.dtype.kind in "iu" and "missing_value" in attributes
    return (is_whole and is_alone) or is_unsigned


def rounded_once(applied, one, attributes):
    # What is scaled is a float, also where factors that are none were dropped and xarray leaves integers.
    is_scaled = bool({"scale_factor", "add_offset"} & set(attributes))
    is_kind = isinstance(applied, np.ndarray) and (applied.dtype.kind == one.dtype.kind or (is_scaled and applied.dtype.kind == "f"))
    return is_kind and same(applied, one.astype(applied.dtype))


def near(one, other, values, attributes):
    """Equal within the rounding of one product and one sum in 32 bits."""
    if other.dtype != np.float32:
        return False
    offset = attributes.get("add_offset", np.float64(0))
    size = np.abs(other.astype("f8")) + 2 * abs(float(np.ravel(offset)[0]))
    difference = np.abs(one.astype("f8") - other.astype("f8"))
    missing = np.isnan(one) & np.isnan(other)
    # In 32 bits a sentinel of 32 bits is not what it was, or several numbers are.
    sentinel = np.isin(values, [np.ravel(attributes[name])[0] for name in ("_FillValue", "missing_value") if name in attributes])
    return (missing | (one == other) | (difference <= 1.3e-7 * size) | sentinel).all()


def reason_of(kind, attributes, native):
    packing = {name: attributes[name] for name in ("scale_factor", "add_offset") if name in attributes}
    if any(isinstance(value, str) or np.size(value) > 1 for value in packing.values()):
        return "text or a list, which readers of the file fail on" if isinstance(native, str) else None
    if any(not np.isfinite(value).all() for value in packing.values()):
        return "no finite number: dropped"
    if list(packing) == ["scale_factor"] and np.asarray(packing["scale_factor"]).dtype.kind in "iu":
        return "an integer scale_factor alone, in whose type xarray computes"
    return None


if __name__ == "__main__":
    main()
