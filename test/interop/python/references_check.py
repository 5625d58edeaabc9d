"""The export of each example, read by the tools that references are for: values as in the source, by a library of its format.

xarray's engine "kerchunk" (of the package kerchunk), fsspec's reference filesystem below zarr-python, and VirtualiZarr's readers of both
forms. None of them shares code with what reads the source, but for references that are a source themselves.
"""

import json
import os
import sys
import warnings
from importlib.metadata import version

import fsspec
import imagecodecs.numcodecs
import netCDF4
import numpy as np
import rasterio
import xarray as xr
import zarr
from astropy.io import fits
from obstore.store import HTTPStore, LocalStore
from obspec_utils.registry import ObjectStoreRegistry
from virtual_tiff.imagecodecs import DeltaCodec
from virtualizarr.parsers import KerchunkJSONParser, KerchunkParquetParser
from zarr.registry import register_codec

RAW = {"mask_and_scale": False, "decode_times": False, "decode_coords": False, "concat_characters": False}


def main():
    warnings.simplefilter("ignore")
    imagecodecs.numcodecs.register_codecs(verbose=False)
    # VirtualiZarr puts this prefix before every name of a Kerchunk document.
    register_codec("numcodecs.imagecodecs_delta", type("Delta", (DeltaCodec,), {"from_dict": classmethod(delta_from_dict)}))
    rows = []
    for case in json.load(open(sys.argv[1]))["cases"]:
        expected = SOURCES[case["format"]](case["source"])
        has_groups = any("/" in path for path in expected)
        for form in ("refs", "set"):
            for client, read in CLIENTS.items():
                # fsspec's list of a set's keys fails with groups, whoever wrote it.
                if form == "set" and client == "VirtualiZarr" and has_groups:
                    continue
                rows.append(checked(f"{client}, {form}", case, expected, lambda: read(case[form], case, expected)))
    json.dump({"rows": rows}, sys.stdout)


def delta_from_dict(cls, data):
    return cls(**data["configuration"])


def checked(client, case, expected, read):
    row = {"client": client, "case": case["id"], "read": 0, "failures": []}
    try:
        for path, values in read():
            row["read"] += 1
            row["failures"] += [f"{path}: {line}" for line in differences(expected[path], np.asarray(values))]
    except Exception as error:
        row["failures"].append(f"{type(error).__name__}: {str(error)[:300]}")
    return row


def differences(expected, found):
    if expected.shape != found.shape:
        yield f"shape {found.shape}, expected {expected.shape}"
    elif expected.dtype.kind in "OUST" or found.dtype.kind in "OUST":
        if texts(expected) != texts(found):
            yield f"{texts(found)[:3]}, expected {texts(expected)[:3]}"
    elif expected.dtype.newbyteorder("<") != found.dtype.newbyteorder("<"):
        yield f"data type {found.dtype}, expected {expected.dtype}"
    elif little(expected) != little(found):
        yield f"{found.ravel()[:3]}, expected {expected.ravel()[:3]}"


def texts(values):
    return [item.decode() if isinstance(item, bytes) else str(item) for item in values.ravel().tolist()]


def little(values):
    return np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<"))).tobytes()


def kerchunk_engine(refs, case, expected):
    """Raw values, and where xarray reads the source as well, what it makes of them. Of groups the engine sees nothing, whoever wrote them."""
    # Without the protocol fsspec looks for one among the keys, which in a set with groups it can't list.
    engine = {"engine": "kerchunk", "storage_options": {"remote_protocol": "http"}}
    with xr.open_dataset(refs, **engine, **RAW) as dataset:
        for path in (path for path in expected if "/" not in path):
            yield path, dataset[path].values
    if case["format"] == "netcdf":
        with xr.open_dataset(refs, **engine) as mine, xr.open_dataset(case["source"]) as its:
            for name in its.variables:
                np.testing.assert_array_equal(mine[name].values, its[name].values, err_msg=f"{name}, decoded")


def fsspec_zarr(refs, case, expected):
    options = {"asynchronous": True}
    filesystem = fsspec.filesystem("reference", fo=refs, asynchronous=True, remote_protocol="http", remote_options=options)
    root = zarr.open_group(zarr.storage.FsspecStore(filesystem, path="", read_only=True), mode="r", zarr_format=2)
    for path in expected:
        yield path, root[path][...]


