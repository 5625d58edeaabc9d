"""Reads every FITS file of a job file (argv[1]) through the running service, beside astropy; prints a JSON report.

A case: {"id", "source": path, "url": store URL}. The report: {"rows": [{"client", "case", "read", "failures": [text]}]}.
"""

import json
import sys
import urllib.request
import warnings

import numpy as np
import tensorstore
import xarray as xr
import zarr
from astropy import units
from astropy.io import fits
from astropy.wcs import WCS


def main():
    warnings.simplefilter("ignore")
    job = json.load(open(sys.argv[1]))
    rows = []
    for case in job["cases"]:
        for client, read in (("zarr-python", read_raw), ("tensorstore", read_tensorstore), ("xarray", read_decoded)):
            row = {"client": client, "case": case["id"], "read": 0, "failures": []}
            try:
                read(case, row)
            except Exception as error:
                row["failures"].append(f"{type(error).__name__}: {str(error)[:300]}")
            rows.append(row)
    json.dump({"rows": rows}, sys.stdout)


def documents_of(case):
    with urllib.request.urlopen(case["url"] + "zarr.json") as reply:
        root = json.load(reply)
    return root["consolidated_metadata"]["metadata"]


def path_of(documents, index):
    return next(path for path, node in documents.items() if node["attributes"].get("hdu") == index and "/" not in path)


def native_arrays(case, documents):
    """What astropy reads as it is stored, by the served path."""
    with fits.open(case["source"], do_not_scale_image_data=True, memmap=False) as opened:
        for index, hdu in enumerate(opened):
            if isinstance(hdu, fits.BinTableHDU) and not isinstance(hdu, fits.CompImageHDU):
                yield from native_columns(hdu, path_of(documents, index), documents)
            elif hdu.is_image and not isinstance(hdu, fits.GroupsHDU) and hdu.data is not None:
                yield path_of(documents, index), hdu.data


def native_columns(hdu, group, documents):
    raw = np.asarray(hdu.data)
    for column in hdu.columns:
        served = documents.get(f"{group}/{column.name}")
        if served is None or "P" in column.format or "Q" in column.format:
            continue
        values = raw[column.name]
        if served["data_type"] == "bool":
            values = values.view("i1") == ord("T")
        yield f"{group}/{column.name}", values


def same(values, expected):
    values, expected = np.asarray(values), np.asarray(expected)
    if values.shape != expected.shape:
        return f"shape {values.shape} instead of {expected.shape}"
    if expected.dtype.kind == "S":
        texts = [item.decode("latin-1").rstrip(" ") for item in expected.ravel().tolist()]
        return None if [str(item) for item in values.ravel().tolist()] == texts else "texts differ"
    expected = expected.astype(expected.dtype.newbyteorder("="))
    if values.dtype != expected.dtype:
        return f"type {values.dtype} instead of {expected.dtype}"
    return None if values.tobytes() == np.ascontiguousarray(expected).tobytes() else "values differ"


def note(row, path, problem):
    if problem is None:
        row["read"] += 1
    else:
        row["failures"].append(f"{path}: {problem}")


def read_raw(case, row):
    """TEST-2: values as they are stored."""
    root = zarr.open_group(case["url"], mode="r")
    for path, expected in native_arrays(case, documents_of(case)):
        note(row, path, same(root[path][...], expected))


def read_tensorstore(case, row):
    for path, expected in native_arrays(case, documents_of(case)):
        if expected.dtype.kind == "S":
            continue
        kvstore = {"driver": "http", "base_url": f"{case['url']}{path}/"}
        array = tensorstore.open({"driver": "zarr3", "kvstore": kvstore}).result()
        note(row, path, same(array.read().result(), expected))


def read_decoded(case, row):
    """TEST-1: images masked and scaled by xarray as by astropy."""
    documents = documents_of(case)
    dataset = xr.open_zarr(case["url"], chunks=None, decode_times=False)
    with fits.open(case["source"], memmap=False, uint=False) as opened:
        for index, hdu in enumerate(opened):
            if not hdu.is_image or isinstance(hdu, fits.GroupsHDU) or hdu.data is None:
                continue
            path = path_of(documents, index)
            served = dataset[path].values.astype("f8")
            expected = np.asarray(hdu.data).astype("f8")
            # astropy scales in float32: rounding is that of the largest number on the way.
            rounding = 1e-6 * np.nanmax(np.abs(expected), initial=0) + 1e-6 * abs(hdu.header.get("BZERO", 0))
            equal = served.shape == expected.shape and np.allclose(served, expected, rtol=1e-6, atol=rounding, equal_nan=True)
            note(row, path, None if equal else "decoded values differ")
            for problem in coordinate_problems(dataset[path], hdu.header):
                note(row, path, problem)


def coordinate_problems(served, header):
    """Coordinates are the values of astropy.wcs, in the unit of the header; an axis that depends on others has none."""
    try:
        world = WCS(header)
        world.wcs.set()
    except Exception:  # headers that wcslib refuses say nothing about coordinates
        return
    matrix = world.axis_correlation_matrix
    for axis, name in enumerate(reversed(served.dims)):
        # An image that says nothing of its axes shares those of the first of its shape.
        described = any(f"{word}{axis + 1}" in header for word in ("CTYPE", "CRVAL", "CRPIX", "CDELT"))
        if name not in served.coords or not described:
            continue
        numbers = np.flatnonzero(matrix[:, axis])
        if len(numbers) != 1 or matrix[numbers[0]].sum() != 1:
            yield f"{name} has a coordinate, and depends on several axes"
            continue
        pixels = [np.zeros(served.sizes[name])] * world.pixel_n_dim
        pixels[axis] = np.arange(served.sizes[name])
        values = world.all_pix2world(*pixels, 0)[numbers[0]] * world.wcs.cunit[numbers[0]]
        unit = served[name].attrs.get("units")
        expected = values.value if unit is None else values.to(units.Unit(unit)).value
        if not np.allclose(served[name].values, expected, rtol=1e-12, atol=0):
            yield f"coordinate {name} is {served[name].values[:3]} instead of {expected[:3]}"


main()
