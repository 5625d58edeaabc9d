"""What the source files hold, read with libraries that share no code with the service, spelled as `portable` spells it."""

import hashlib
import json
import re
import warnings
from dataclasses import dataclass

import numpy as np
import zarr


@dataclass
class OracleArray:
    values: np.ndarray
    dims: tuple | None


def read_source(case):
    """Arrays of the source by path, in the data types of `codecs=portable`."""
    readers = {"netcdf3": lambda: read_netcdf3(case["source"]), "join": lambda: read_join(case["source"])}
    native = readers.get(case["format"], lambda: read_zarr(case))()
    check_golden(case, native)
    return {path: array for name, raw in native.items() for path, array in portable(name, raw).items()}


def read_netcdf3(path):
    # Not at the top: ecCodes, beside which others import this module, damages memory in a process that has it, too.
    import netCDF4

    with netCDF4.Dataset(path) as dataset:
        dataset.set_auto_maskandscale(False)
        dataset.set_auto_chartostring(False)
        return {
            name: OracleArray(np.asarray(variable[...]), tuple(variable.dimensions))
            for name, variable in dataset.variables.items()
        }


def read_join(pattern):
    """Files of a pattern `…{01..12}…` along time: times from the date of the first, numbers in its packing."""
    import netCDF4

    before, last, after = re.fullmatch(r"(.*)\{01\.\.(\d+)\}(.*)", pattern).groups()
    files = [netCDF4.Dataset(f"{before}{number:02d}{after}") for number in range(1, int(last) + 1)]
    first = read_netcdf3(f"{before}01{after}")
    units = files[0]["time"].units
    times = np.concatenate([netCDF4.date2num(netCDF4.num2date(file["time"][:], file["time"].units), units) for file in files])
    packing = files[0]["rain"].__dict__
    scale, offset, missing = (packing[name] for name in ("scale_factor", "add_offset", "_FillValue"))
    values = np.ma.concatenate([file["rain"][:] for file in files])
    alike = all(file["rain"].scale_factor == scale and file["rain"].add_offset == offset for file in files)
    # Types as the service chooses them: numbers of other packings may not fit, and counts from another date neither. What is
    # missing is the end of a wider type, which none of those numbers is.
    kind, missing = ("i2", missing) if alike else ("i4", np.iinfo("i4").min)
    rain = np.rint((values - offset) / scale).filled(missing).astype(kind)
    dims, time = first["rain"].dims, times.astype("i8" if len(files) > 1 else "i4")
    return {**first, "time": OracleArray(time, ("time",)), "rain": OracleArray(rain, dims)}


def open_zarr_source(path):
    return zarr.storage.ZipStore(path, mode="r") if path.endswith(".zip") else zarr.storage.LocalStore(path, read_only=True)


def read_zarr(case):
    store = open_zarr_source(case["source"])
    arrays = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in array_paths(case, store):
            array = zarr.open_array(store, path=path, mode="r")
            dims = array.metadata.dimension_names if array.metadata.zarr_format == 3 else array.attrs.get("_ARRAY_DIMENSIONS")
            arrays[path] = OracleArray(np.asarray(array[...]), tuple(dims) if dims else None)
    return arrays


def array_paths(case, store):
    if case.get("golden") is not None:
        return [path for path, golden in case["golden"].items() if not golden.get("oracle_error") and not golden.get("serve")]
    node = zarr.open(store, mode="r")
    if isinstance(node, zarr.Array):
        return [""]
    return [path for path, member in node.members(max_depth=None) if isinstance(member, zarr.Array)]


def portable(name, array):
    """One array as `portable` serves it: a structure is a group of its fields, text is text, times are counts."""
    kind = array.values.dtype.kind
    if array.values.dtype.names is not None:
        fields = array.values.dtype.names
        join = (name + "/") if name else ""
        return {
            path: part
            for field in fields
            for path, part in portable(join + field, OracleArray(array.values[field], array.dims)).items()
        }
    if kind in "mM":
        return {name: OracleArray(array.values.astype("i8"), array.dims)}
    if kind in "UTO":
        return {name: OracleArray(array.values.astype(object), array.dims)}
    return {name: array}


def as_served(array, document):
    """Bytes as text: single characters are joined along their last dimension where the store has it so."""
    if array.values.dtype.kind != "S":
        return array
    values = np.ascontiguousarray(array.values)
    joined = len(document.get("shape", ())) < values.ndim
    shape = values.shape[:-1] if joined else values.shape
    texts = np.empty(shape, dtype=object)
    for index in np.ndindex(shape):
        texts[index] = text_of(values[index].tobytes() if joined else bytes(values[index]))
    return OracleArray(texts, array.dims)


def text_of(raw):
    """What is not UTF-8 is Latin-1, the other encoding that such files are written in."""
    text = raw.rstrip(b"\0")
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return text.decode("latin-1")


def check_golden(case, native):
    """The oracle must agree with the golden file before anything is compared with it."""
    for path, golden in (case.get("golden") or {}).items():
        if path not in native or golden.get("sha256") is None:
            continue
        if hash_of(native[path].values) != golden["sha256"]:
            raise AssertionError(f"{case['id']} {path}: the oracle and the golden file disagree")


def hash_of(values):
    return hashlib.sha256(canonical(values)).hexdigest()


def canonical(values):
    if values.dtype.kind in "OT":
        return json.dumps([str(item) for item in values.ravel().tolist()], separators=(",", ":"), ensure_ascii=False).encode()
    little = values.astype(values.dtype.newbyteorder("<"))
    return np.ascontiguousarray(little).tobytes()
