"""Reads every TIFF of a job file (argv[1]) through the running service, beside rasterio and the golden files; prints a JSON report.

A case: {"id", "source": path, "url": store URL, "flat": URL of the store with layout=ifd, "golden": the golden file's entry or null}.
The report: {"rows": [{"client", "case", "read", "failures": [text]}]}.
"""

import hashlib
import json
import re
import sys
import warnings

import numpy as np
import rasterio
import rioxarray  # noqa: F401  (adds .rio)
import tensorstore
import xarray as xr
import zarr

import image_codecs  # noqa: F401  (registers codecs)

MOST_PIXELS = 3e7

# (case id, failure, reason): everything else that differs is a failure.
DOCUMENTED = [
    ("ArcGIS-2.0.1", "^crs", "PROJ guesses another datum for a name of ArcGIS, ETRS_1989"),
    ("WGS_1984_Web_Mercator", "^crs", "GDAL knows the name as ESRI:102113; the projection is the same sphere"),
    ("VerticalCitationGeoKey_only", "^crs", "GDAL takes the undefined vertical datum for the last one of its table"),
    ("gdal-3376", "^crs None", "a plane of unknown unit without a place on Earth is told, and no reference system"),
    ("nt_20201024", "^crs .*6378273,298.279411", "a withdrawn code, EPSG:3412: served by the definition that its keys spell out, which is the same"),
    ("cmyk", "^values", "GDAL turns CMYK into RGBA; the stored samples are served"),
    ("fill-xml-", "^nodata", "FV-TIFF-1: GDAL does not know nodata values in the XML"),
    ("nodata-float16", "^nodata", "FV-TIFF-3: the value is that of the type; GDAL 3.10 has no float16"),
    ("nodata-uint64", "^nodata", "rasterio has no nodata value beyond 2^63"),
    ("cint_sar", "^crs", "rasterio keeps the system of control points apart from that of the image"),
]


def main():
    warnings.simplefilter("ignore")
    job = json.load(open(sys.argv[1]))
    rows = []
    for case in job["cases"]:
        for client, read in (("xarray and rioxarray", read_dataset), ("zarr-python", read_flat), ("zarr-python, native", read_native), ("tensorstore", read_tensorstore)):
            row = {"client": client, "case": case["id"], "read": 0, "failures": []}
            try:
                read(case, row)
            except Exception as error:
                row["failures"].append(f"{type(error).__name__}: {str(error)[:300]}")
            row["failures"] = [failure for failure in row["failures"] if not is_documented(case, failure)]
            rows.append(row)
    json.dump({"rows": rows}, sys.stdout)


def is_documented(case, failure):
    return any(part in case["id"] and re.search(pattern, failure) for part, pattern, _ in DOCUMENTED)


def read_dataset(case, row):
    """Place, nodata and values equal rasterio's: TEST-1, FV-TIFF-15."""
    try:
        native = rasterio.open(case["source"])
    except rasterio.errors.RasterioIOError:
        return
    if native.width * native.height > MOST_PIXELS:
        return
    with xr.open_dataset(case["url"], engine="zarr", chunks=None) as served:
        # Bands that differ in scale, offset or nodata value are arrays of their own.
        bands = [None] if "band_data" in served else range(native.count)
        for band in bands:
            array = served["band_data" if band is None else f"band_{band + 1}"]
            row["failures"] += [*place_differences(served, array, native), *nodata_differences(array, native)]
            if not has_older_libjpeg(native):
                row["failures"] += value_differences(array, native, band)
        row["read"] += 1