def virtualizarr(refs, case, expected):
    """Left out is what VirtualiZarr can't read, whoever wrote it."""
    registry = ObjectStoreRegistry({
        case["origin"]: HTTPStore.from_url(case["origin"], client_options={"allow_http": True}),
        "file://": LocalStore(),
    })
    is_set = not refs.endswith(".json")
    references = json.load(open(case["refs"]))["refs"]
    paths = {key[: -len("/.zarray")] for key in references if key.endswith("/.zarray")}
    left = {path for path in paths if unreadable(path, references)}
    for group in {path.rpartition("/")[0] for path in paths - left}:
        parser = KerchunkParquetParser if is_set else KerchunkJSONParser
        names = {path.rpartition("/")[2] for path in left if path.rpartition("/")[0] == group}
        store = parser(group=group or None, skip_variables=names)(url=f"file://{refs}", registry=registry)
        root = zarr.open_group(store, mode="r", zarr_format=3)
        for path in (path for path in paths - left if path.rpartition("/")[0] == group and path in expected):
            yield path, root[path.rpartition("/")[2]][...]
        if case["format"] == "netcdf":
            with xr.open_zarr(store, consolidated=False, zarr_format=3) as mine, xr.open_dataset(case["source"], group=group or None) as its:
                for name in mine.variables:
                    np.testing.assert_array_equal(mine[name].values, its[name].values, err_msg=f"{name}, decoded")


def unreadable(path, references):
    """Text; up to 2.5 inline references (its issue 489), scalars, and arrays whose last chunks are missing, too: it took the grid from what is there."""
    array = json.loads(references[f"{path}/.zarray"])
    if [int(number) for number in version("virtualizarr").split(".")[:2]] >= [2, 8]:
        return array["dtype"] == "|O"
    last = ".".join(str((length - 1) // chunk) for length, chunk in zip(array["shape"], array["chunks"]))
    chunks = [value for key, value in references.items() if key.rpartition("/")[0] == path and not key.startswith(f"{path}/.z")]
    inline = any(isinstance(value, str) for value in chunks)
    return inline or array["dtype"] == "|O" or array["shape"] == [] or f"{path}/{last}" not in references


CLIENTS = {"kerchunk engine": kerchunk_engine, "fsspec and zarr-python": fsspec_zarr, "VirtualiZarr": virtualizarr}


def netcdf(path):
    def read(group, prefix):
        for name, variable in group.variables.items():
            yield prefix + name, np.asarray(variable[...])
        for name, child in group.groups.items():
            yield from read(child, f"{prefix}{name}/")

    with netCDF4.Dataset(path) as dataset:
        dataset.set_auto_maskandscale(False)
        dataset.set_auto_chartostring(False)
        return dict(read(dataset, ""))


def zarr_folder(path):
    store = zarr.storage.ZipStore(path, mode="r") if path.endswith(".zip") else zarr.storage.LocalStore(path, read_only=True)
    return {name: np.asarray(node[...]) for name, node in zarr.open_group(store, mode="r").members(max_depth=None) if isinstance(node, zarr.Array)}


def raster(path):
    levels = {}
    with rasterio.open(path) as image:
        factors = image.overviews(1)
    for level in range(len(factors) + 1):
        with rasterio.open(path, **({} if level == 0 else {"overview_level": level - 1})) as image:
            centres = np.arange(max(image.shape)) + 0.5
            x = image.transform.c + image.transform.a * centres[: image.width]
            y = image.transform.f + image.transform.e * centres[: image.height]
            found = {"band_data": image.read(1), "x": x, "y": y}
        levels |= {f"{level}/{name}": values for name, values in found.items()}
        if level == 0:
            levels |= found
    return levels


def tables(path):
    with fits.open(path, do_not_scale_image_data=True) as file:
        rows = file["SOURCES"].data
        lengths = [len(row) for row in rows["spectrum"]]
        spectrum = np.full((len(rows), max(lengths)), np.nan, "f4")
        for row, values in zip(spectrum, rows["spectrum"]):
            row[: len(values)] = values
        columns = {name: np.asarray(rows[name]) for name in ("name", "x", "y", "flags", "variable")} | {"spectrum": spectrum}
        found = {"SCI": np.asarray(file["SCI"].data), "ERR": np.asarray(file["ERR"].data)}
        return found | {f"SOURCES/{name}": values for name, values in columns.items()}


def references(path):
    """The source is a document of references: by fsspec, which made nothing of it here."""
    # Its references are relative, to fsspec that is: to where the process stands.
    os.chdir(os.path.dirname(path))
    options = {"simple_templates": False, "remote_protocol": "file"}
    filesystem = fsspec.filesystem("reference", fo=path, asynchronous=True, **options)
    root = zarr.open_group(zarr.storage.FsspecStore(filesystem, path="", read_only=True), mode="r", zarr_format=2)
    return {name: np.asarray(node[...]) for name, node in root.members(max_depth=None) if isinstance(node, zarr.Array)}


SOURCES = {"netcdf": netcdf, "zarr": zarr_folder, "tiff": raster, "fits": tables, "kerchunk": references}

main()
