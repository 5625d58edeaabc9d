"""Data sets of HDF4 in all the ways that the library can write, beside pyhdf: `hdf4_sweep.py STORES FOLDER FIRST COUNT`. STORES is the URL
of a running service that may read FOLDER; each file is made of a seed. Prints what differs, also of what xarray makes of each. Needs: pip install pyhdf xarray zarr aiohttp."""

import base64
import ctypes
import os
import pathlib
import re
import sys
import warnings

import numpy as np
import pyhdf
import xarray as xr
import zarr
from pyhdf.SD import SD, SDC

warnings.simplefilter("ignore")
LIBRARIES = pathlib.Path(pyhdf.__file__).parent.parent / "pyhdf.libs"
ctypes.CDLL(str(next(LIBRARIES.glob("libdf-*"))), mode=ctypes.RTLD_GLOBAL)
MF = ctypes.CDLL(str(next(LIBRARIES.glob("libmfhdf-*"))))
MF.SDsetcal.argtypes = [ctypes.c_int32] + [ctypes.c_double] * 4 + [ctypes.c_int32]
LITTLE = 0x4000
TYPES = {"uint8": 21, "int8": 20, "int16": 22, "uint16": 23, "int32": 24, "uint32": 25, "float32": 5, "float64": 6, "S1": 4}
RLE, SKPHUFF, DEFLATE = 1, 3, 4
# As products have them: spaces, slashes, points, brackets, and what begins with a digit or a dot.
NAMES = ["set {}", "6.9V_Res.{}_TB", "Clear/layer/overlap {}", "{}", ".hidden {}", "Latitude{}", "10 metre wind (u{})", "a%20{}", "c {} ", "flux - upwards {} \u00e9"]


class Chunks(ctypes.Structure):
    _fields_ = [("lengths", ctypes.c_int32 * 32), ("rest", ctypes.c_int32 * 40)]


def ints(values):
    return (ctypes.c_int32 * len(values))(*[int(value) for value in values])


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def values_of(random, dtype, shape):
    if dtype == "S1":
        return np.frombuffer(random.integers(32, 127, int(np.prod(shape)), "u1").tobytes(), "S1").reshape(shape)
    if dtype.startswith("float"):
        return random.normal(0, 1000, shape).astype(dtype)
    info = np.iinfo(dtype)
    # Runs, and all of the type.
    return np.where(random.random(shape) < 0.5, 7, random.integers(info.min, info.max, shape, dtype, endpoint=True)).astype(dtype)


def store(random, sds, item, shape):
    """How values are stored; whether they may be written in parts."""
    kind = random.choice(["plain", "compressed", "chunked", "chunked", "chunked and compressed", "chunked and compressed"])
    coder = int(random.choice([RLE, SKPHUFF, DEFLATE]))
    parameter = {RLE: 0, SKPHUFF: item, DEFLATE: 1 + int(random.integers(9))}[coder]
    if kind == "compressed":
        assert MF.SDsetcompress(sds, coder, ctypes.byref(ints([parameter, 0, 0, 0, 0]))) == 0
        return False
    if kind.startswith("chunked"):
        chunks = Chunks()
        lengths = [int(random.integers(1, length + 1)) for length in shape]
        chunks.lengths[: len(lengths)] = lengths
        if kind != "chunked":
            chunks.rest[0], chunks.rest[2] = coder, parameter
        assert MF.SDsetchunk(sds, chunks, 1 if kind == "chunked" else 3) == 0
    return True


def data_set(random, file, number):
    dtype = str(random.choice(list(TYPES)))
    shape = [int(length) for length in random.integers(1, 14, int(random.integers(1, 5)))]
    is_unlimited = random.random() < 0.2
    order = LITTLE if random.random() < 0.5 else 0
    item = np.dtype(dtype).itemsize
    declared = [0, *shape[1:]] if is_unlimited else shape
    name = str(random.choice(NAMES)).format(number)
    sds = MF.SDcreate(file, name.encode(), TYPES[dtype] | order, len(shape), ints(declared))
    assert sds != -1
    if random.random() < 0.5 and dtype != "S1":
        # Also the ends of the type, as many have them.
        ends = [np.finfo(dtype).max] if dtype.startswith("float") else [np.iinfo(dtype).min, np.iinfo(dtype).max, 7]
        fill = np.array([random.choice([3, *ends])]).astype(dtype)
        assert MF.SDsetfillvalue(sds, pointer(fill)) == 0
    if random.random() < 0.2:
        assert MF.SDsetcal(sds, 0.01, 0.0, 5.0, 0.0, 22) == 0
    for axis in range(len(shape)):
        if random.random() < 0.5:
            assert MF.SDsetdimname(MF.SDgetdimid(sds, axis), f"d{number}_{axis}".encode()) == 0
    in_parts = store(random, sds, item, shape) if not is_unlimited else True
    values = np.ascontiguousarray(values_of(random, dtype, shape))
    start = [0] * len(shape)
    if in_parts and random.random() < 0.5:
        # Only a box of it.
        start = [int(random.integers(0, length)) for length in shape]
        box = tuple(slice(first, first + int(random.integers(1, length - first + 1))) for first, length in zip(start, shape))
        values = np.ascontiguousarray(values[box])
    if random.random() < 0.9:
        assert MF.SDwritedata(sds, ints(start), None, ints(values.shape), pointer(values)) == 0
    assert MF.SDendaccess(sds) == 0


