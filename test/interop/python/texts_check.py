"""Characters of NetCDF: which are texts and which are values (TREE-9), against xarray's own readers.

    texts_check.py FOLDER SERVICE_URL

Files like those of Argo are made in FOLDER with netCDF4-python, with a DMR++ sidecar and Kerchunk references beside them; the
service may read that folder. Prints {"compared": number of variables, "failures": [text]}.
"""

import base64
import json
import sys
import warnings
from pathlib import Path

import h5py
import netCDF4
import numpy as np
import xarray as xr

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))
from dmrpp_writer import write_sidecar  # noqa: E402

PROFILES, LEVELS = 3, 5


def main():
    warnings.simplefilter("ignore")
    folder, service = Path(sys.argv[1]), sys.argv[2]
    failures = []
    compared = 0
    for case in cases_in(folder):
        try:
            compared += compare(case, service, failures)
        except Exception as error:
            failures.append(f"{case['id']}: {type(error).__name__}: {str(error)[:300]}")
    json.dump({"compared": compared, "failures": failures}, sys.stdout)


def cases_in(folder):
    for form in ["NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA", "NETCDF4", "NETCDF4_CLASSIC"]:
        path = folder / f"{form.lower()}.nc"
        write_argo(path, form)
        engines = ["netcdf4", "h5netcdf"] if "NETCDF4" in form else ["netcdf4"]
        if form in ("NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET"):
            engines.append("scipy")
        groups = ["", "profiles", "profiles/inner", "flags"] if form == "NETCDF4" else [""]
        for engine in engines:
            for group in groups:
                yield {"id": f"{form} by {engine}, /{group}", "native": path, "engine": engine, "source": path, "group": group}
    for form in ["NETCDF3_CLASSIC", "NETCDF4"]:
        path = folder / f"fixed-{form.lower()}.nc"
        write_argo(path, form, records=None)
        references = path.with_suffix(".json")
        references.write_text(json.dumps({"version": 1, "refs": references_of(path)}))
        yield {"id": f"Kerchunk of {form}", "native": path, "engine": "netcdf4", "source": references, "group": ""}
        if form == "NETCDF4":
            sidecar = path.with_suffix(".nc.dmrpp")
            write_sidecar(path, sidecar)
            for group in ["", "profiles", "flags"]:
                yield {"id": f"DMR++, /{group}", "native": path, "engine": "netcdf4", "source": sidecar, "group": group}


def compare(case, service, failures):
    url = store_url(service, case["source"], case["group"])
    compared = 0
    with xr.open_dataset(case["native"], engine=case["engine"], group=case["group"] or None) as native:
        served = xr.open_dataset(url, engine="zarr")
        for name, expected in native.variables.items():
            compared += 1
            if name not in served.variables:
                failures.append(f"{case['id']}: {name} is absent")
                continue
            actual = served[name]
            one, other = in_words(expected.values), in_words(actual.values)
            if expected.dims != actual.dims or not same(one, other):
                failures.append(f"{case['id']}: {name} {actual.dims} {other!r}, expected {expected.dims} {one!r}")
    return compared


def store_url(service, source, group):
    word = base64.urlsafe_b64encode(source.as_uri().encode()).decode().rstrip("=")
    return f"{service}zarr/~{word}{';group=' + group if group else ''}/"


def in_words(values):
    """Text as text: native readers give bytes."""
    if values.dtype.kind not in "SOUT":
        return values.tolist()
    return np.vectorize(lambda item: item.decode() if isinstance(item, bytes) else item, otypes=[object])(values).tolist()


def same(one, other):
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(same, one, other))
    return one == other or (one != one and other != other)


