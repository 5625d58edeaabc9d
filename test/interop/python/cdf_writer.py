"""Writes NetCDF classic files whose attributes may be of any type, which the libraries refuse to write.

    write_cdf(path, {"x": 3}, {"v": (["x"], np.array([1, 2, 3], "i2"), {"_FillValue": np.float64(1)})}, version=5)
"""

import numpy as np

CODES = {"i1": 1, "S1": 2, "i2": 3, "i4": 4, "f4": 5, "f8": 6, "u1": 7, "u2": 8, "u4": 9, "i8": 10, "u8": 11}
DIMENSION, VARIABLE, ATTRIBUTE = 10, 11, 12


def write_cdf(path, dimensions, variables, version):
    names = list(dimensions)
    count = ">i8" if version == 5 else ">i4"
    offset = ">i4" if version == 1 else ">i8"

    def number(value, kind=count):
        return np.array(value, kind).tobytes()

    def code(array):
        return number(CODES[array.dtype.str[1:]], ">i4")

    def text(value):
        return number(len(value.encode())) + padded(value.encode())

    def listed(tag, items):
        return number(tag if items else 0, ">i4") + number(len(items)) + b"".join(items)

    def attribute(name, value):
        array = np.frombuffer(value.encode(), "S1") if isinstance(value, str) else np.atleast_1d(value)
        return text(name) + code(array) + number(array.size) + padded(big_endian(array))

    def header(begins):
        described = [text(name) + number(length) for name, length in dimensions.items()]
        items = []
        for (name, (axes, values, attributes)), begin in zip(variables.items(), begins):
            shape = number(len(axes)) + b"".join(number(names.index(axis)) for axis in axes)
            held = listed(ATTRIBUTE, [attribute(*item) for item in attributes.items()])
            size = number(len(padded(values.tobytes())))
            items.append(text(name) + shape + held + code(values) + size + number(begin, offset))
        start = b"CDF" + bytes([version]) + number(0)
        return start + listed(DIMENSION, described) + listed(ATTRIBUTE, []) + listed(VARIABLE, items)

    data = [padded(big_endian(values)) for _, values, _ in variables.values()]
    first = len(header([0] * len(variables)))
    begins = first + np.cumsum([0, *map(len, data)])[: len(data)]
    path.write_bytes(header(begins) + b"".join(data))


def big_endian(array):
    return array.astype(array.dtype.newbyteorder(">")).tobytes()


def padded(data):
    return data + bytes(-len(data) % 4)
