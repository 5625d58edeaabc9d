"""Compares `missing=mask` with what rasterio reads as masked: `tiff_masks_check.py JOB`; writes files to its folder first.

Prints [failure, ...]. A case: {"id", "source": path, "url": URL of the store without the option}; a job without cases: {"folder"}.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import rasterio
import rioxarray
import tifffile
import xarray as xr
import zarr
from affine import Affine
from rasterio.enums import MaskFlags, Resampling
from rasterio.shutil import copy

warnings.simplefilter("ignore")
HEIGHT, WIDTH = 150, 211
ROWS, COLUMNS = np.mgrid[:HEIGHT, :WIDTH]
PLACE = {"crs": "EPSG:32631", "transform": Affine(10, 0, 500_000, 0, -10, 4_600_000)}
TILED = {"tiled": True, "blockxsize": 64, "blockysize": 32}
# An island, two holes in it, one pixel by itself: none of them along a tile.
VALID = ((COLUMNS - 100) ** 2 + (2 * ROWS - 150) ** 2 < 9_000) & ~((ROWS % 40 == 7) & (COLUMNS % 13 < 5)) | (ROWS + COLUMNS == 0)
# Overviews that GDAL makes.
LEVELS = {"overviews": [2, 4]}


def write(folder):
    folder = Path(folder)
    for dtype in ("uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64", "complex64"):
        make(folder / f"type-{dtype}.tif", dtype=dtype, compress="deflate", **TILED)
    for nodata in (0, 7, 255):
        make(folder / f"nodata-{nodata}.tif", nodata=nodata, compress="deflate", **TILED, **LEVELS)
    make(folder / "nodata-float.tif", dtype="float32", nodata=-9999, compress="lzw", predictor=3, **TILED, **LEVELS)
    make(folder / "nodata-nan.tif", dtype="float32", nodata=np.nan, compress="deflate", **TILED)
    make(folder / "int64.tif", dtype="int64", **TILED)
    for interleave in ("pixel", "band"):
        make(folder / f"bands-{interleave}.tif", count=3, interleave=interleave, compress="deflate", **TILED, **LEVELS)
        make(folder / f"strips-{interleave}.tif", count=2, interleave=interleave, dtype="int16")
        make(folder / f"sparse-{interleave}.tif", count=2, interleave=interleave, dtype="float32", nodata=-1, part=True, **TILED)
    make(folder / "strips-deflate.tif", compress="deflate", blockysize=7)
    make(folder / "strips-big.tif", dtype="uint16", blockysize=7, endianness="big", bigtiff="yes", **LEVELS)
    make(folder / "sparse.tif", part=True, compress="deflate", **TILED)
    make(folder / "jpeg.tif", count=3, photometric="ycbcr", compress="jpeg", **TILED, **LEVELS)
    make(folder / "jpeg-grey.tif", compress="jpeg", jpeg_quality=90, blockysize=32)
    make(folder / "all.tif", compress="deflate", valid=VALID | True, **TILED)
    make(folder / "none.tif", compress="deflate", valid=VALID & False, **TILED)
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True):
        copy(folder / "bands-pixel.tif", folder / "cog.tif", driver="COG", blocksize=128)
        copy(folder / "jpeg.tif", folder / "cog-jpeg.tif", driver="COG", compress="jpeg", blocksize=128)
    for name, options in (
        ("byte", {"mask": VALID * np.uint8(255)}),
        ("grades", {"mask": VALID * (1 + COLUMNS % 255).astype("uint8"), "tile": (48, 80), "compression": "zlib"}),
        ("one-strip", {"mask": VALID * np.uint8(1), "rowsperstrip": HEIGHT}),
        ("bits", {"mask": VALID, "tile": (16, 16)}),
        ("bands", {"mask": np.stack([VALID, ~VALID, VALID & (ROWS > 70)]) * np.uint8(255), "planarconfig": "separate", "tile": (64, 64)}),
        ("bands-together", {"mask": np.stack([VALID, ~VALID, VALID & (ROWS > 70)], axis=-1) * np.uint8(255), "planarconfig": "contig", "rowsperstrip": 20}),
    ):
        path = folder / f"mask-{name}.tif"
        with tifffile.TiffWriter(path) as file:
            file.write(np.stack([values("uint8", band) for band in range(3)], axis=-1), photometric="rgb", tile=(32, 64), compression="zlib")
            file.write(options.pop("mask"), photometric="minisblack", subfiletype=1, **options)
        # tifffile writes no masks of more than one bit.
        with tifffile.TiffFile(path, mode="r+") as file:
            file.pages[1].tags["NewSubfileType"].overwrite(4)


def values(dtype, band=0):
    """Every value of 8 bits, also those that are nodata in some file, also where the mask says that they are valid."""
    numbers = (ROWS * 31 + COLUMNS * 7 + band * 50) % 256
    if dtype == "int8":
        return (numbers - 128).astype(dtype)
    if dtype == "complex64":
        return (numbers + 1j * COLUMNS).astype(dtype)
    if np.dtype(dtype).kind == "f":
        return np.where(ROWS % 9 == 4, -9999, numbers / 3).astype(dtype)
    return numbers.astype(dtype) if np.dtype(dtype).itemsize < 4 else (np.iinfo(dtype).max - numbers).astype(dtype)


def make(path, valid=VALID, part=False, overviews=(), count=1, dtype="uint8", **options):
    """With `part`, most blocks of data and some of the mask are never written."""
    profile = {"driver": "GTiff", "height": HEIGHT, "width": WIDTH, "count": count, "dtype": dtype, **PLACE, **options}
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True):
        with rasterio.open(path, "w", sparse_ok=part, **profile) as file:
            window = rasterio.windows.Window(64, 32, 64, 64) if part else None
            data = np.stack([values(dtype, band) for band in range(count)])
            file.write(data[:, 32:96, 64:128] if part else data, window=window)
            wide = rasterio.windows.Window(0, 0, WIDTH, 96) if part else None
            file.write_mask(valid[:96] if part else valid, window=wide)
            if overviews:
                file.build_overviews(list(overviews), Resampling.nearest)


def check(case):
    with rasterio.open(case["source"]) as file:
        levels = [None, *range(len(file.overviews(1)))]
        unmasked = [flags for flags in file.mask_flag_enums if MaskFlags.all_valid in flags or MaskFlags.nodata in flags]
    if unmasked:
        yield f"rasterio sees no mask: {unmasked}"
    for level in levels:
        group = None if level is None else str(level + 1)
        with rasterio.open(case["source"], **({} if level is None else {"overview_level": level})) as file:
            expected = file.read(masked=True)
        try:
            yield from differences(case, group, expected)
        except Exception as error:
            yield f"{group}: {type(error).__name__}: {str(error)[:300]}"
    yield from type_differences(case)


def differences(case, group, expected):
    """xarray shows NaN where rasterio masks, and the numbers of all other points."""
    missing = np.ma.getmaskarray(expected)
    with xr.open_dataset(f"{case['url'][:-1]};missing=mask/", engine="zarr", group=group, chunks=None) as served:
        if case["id"].startswith("int64"):
            if "band_data" in served:
                yield "64-bit integers are served"
            return
        array = served["band_data"].values.reshape(expected.shape)
    if not np.array_equal(np.isnan(array), missing):
        yield f"{group}: {int((np.isnan(array) != missing).sum())} points are masked otherwise"
    values, plain = array[~missing], expected.data[~missing]
    if not np.array_equal(values, plain):
        yield f"{group}: {int((values != plain).sum())} of {plain.size} values differ"


def type_differences(case):
    """The type is the one that rioxarray gives masked values; zarr-python, which decodes nothing, reads the same numbers."""
    if case["id"].startswith("int64"):
        return
    dtype = rioxarray.open_rasterio(case["source"], masked=True).dtype
    array = zarr.open_group(f"{case['url'][:-1]};missing=mask;codecs=raw/", mode="r")["band_data"]
    if array.dtype != dtype:
        yield f"the type is {array.dtype}, in rioxarray {dtype}"
    with xr.open_dataset(f"{case['url'][:-1]};missing=mask/", engine="zarr", chunks=None) as served:
        if served["band_data"].dtype != dtype:
            yield f"xarray shows {served['band_data'].dtype}, rioxarray {dtype}"
        if not np.array_equal(served["band_data"].values, array[:], equal_nan=True):
            yield "zarr-python and xarray differ"
    if not np.isnan(array.fill_value):
        yield f"the fill value is {array.fill_value}"


def main():
    job = json.load(open(sys.argv[1]))
    if "cases" not in job:
        write(job["folder"])
        return
    json.dump([f"{case['id']}: {failure}" for case in job["cases"] for failure in check(case)], sys.stdout)


main()