def place_differences(served, array, native):
    if served.rio.crs != native.crs:
        yield f"crs {served.rio.crs} instead of {native.crs}"
    transform = array.rio.transform() if "spatial_ref" in served else rasterio.Affine.identity()
    if not np.allclose(list(transform)[:6], list(native.transform)[:6], rtol=1e-9, atol=1e-12):
        yield f"transform {list(transform)} instead of {list(native.transform)}"
    if "x" not in array.coords:
        return
    bounds = native.bounds
    expected = (min(bounds[0], bounds[2]), min(bounds[1], bounds[3]), max(bounds[0], bounds[2]), max(bounds[1], bounds[3]))
    if not np.allclose(array.rio.bounds(), expected, rtol=1e-9):
        yield f"bounds {array.rio.bounds()} instead of {expected}"


def nodata_differences(array, native):
    served = array.rio.encoded_nodata
    if (served is None) != (native.nodata is None):
        yield f"nodata {served} instead of {native.nodata}"
    elif served is not None:
        expected = np.array(native.nodata).astype(native.dtypes[0])
        if not np.array_equal(np.array(served).astype(expected.dtype), expected, equal_nan=expected.dtype.kind in "fc"):
            yield f"nodata {served} instead of {native.nodata}"


def value_differences(array, native, band=None):
    raw = native.read() if band is None else native.read([band + 1])
    if band is not None:
        found = (array.encoding.get("scale_factor", 1), array.encoding.get("add_offset", 0))
        if found != (native.scales[band], native.offsets[band]):
            yield f"band {band + 1}: scale and offset {found} instead of {(native.scales[band], native.offsets[band])}"
    expected = raw if raw.shape[0] > 1 or array.ndim == 3 else raw[0]
    if array.encoding.get("_FillValue") is not None:
        fill = array.encoding["_FillValue"]
        missing = np.isnan(expected) if np.isnan(fill) else expected == np.array(fill).astype(expected.dtype)
        expected = np.where(missing, np.nan, expected.astype(array.dtype))
    scale, offset = array.encoding.get("scale_factor", 1), array.encoding.get("add_offset", 0)
    packed = "scale_factor" in array.encoding or "add_offset" in array.encoding
    if packed:
        expected = expected * scale + offset
    same = np.allclose(array.values, expected, rtol=1e-6, equal_nan=True) if packed else equal(array.values, expected)
    if not same:
        yield f"values differ: {array.values.ravel()[:5]} instead of {expected.ravel()[:5]}"


def equal(one, other):
    return one.shape == other.shape and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")


def has_older_libjpeg(native):
    """rasterio 1.4, the last for Python 3.11, brings libjpeg 9, which no other GDAL has: its colours of half the resolution are others."""
    is_older = tuple(int(number) for number in rasterio.__version__.split(".")[:2]) < (1, 5)
    return is_older and native.profile.get("compress") == "jpeg" and native.profile.get("photometric") == "ycbcr"


def golden_arrays(case):
    for name, golden in ((case["golden"] or {}).get("arrays") or {}).items():
        if golden.get("sha256") and golden.get("expect", "ok") == "ok" and np.prod(golden["shape"]) < 1e8:
            yield name, golden


def read_flat(case, row):
    """TEST-2: the values of each directory, as they are stored."""
    for name, golden in golden_arrays(case):
        group = zarr.open_group(case["flat"], mode="r")
        compare(row, name, golden, np.asarray(group[name][...]))


def read_native(case, row):
    """The stored bytes, by the codecs that imagecodecs has too."""
    for name, golden in golden_arrays(case):
        group = zarr.open_group(case["flat"].replace(";layout=ifd", ";layout=ifd;codecs=native"), mode="r")
        compare(row, name, golden, np.asarray(group[name][...]))


def read_tensorstore(case, row):
    for name, golden in golden_arrays(case):
        store = {"driver": "http", "base_url": f"{case['flat']}{name}/"}
        array = tensorstore.open({"driver": "zarr3", "kvstore": store}).result()
        compare(row, name, golden, array.read().result())


def compare(row, name, golden, values):
    little = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<")))
    if hashlib.sha256(little.tobytes()).hexdigest() == golden["sha256"]:
        row["read"] += 1
    else:
        row["failures"].append(f"{name}: values differ")


main()