def make(seed, path):
    random = np.random.default_rng(seed)
    file = MF.SDstart(str(path).encode(), 4)
    for number in range(6):
        data_set(random, file, number)
    assert MF.SDend(file) == 0


def differences(url, path):
    file = SD(str(path), SDC.READ)
    group = zarr.open_group(url, mode="r")
    decoded = xr.open_dataset(url, engine="zarr", decode_times=False, decode_coords=False)
    for name, (dimensions, shape, code, _index) in file.datasets().items():
        sds = file.select(name)
        served = re.sub("[/%]| $", "_", name)
        if served not in group:
            yield f"{name} is not served: {list(group)}"
            continue
        array = group[served]
        if tuple(array.metadata.dimension_names) != tuple(dimensions):
            yield f"{name}: dimensions {array.metadata.dimension_names}, expected {dimensions}"
        if 0 in shape:
            if array.shape != tuple(shape):
                yield f"{name}: shape {array.shape}, expected {shape}"
            continue
        # pyhdf itself has no little-endian types: the library makes them this machine's.
        dtype = next(name for name, number in TYPES.items() if number == code & ~LITTLE)
        expected, own = np.empty(shape, dtype), np.asarray(array[...])
        assert MF.SDreaddata(sds._id, ints([0] * len(shape)), None, ints(shape), pointer(expected)) == 0
        if dtype == "S1":
            own = np.array([text.encode("latin-1") for text in own.ravel().tolist()], "S1").reshape(own.shape)
        if own.shape != expected.shape or own.dtype.newbyteorder("=") != expected.dtype.newbyteorder("=") or own.tobytes() != expected.tobytes():
            yield f"{name}: {own.dtype} {own.shape}, expected {expected.dtype} {expected.shape}; equal: {own.shape == expected.shape and (own == expected).mean()}"
        if dtype != "S1" and not code & LITTLE:
            yield from mask_problems(name, decoded[served], expected, sds.attributes())
        for key, value in () if code & LITTLE else sds.attributes().items():
            if key != "_FillValue" and array.attrs.get(key) != value:
                yield f"{name}: {key} is {array.attrs.get(key)!r}, expected {value!r}"


def mask_problems(name, own, values, attributes):
    """What xarray makes of the file's own values and attributes, it makes of what is served."""
    raw = xr.Dataset({"a": (own.dims, values, attributes)})
    expected = xr.decode_cf(raw, decode_times=False, decode_coords=False)["a"].values
    if not np.allclose(own.values.astype("f8"), expected.astype("f8"), rtol=1e-12, atol=0, equal_nan=True):
        yield f"{name}: xarray masks {np.isnan(own.values.astype('f8')).sum()} points, {np.isnan(expected.astype('f8')).sum()} of the file; {attributes}"


def main():
    stores, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    first, count = int(sys.argv[3]), int(sys.argv[4])
    differ = 0
    for seed in range(first, first + count):
        path = folder / f"sweep-{os.getpid()}-{seed}.hdf"
        make(seed, path)
        url = f"{stores}zarr/~{base64.urlsafe_b64encode(path.as_uri().encode()).decode().rstrip('=')}/"
        try:
            found = list(differences(url, path))
        except Exception as error:  # noqa: BLE001
            found = [f"{type(error).__name__} {error}"]
        for difference in found:
            differ += 1
            print(f"{seed}: {difference[:500]}", flush=True)
        path.unlink()
    print(f"{count} files, {count * 6} data sets, {differ} differences")


main()