def write_argo(path, form, records=2):
    with netCDF4.Dataset(path, "w", format=form) as file:
        dimensions = {"N_PROF": PROFILES, "N_LEVELS": LEVELS, "N_PARAM": 2, "letter": 4, "square": 3}
        for name, length in {**dimensions, "STRING4": 4, "STRING8": 8, "STRING5": 5, "shared": 3}.items():
            file.createDimension(name, length)
        number(file, "TEMP", ("N_PROF", "N_LEVELS"))
        # Values of their own.
        characters(file, "TEMP_QC", ("N_PROF", "N_LEVELS"), b"1111114 111111 ", b" ")
        characters(file, "DATA_MODE", ("N_PROF",), b"RDA", b" ")
        characters(file, "letter", ("letter",), b"abcd")
        characters(file, "letters", ("N_PROF", "letter"), b"abcdefgh    ")
        characters(file, "one", (), b"~")
        characters(file, "before", ("shared", "STRING8"), b"abcdefgh12345678ABCDEFGH")
        characters(file, "after", ("N_PROF", "shared"), b"abcdefghi")
        # Texts.
        characters(file, "PLATFORM_NUMBER", ("N_PROF", "STRING8"), b"1900722 " + b" " * 8 + b"6901234 ", b" ")
        characters(file, "PARAMETERS", ("N_PROF", "N_PARAM", "STRING4"), b"TEMPPSALTEMP    PRESPSA\0")
        characters(file, "DATA_TYPE", ("STRING8",), b"Argo\0\0\0\0")
        characters(file, "blank_is_missing", ("N_PROF", "STRING4"), b"a\0\0\0" + b"\0" * 4 + b"abcd", b"a")
        encoded = characters(file, "encoded", ("N_PROF", "STRING5"), "été".encode() + b"abcdexyz\0\0")
        encoded._Encoding = "utf-8"
        if records is not None:
            file.createDimension("N_HISTORY", None)
            characters(file, "ACTION", ("N_HISTORY", "N_PROF", "STRING4"), b"IPxxQC  CF  IPxxQC  C\0\0\0", rows=records)
            characters(file, "FLAG", ("N_HISTORY",), b"ab", rows=records)
            file.createVariable("VALUE", "f8", ("N_HISTORY",))[:records] = [1, 2]
        if form == "NETCDF4":
            # Dimensions of the root, each group's variables by themselves: there STRING8 is a dimension of data, N_LEVELS one of texts.
            profiles = file.createGroup("profiles")
            number(profiles, "value", ("N_PROF", "STRING8"))
            characters(profiles, "flags", ("N_PROF", "STRING8"), b"abcdefgh12345678ABCDEFGH")
            characters(profiles, "names", ("N_PROF", "N_LEVELS"), b"abcdefghijklmno")
            inner = profiles.createGroup("inner")
            inner.createDimension("STRING8", 8)
            characters(inner, "names", ("N_PROF", "STRING8"), b"abcdefgh12345678ABCDEFGH")
            flags = file.createGroup("flags")
            characters(flags, "mode", ("N_PROF",), b"RDA")
            number(flags, "depth", ("N_PROF",))


def number(group, name, dimensions):
    variable = group.createVariable(name, "f4", dimensions, fill_value=np.float32(99999))
    variable[:] = np.arange(np.prod(variable.shape), dtype="f4").reshape(variable.shape)


def characters(group, name, dimensions, values, fill=None, rows=None):
    variable = group.createVariable(name, "S1", dimensions, fill_value=fill)
    variable.set_auto_mask(False)
    variable.set_auto_chartostring(False)
    shape = variable.shape if rows is None else (rows, *variable.shape[1:])
    data = np.frombuffer(values, "S1").reshape(shape)
    if rows is None:
        variable[...] = data
    else:
        variable[:rows] = data
    return variable


def references_of(path):
    """One reference a variable, as Kerchunk writes them; values lie together in both formats."""
    stored = path.read_bytes()
    references = {".zgroup": '{"zarr_format":2}'}
    with netCDF4.Dataset(path) as file:
        for name, variable in file.variables.items():
            variable.set_auto_maskandscale(False)
            variable.set_auto_chartostring(False)
            endian = "" if variable.dtype == "S1" else "<" if path.name.endswith("netcdf4.nc") else ">"
            values = np.ma.getdata(variable[...])
            data = values.tobytes() if endian == "" else values.astype(endian + variable.dtype.str[1:]).tobytes()
            offset = h5py.File(path)[name].id.get_offset() if endian == "<" else stored.index(data)
            array = {
                "zarr_format": 2, "shape": variable.shape, "chunks": variable.shape, "order": "C", "filters": None,
                "compressor": None, "fill_value": None, "dtype": "|S1" if endian == "" else endian + variable.dtype.str[1:],
            }  # fmt: skip
            attributes = {key: variable.getncattr(key) for key in variable.ncattrs()}
            if "_FillValue" in attributes:
                fill = attributes["_FillValue"]
                attributes["_FillValue"] = fill.decode() if endian == "" else float(fill)
            references[f"{name}/.zarray"] = json.dumps(array)
            references[f"{name}/.zattrs"] = json.dumps({"_ARRAY_DIMENSIONS": variable.dimensions, **attributes})
            key = "0" if variable.ndim == 0 else ".".join("0" * variable.ndim)
            references[f"{name}/{key}"] = [path.as_uri(), offset, len(data)]
    return references


main()
