"""Compares TIFFs whose bands differ in scale, offset or nodata value with rasterio: `bands_check.py JOB`; writes files to its folder first.

Prints [failure, ...]. A case: {"id", "source": path, "url": store URL, "levels": URL of the same store with layout=levels}; a job without
cases: {"folder"}.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import rasterio
import rasterio.shutil
import xarray as xr
import zarr
from affine import Affine

warnings.simplefilter("ignore")
HEIGHT, WIDTH = 75, 90
TILED = {"tiled": True, "blockxsize": 32, "blockysize": 16}
DEFLATE = {"compress": "deflate", "predictor": 2}


def write(folder):
    folder = Path(folder)
    for interleave in ("pixel", "band"):
        layouts = {
            "strips": {"blockysize": 7},
            "merged": {"blockysize": 1},
            "tiles": TILED,
            "merged-deflate": {"blockysize": 3, **DEFLATE},
            "strips-deflate": {"blockysize": 32, **DEFLATE},
            "tiles-deflate": {**TILED, **DEFLATE},
            "tiles-big": {**TILED, "ENDIANNESS": "BIG"},
            "tiles-sparse": {**TILED, "SPARSE_OK": "TRUE", "compress": "lzw"},
            "merged-sparse": {"blockysize": 1, "SPARSE_OK": "TRUE"},
        }
        for name, options in layouts.items():
            make(folder / f"{interleave}-{name}.tif", interleave=interleave, nodata=-9999, **options)
        make(folder / f"{interleave}-float.tif", interleave=interleave, dtype="float32", nodata=np.nan, predictor=3, compress="deflate", **TILED)
        make(folder / f"{interleave}-bytes.tif", interleave=interleave, dtype="uint8", nodata=255, **TILED)
        # Overviews inside the file, and a mask for all bands.
        with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True, GDAL_TIFF_OVR_BLOCKSIZE=64):
            path = folder / f"{interleave}-overviews.tif"
            make(path, interleave=interleave, nodata=-9999, **TILED, **DEFLATE)
            with rasterio.open(path, "r+") as file:
                file.build_overviews([2, 4])
            make(folder / f"{interleave}-masked.tif", lambda file: file.write_mask(mask()), interleave=interleave, **TILED)
        # What PAM says: scales of two bands, one of them beside that of the file; nodata values of two bands.
        path = folder / f"{interleave}-pam.tif"
        make(path, None, interleave=interleave, scales=None, **TILED)
        bands = {1: "<Scale>0.25</Scale>", 3: "<Offset>-273.15</Offset><UnitType>K</UnitType><Description>third</Description>"}
        pam(path, bands)
        # GDAL looks beside every file, the service where the file lacks a nodata value or a place.
        path = folder / f"{interleave}-pam-nodata.tif"
        make(path, None, interleave=interleave, nodata=-9999, scales=None, placed=False, **TILED)
        pam(path, {1: "<NoDataValue>5</NoDataValue>", 2: "<NoDataValue>-9999.0</NoDataValue>"})
        path = folder / f"{interleave}-pam-sparse.tif"
        make(path, None, interleave=interleave, scales=None, SPARSE_OK="TRUE", blockysize=1)
        pam(path, {1: "<NoDataValue>5</NoDataValue>", 2: "<NoDataValue>7</NoDataValue>", 3: "<NoDataValue>9</NoDataValue>"})
        path = folder / f"{interleave}-pam-over.tif"
        make(path, None, interleave=interleave, **TILED)
        pam(path, {2: "<Scale>4</Scale>"})


    for name in ("pixel-tiles", "band-merged-deflate", "pixel-pam"):
        rasterio.shutil.copy(folder / f"{name}.tif", folder / f"{name}.vrt", driver="VRT")


def pam(path, bands):
    text = "".join(f'<PAMRasterBand band="{band}">{content}</PAMRasterBand>' for band, content in bands.items())
    Path(f"{path}.aux.xml").write_text(f"<PAMDataset>{text}</PAMDataset>")


def mask():
    return (np.arange(HEIGHT * WIDTH).reshape(HEIGHT, WIDTH) % 7 > 2).astype("u1") * 255


def make(path, more=None, dtype="int16", scales=(0.5, 0.01, 1), count=3, placed=True, **options):
    place = {"crs": "EPSG:32631", "transform": Affine(30, 0, 500_000, 0, -30, 4_600_000)} if placed else {}
    values = np.random.default_rng(7).integers(0, 200, (count, HEIGHT, WIDTH)).astype(dtype)
    nodata = options.get("nodata")
    if nodata is not None:
        values[:, 3:9, 5:50] = nodata
    with rasterio.open(path, "w", driver="GTiff", width=WIDTH, height=HEIGHT, count=count, dtype=dtype, **place, **options) as file:
        # Sparse files lack their middle rows.
        if "SPARSE_OK" in options:
            for top, bottom in ((0, 17), (50, HEIGHT)):
                file.write(values[:, top:bottom], window=((top, bottom), (0, WIDTH)))
        else:
            file.write(values)
        if scales is not None:
            file.scales = scales
            file.offsets = (0, 100, -3)
            file.set_band_unit(1, "m")
            file.set_band_unit(3, "K")
            for band in range(1, count + 1):
                file.set_band_description(band, f"name {band}")
                file.update_tags(band, kind=f"of {band}")
        file.update_tags(title="of all")
        if more is not None:
            more(file)


def problems(case):
    with rasterio.open(case["source"]) as file:
        levels = len(file.overviews(1))
    if case["id"].endswith(".vrt"):
        yield from problems_of_level(case["source"], case["url"], None, None)
        return
    store = zarr.open_group(case["url"], mode="r")
    tree = zarr.open_group(case["levels"], mode="r")
    names = sorted(name for name in store if name.startswith("band"))
    yield from differing("names at the root", names, NAMES)
    if names != NAMES:
        return
    yield from differing("names in layout=levels", sorted(name for name, _group in tree.groups() if name != "mask"), [str(level) for level in range(levels + 1)])
    places = [(case["url"], None, None)] + [(case["levels"], str(level), level - 1 if level > 0 else None) for level in range(levels + 1)]
    places += [(case["url"], str(level), level - 1 if level > 0 else None) for level in range(levels + 1)] if levels > 0 else []
    for url, group, level in places:
        where = f"{'levels ' if url == case['levels'] else ''}{group or 'root'}"
        for problem in problems_of_level(case["source"], url, group, level):
            yield f"{where}: {problem}"
    with rasterio.open(case["source"]) as file:
        if "-masked" in case["id"]:
            masked = xr.open_dataset(case["masked"], engine="zarr", mask_and_scale=False, chunks=None)
            expected = file.read(masked=True).astype("float32").filled(np.nan)
            yield from differing("values with missing=mask", [np.array_equal(masked[name].values, expected[at], equal_nan=True) for at, name in enumerate(NAMES)], [True] * 3)


NAMES = ["band_1", "band_2", "band_3"]


def problems_of_level(source, url, group, level):
    options = {} if level is None else {"overview_level": level}
    raw = xr.open_dataset(url, engine="zarr", group=group, mask_and_scale=False, chunks=None)
    decoded = xr.open_dataset(url, engine="zarr", group=group, chunks=None)
    with rasterio.open(source, **options) as file, rasterio.open(source) as full:
        values = file.read()
        masks = file.read_masks()
        for at, name in enumerate(NAMES):
            served = raw[name]
            yield from differing(f"dimensions of {name}", list(served.dims), ["y", "x"])
            if not np.array_equal(served.values, values[at], equal_nan=values.dtype.kind == "f"):
                yield f"values of {name} differ, {np.count_nonzero(served.values != values[at])} of {values[at].size}"
            # GDAL keeps what values mean with the image, whose overviews share it.
            scale, offset = full.scales[at], full.offsets[at]
            yield from differing(f"scale of {name}", served.attrs.get("scale_factor", 1), scale)
            yield from differing(f"offset of {name}", served.attrs.get("add_offset", 0), offset)
            yield from differing(f"units of {name}", served.attrs.get("units"), full.units[at] or None)
            yield from differing(f"description of {name}", served.attrs.get("long_name"), full.descriptions[at])
            yield from differing(f"nodata of {name}", str(served.attrs.get("_FillValue")), str(nodata(file.nodatavals[at], values.dtype)))
            if level is None:
                yield from differing(f"kind of {name}", served.attrs.get("kind"), full.tags(at + 1).get("kind"))
                yield from differing(f"title of {name}", served.attrs.get("title"), "of all")
            physical = np.where((masks[at] > 0) | (full.nodatavals[at] is None), values[at] * np.float64(scale) + offset, np.nan)
            if not np.allclose(decoded[name].values, physical, rtol=1e-5, atol=1e-5, equal_nan=True):
                yield f"decoded values of {name} differ"


def nodata(value, dtype):
    return None if value is None else dtype.type(value)


def differing(what, found, expected):
    if found != expected:
        yield f"{what} {found!r} instead of {expected!r}"[:400]


def main():
    job = json.load(open(sys.argv[1]))
    if "cases" not in job:
        write(job["folder"])
        return
    print(json.dumps([f"{case['id']}: {problem}" for case in job["cases"] for problem in problems(case)]))


main()
