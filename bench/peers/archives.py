"""GRIB and HDF4 for the benchmark: archives.py make FOLDER, or archives.py decode FOLDER.

`make` writes a field of a quarter of a degree in every packing (PACKING.grib) and modis.hdf: data sets of 2,000 compressed chunks.
`decode` prints how many MB of float32 ecCodes decodes of each in a second of processor time.
"""

import ctypes
import json
import os
import sys
import time
from pathlib import Path

import eccodes as ec
import numpy as np

COLUMNS, ROWS = 1440, 721
HDF4_NAMES = ("EV_250_Aggr1km_RefSB", "EV_1KM_Emissive")
SECONDS = 1.0
SIMPLE = {f"simple_{bits}": ("grid_simple", bits, False) for bits in (8, 12, 16, 24)}
GRIB2 = {
    **SIMPLE,
    "simple_12_bitmap": ("grid_simple", 12, True),
    "ieee": ("grid_ieee", 32, False),
    "complex": ("grid_complex", 16, False),
    "complex_spd": ("grid_complex_spatial_differencing", 16, False),
    "jpeg2000": ("grid_jpeg", 16, False),
    "png": ("grid_png", 16, False),
    "ccsds": ("grid_ccsds", 16, False),
}
GRIB1 = {
    "grib1_simple_16": ("grid_simple", 16, False),
    "grib1_second_order": ("grid_second_order", 16, False),
    "grib1_row_by_row": ("grid_second_order_no_SPD", 16, False),
}


def message(edition, packing, bits, has_bitmap):
    handle = ec.codes_grib_new_from_samples(f"regular_ll_sfc_grib{edition}")
    for key, value in {"Ni": COLUMNS, "Nj": ROWS, "iDirectionIncrementInDegrees": 0.25, "jDirectionIncrementInDegrees": 0.25}.items():
        ec.codes_set(handle, key, value)
    for key, value in {"First": (90, 0), "Last": (-90, 359.75)}.items():
        ec.codes_set(handle, f"latitudeOf{key}GridPointInDegrees", value[0])
        ec.codes_set(handle, f"longitudeOf{key}GridPointInDegrees", value[1])
    x, y = np.meshgrid(np.linspace(0, 20, COLUMNS), np.linspace(0, 9, ROWS))
    noise = np.random.default_rng(1).normal(0, 0.2, x.shape)
    values = (np.sin(x) * np.cos(y) * 30 + 280 + noise).ravel()
    if has_bitmap:
        ec.codes_set(handle, "bitmapPresent", 1)
        ec.codes_set(handle, "missingValue", 1e30)
        values[np.random.default_rng(2).random(values.size) < 0.3] = 1e30
    ec.codes_set_values(handle, values)
    ec.codes_set(handle, "packingType", packing)
    ec.codes_set(handle, *(("precision", 1) if packing == "grid_ieee" else ("bitsPerValue", bits)))
    ec.codes_set_values(handle, values)
    return ec.codes_get_message(handle)


class Chunks(ctypes.Structure):
    _fields_ = [("lengths", ctypes.c_int32 * 32), ("rest", ctypes.c_int32 * 40)]


def make_hdf4(path):
    import pyhdf
    from pyhdf.SD import SD, SDC

    libraries = Path(pyhdf.__file__).parent.parent / "pyhdf.libs"
    ctypes.CDLL(str(next(libraries.glob("libdf-*"))), mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(str(next(libraries.glob("libmfhdf-*"))))
    file = SD(str(path), SDC.WRITE | SDC.CREATE)
    for name in HDF4_NAMES:
        data = file.create(name, SDC.INT16, (10, 2000, 1400))
        chunks = Chunks()
        chunks.lengths[:3] = [1, 200, 140]
        # HDF_CHUNK | HDF_COMP, deflate of level 1.
        chunks.rest[0], chunks.rest[2] = 4, 1
        assert library.SDsetchunk(data._id, chunks, 3) == 0
        data[:] = np.random.default_rng(3).integers(0, 4000, (10, 2000, 1400)).astype("int16")
        data.endaccess()
    file.end()


def make(folder):
    for edition, cases in ((2, GRIB2), (1, GRIB1)):
        for label, case in cases.items():
            (folder / f"{label}.grib").write_bytes(message(edition, *case))
    make_hdf4(folder / "modis.hdf")


def decode(folder):
    rates = {}
    for label in [*GRIB2, *GRIB1]:
        data = (folder / f"{label}.grib").read_bytes()
        handle = ec.codes_new_from_message(data)
        ec.codes_get_values(handle)
        ec.codes_release(handle)
        count, start = 0, time.process_time()
        while time.process_time() - start < SECONDS:
            # A message is decoded anew each time, as by who reads a file.
            handle = ec.codes_new_from_message(data)
            ec.codes_get_values(handle)
            ec.codes_release(handle)
            count += 1
        rates[label] = count * COLUMNS * ROWS * 4 / 1e6 / (time.process_time() - start)
    print(json.dumps(rates))


if __name__ == "__main__":
    os.makedirs(sys.argv[2], exist_ok=True)
    {"make": make, "decode": decode}[sys.argv[1]](Path(sys.argv[2]))
