"""What the HDF library reads of the scientific data sets of an HDF4 file."""

import ctypes
import pathlib

import numpy as np
import pyhdf
from pyhdf.SD import SD, SDC

LIBRARIES = pathlib.Path(pyhdf.__file__).parent.parent / "pyhdf.libs"
ctypes.CDLL(str(next(LIBRARIES.glob("libdf-*"))), mode=ctypes.RTLD_GLOBAL)
MF = ctypes.CDLL(str(next(LIBRARIES.glob("libmfhdf-*"))))
# The flags of number types for little-endian and native values, which the library turns into this machine's.
LITTLE, NATIVE = 0x4000, 0x1000
TYPES = {21: "uint8", 20: "int8", 22: "int16", 23: "uint16", 24: "int32", 25: "uint32", 5: "float32", 6: "float64", 4: "S1", 3: "uint8"}
MAX_VALUES = 20_000_000


def ints(values):
    return (ctypes.c_int32 * len(values))(*[int(value) for value in values])


def data_sets(path):
    """Name, dimension names, shape, values and attributes of each data set whose name is the only one of its kind."""
    file = SD(str(path), SDC.READ)
    names = [file.select(number).info()[0] for number in range(file.info()[0])]
    sets = []
    for name, (dimensions, shape, code, index) in file.datasets().items():
        sds = file.select(index)
        shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        kind = TYPES.get(code & ~(LITTLE | NATIVE))
        if names.count(name) > 1 or kind is None or int(np.prod(shape, dtype=object)) > MAX_VALUES:
            continue
        values = np.empty(shape, kind)
        if values.size:
            start = ints([0] * len(shape))
            if MF.SDreaddata(sds._id, start, None, ints(shape), values.ctypes.data_as(ctypes.c_void_p)) != 0:
                continue
        # pyhdf misreads the attributes of little-endian sets.
        attributes = {} if code & LITTLE else sds.attributes()
        sets.append((name, dimensions, shape, values, attributes))
    return sets
