"""Compares files with the stores that the service makes of them: `compare_files.py SERVICE`, a job a line on standard input.

A job: {"path": file or folder, "format": name}. The answer, a line each: {"compared": number of arrays, "differences": [{"array", "what",
"reference", "ours"}], "refused": the service's refusal, "unread": why the reference reader can't read it}. Values of long arrays are
compared in boxes at their beginning, middle and end.
"""

import base64
import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request
import warnings
import zipfile

import numpy as np
import xarray as xr
import zarr

import oracle

MAX_VALUES = 1_500_000
MAX_BOX_VALUES = 200_000
MAX_TEXTS = 20_000
MAX_DIRECTORIES = 12
MAX_CHUNKS = 3_000


class Refused(Exception):
    """The service answered with a typed refusal."""


class Unread(Exception):
    """The reference reader can't read the file."""


class Comparison:
    def __init__(self, service, path):
        self.service = service
        self.path = path
        self.compared = 0
        self.differences = []

    def store(self, options=""):
        url = urllib.parse.urlunsplit(("file", "", urllib.parse.quote(self.path), "", ""))
        url = url.replace("file:/", "file:///", 1) if not url.startswith("file:///") else url
        return f"{self.service}zarr/~{base64.urlsafe_b64encode(url.encode()).decode().rstrip('=')}{options}/"

    def documents(self, options=""):
        """The documents of a store by path. A refusal that is no fault of the service's own is no difference."""
        try:
            with urllib.request.urlopen(self.store(options) + "zarr.json", timeout=60) as reply:
                root = json.load(reply)
        except urllib.error.HTTPError as error:
            body = error.read().decode(errors="replace")
            try:
                detail = json.loads(body).get("detail", body)
            except ValueError:
                detail = body
            if error.code >= 500 and error.code != 501:
                self.differ("", "status", "readable", f"{error.code} {detail}")
            raise Refused(f"{error.code} {detail}") from error
        return {"": root, **root.get("consolidated_metadata", {}).get("metadata", {})}

    def differ(self, array, what, reference, ours):
        self.differences.append({"array": array, "what": what, "reference": brief(reference), "ours": brief(ours)})

    def equal(self, array, what, reference, ours, rtol=0.0, atol=0.0):
        """Counts the pair, and notes where it differs. NaNs are equal; text is compared as text."""
        self.compared += 1
        one, other = np.asarray(reference), np.asarray(ours)
        if one.shape != other.shape:
            return self.differ(array, f"{what}: shape", one.shape, other.shape)
        if one.dtype.kind in "OSUT" or other.dtype.kind in "OSUT":
            one, other = texts(one), texts(other)
            unlike = np.array([a != b for a, b in zip(one.ravel().tolist(), other.ravel().tolist())], bool).reshape(one.shape)
        else:
            if one.dtype.newbyteorder("=") != other.dtype.newbyteorder("="):
                self.differ(array, f"{what}: type", one.dtype, other.dtype)
            with np.errstate(all="ignore"):
                unlike = unlike_numbers(one, other, rtol, atol)
        if unlike.any():
            first = tuple(int(index[0]) for index in np.nonzero(np.atleast_1d(unlike)))
            pair = [np.atleast_1d(values)[first] for values in (one, other)]
            self.differ(array, f"{what} at {','.join(map(str, first))}, {unlike.sum()} of {unlike.size}", *pair)


def unlike_numbers(one, other, rtol, atol):
    if one.dtype.kind in "mMbV" or other.dtype.kind in "mMbV":
        nat = np.isnat(one) & np.isnat(other) if one.dtype.kind in "mM" and other.dtype.kind in "mM" else False
        return (one != other) & ~nat
    unlike = one != other
    if one.dtype.kind in "fc":
        unlike &= ~(np.isnan(one) & np.isnan(other))
        if rtol or atol:
            unlike &= ~(np.abs(one - other) <= atol + rtol * np.abs(one))
    return unlike


def brief(value):
    if isinstance(value, float) or isinstance(value, np.floating):
        return repr(float(value))
    return str(value)[:300]


def texts(values):
    out = np.empty(values.shape, dtype=object)
    flat = out.reshape(-1)
    for index, item in enumerate(values.reshape(-1).tolist()):
        flat[index] = oracle.text_of(item).rstrip("\0") if isinstance(item, bytes) else str(item).rstrip("\0")
    return out


def boxes(shape, max_values=MAX_VALUES):
    """Where values are compared: all of a short array, else boxes at its beginning, middle and end."""
    if not shape or int(np.prod(shape, dtype=object)) <= max_values:
        return [tuple(slice(None) for _ in shape)]
    lengths = list(shape)
    while int(np.prod(lengths, dtype=object)) > MAX_BOX_VALUES:
        longest = int(np.argmax(lengths))
        lengths[longest] = (lengths[longest] + 1) // 2
    starts = ([0] * len(shape), [(n - k) // 2 for n, k in zip(shape, lengths)], [n - k for n, k in zip(shape, lengths)])
    return [tuple(slice(first, first + length) for first, length in zip(start, lengths)) for start in starts]


def served_root(url):
    return zarr.open(url, mode="r")


def original_of(attributes):
    return attributes.get("virtual_zarr:name", attributes.get("original_name"))


def arrays_by_original(documents):
    """Served arrays by the paths that their source has for them."""
    originals = {}

    def source_path(path):
        if path == "":
            return ""
        if path not in originals:
            parent, _, name = path.rpartition("/")
            own = original_of(documents[path].get("attributes", {}))
            above = source_path(parent) if parent in documents else parent
            originals[path] = f"{above}/{own if isinstance(own, str) else name}".lstrip("/")
        return originals[path]

    paths = [path for path, node in documents.items() if node["node_type"] == "array"]
    # An attribute of that name may be the source's own.
    return {**{path: path for path in paths}, **{source_path(path): path for path in paths}}


def skipped(documents):
    attributes = documents[""].get("attributes", {}).get("virtual_zarr", {})
    return set(attributes.get("skipped", {}))


# ---------------------------------------------------------------- TIFF and VRT, beside rasterio


def compare_tiff(comparison):
    import rasterio

    try:
        native = rasterio.open(comparison.path)
    except (rasterio.errors.RasterioError, rasterio.errors.RasterioIOError) as error:
        raise Unread(f"rasterio: {error}") from error
    with native:
        documents = comparison.documents()
        if native.count and native.crs is not None or not native.transform.is_identity:
            compare_georeference(comparison, documents, native)
        compare_image(comparison, documents, "", native)
        for level in range(len(native.overviews(1)) if native.count else 0):
            if f"{level + 1}/band_data" in documents:
                try:
                    with rasterio.open(comparison.path, overview_level=level) as overview:
                        compare_image(comparison, documents, f"{level + 1}/", overview)
                except rasterio.errors.RasterioError:
                    pass
    if not comparison.path.lower().endswith(".vrt"):
        compare_directories(comparison)


def compare_image(comparison, documents, group, native):
    """Values and nodata of an image, as far as its bands are one array or one each."""
    import rasterio

    root = served_root(comparison.store())
    one = f"{group}band_data"
    arrays = [one] if one in documents else [f"{group}band_{number}" for number in native.indexes]
    if any(name not in documents for name in arrays):
        if not any(name in path for name in ("band_data", "band_1") for path in skipped(documents)):
            comparison.differ(group or "/", "arrays", "band_data or band_1, …", [path for path, node in documents.items() if node["node_type"] == "array"][:6])
        return
    if "t" in (documents[arrays[0]].get("dimension_names") or []) or len(set(documents[arrays[0]].get("dimension_names") or []) & {"c", "z", "t"}):
        return
    for place, name in enumerate(arrays):
        bands = list(native.indexes) if name == one else [native.indexes[place]]
        array = root[name]
        attributes = documents[name]["attributes"]
        compare_meaning(comparison, name, attributes, native, bands)
        for box in boxes((len(bands), native.height, native.width)):
            rows, columns = box[1].indices(native.height), box[2].indices(native.width)
            window = rasterio.windows.Window(columns[0], rows[0], columns[1] - columns[0], rows[1] - rows[0])
            chosen = bands[box[0]]
            try:
                expected = native.read(chosen, window=window)
                masks = native.read_masks(chosen, window=window)
            except (rasterio.errors.RasterioError, ValueError) as error:
                raise Unread(f"rasterio: {str(error)[:200]}") from error
            served = np.asarray(array[box[1:] if array.ndim == 2 else box])
            expected = expected[0] if array.ndim == 2 and len(chosen) == 1 else expected
            comparison.equal(name, "values", expected, served)
            own = all(len(flags) == 1 and flags[0] in (rasterio.enums.MaskFlags.nodata, rasterio.enums.MaskFlags.all_valid) for flags in native.mask_flag_enums)
            if own and served.shape == expected.shape:
                compare_mask(comparison, name, attributes, served, expected, masks.reshape(expected.shape))


def compare_mask(comparison, name, attributes, served, expected, masks):
    """What a client masks by `_FillValue` is what GDAL's mask has as missing."""
    fill = attributes.get("_FillValue")
    fill = fill_of(fill, served.dtype)
    with np.errstate(all="ignore"):
        missing = np.zeros(served.shape, bool) if fill is None else (np.isnan(served) if fill != fill else served == fill)
        nan = np.isnan(served) if served.dtype.kind in "fc" else np.zeros(served.shape, bool)
    comparison.equal(name, "mask", (masks == 0) | nan, missing | nan)


def fill_of(spelled, dtype):
    """The value that `_FillValue` of a document spells; None where it is none of the type."""
    if isinstance(spelled, list) and len(spelled) == 2 and dtype.kind == "c":
        parts = [fill_of(part, np.dtype("f8")) for part in spelled]
        return None if None in parts else np.asarray(complex(*parts)).astype(dtype)[()]
    if spelled is None or isinstance(spelled, (list, dict)):
        return None
    if isinstance(spelled, str) and spelled not in ("NaN", "Infinity", "-Infinity"):
        try:
            raw = base64.b64decode(spelled, validate=True)
            return np.frombuffer(raw, np.float64 if len(raw) == 8 else dtype)[0].astype(dtype)
        except ValueError:
            return None
    return np.asarray(float(spelled) if isinstance(spelled, (str, float)) else spelled).astype(dtype)[()]


def compare_meaning(comparison, name, attributes, native, bands):
    numbers = [band - 1 for band in bands]
    for key, values, empty in [("scale_factor", native.scales, 1.0), ("add_offset", native.offsets, 0.0)]:
        wanted = [values[number] for number in numbers]
        if len(set(wanted)) == 1:
            comparison.equal(name, key, float(wanted[0]), float(attributes.get(key, empty)))
        elif f"band_{key}" not in attributes:
            comparison.differ(name, key, wanted, attributes.get(key))
    nodata = [native.nodatavals[number] for number in numbers]
    if len(set(map(str, nodata))) == 1 and nodata[0] is not None:
        dtype = np.dtype(native.dtypes[numbers[0]])
        fill = fill_of(attributes.get("_FillValue"), dtype)
        if fill is None:
            comparison.differ(name, "nodata", nodata[0], attributes.get("_FillValue"))
        else:
            comparison.equal(name, "nodata", np.asarray(nodata[0]).astype(dtype), np.asarray(fill).astype(dtype))


def compare_georeference(comparison, documents, native):
    attributes = documents.get("spatial_ref", {}).get("attributes", {})
    # GDAL's order: x of the corner, width, rotation, y of the corner, rotation, height.
    served = [float(word) for word in str(attributes.get("GeoTransform", "0 1 0 0 0 1")).split()]
    if not native.transform.is_identity:
        expected = list(native.transform.to_gdal())
        size = max(map(abs, expected)) or 1
        comparison.equal("spatial_ref", "GeoTransform", np.array(expected), np.array(served), rtol=1e-9, atol=1e-12 * size)
    if "x" in documents and "y" in documents and native.transform.is_rectilinear:
        root = served_root(comparison.store())
        for name, length, scale, start in [("x", native.width, native.transform.a, native.transform.c), ("y", native.height, native.transform.e, native.transform.f)]:
            expected = start + (np.arange(length) + 0.5) * scale
            if root[name].shape == expected.shape:
                comparison.equal(name, "coordinates", expected, np.asarray(root[name][...]), rtol=1e-10, atol=abs(scale) * 1e-6)
    if native.crs is not None:
        compare_systems(comparison, attributes, native.crs)


def compare_systems(comparison, attributes, expected):
    """Two systems are one where they take the same points to the same places."""
    from pyproj import CRS, Transformer

    text = attributes.get("crs_wkt")
    if text is None:
        return comparison.differ("spatial_ref", "crs", expected.to_wkt(), None)
    try:
        systems = [CRS.from_wkt(expected.to_wkt()), CRS.from_wkt(text)]
        comparison.compared += 1
        if systems[0] == systems[1] or systems[0].to_wkt() == systems[1].to_wkt():
            return
        points = [0.0, 100.0, -3000.0, 50000.0], [0.0, 100.0, 2000.0, -40000.0]
        if systems[0].is_geographic:
            points = [0.0, 10.0, -30.0, 50.0], [0.0, 10.0, 20.0, -40.0]
        places = [np.array(Transformer.from_crs(crs, systems[0].geodetic_crs, always_xy=True).transform(*points)) for crs in systems]
        comparison.equal("spatial_ref", "crs: places", places[0], places[1], atol=1e-7)
    except Exception as error:  # noqa: BLE001  (PROJ raises many)
        comparison.differ("spatial_ref", "crs", expected.to_wkt(), f"{text} ({error})")


def compare_directories(comparison):
    """Each directory of the file as it is stored."""
    import rasterio

    try:
        documents = comparison.documents(";layout=ifd")
    except Refused:
        return
    root = served_root(comparison.store(";layout=ifd"))
    for number in range(MAX_DIRECTORIES):
        name = str(number)
        if name not in documents:
            continue
        try:
            native = rasterio.open(f"GTIFF_DIR:{number + 1}:{comparison.path}")
        except rasterio.errors.RasterioError:
            continue
        with native:
            if native.width * native.height * native.count > 50_000_000:
                continue
            array = root[name]
            for box in boxes((native.count, native.height, native.width)):
                rows, columns = box[1].indices(native.height), box[2].indices(native.width)
                window = rasterio.windows.Window(columns[0], rows[0], columns[1] - columns[0], rows[1] - rows[0])
                try:
                    expected = native.read(list(native.indexes)[box[0]], window=window)
                except rasterio.errors.RasterioError:
                    break
                served = np.asarray(array[box[1:] if array.ndim == 2 else box])
                comparison.equal(name, "values of the directory", expected[0] if served.ndim == 2 and len(expected) == 1 else expected, served)


# ---------------------------------------------------------------- HDF5 and NetCDF, beside h5py, netCDF4 and xarray


def compare_hdf5(comparison):
    import h5py

    os.chdir(os.path.dirname(comparison.path))
    paths = []

    def visit(name, node):
        # Dimensions that NetCDF keeps as data sets are no variables.
        if isinstance(node, h5py.Dataset) and not is_bare_dimension(node):
            paths.append(name)

    try:
        with h5py.File(comparison.path, "r") as file:
            file.visititems(visit)
    except Exception as error:  # noqa: BLE001
        raise Unread(f"h5py: {error}") from error
    documents = comparison.documents(";codecs=portable")
    by_original = arrays_by_original(documents)
    absent = skipped(documents)
    root = served_root(comparison.store(";codecs=portable"))
    for path, expected in read_datasets(comparison.path, paths):
        served = by_original.get(path, by_original.get(netcdf_name(path)))
        if served is None:
            if path not in absent and not any(path.startswith(f"{name}/") for name in absent):
                comparison.differ(path, "array", f"{expected.dtype} {expected.shape}", "not served")
            continue
        document = documents[served]
        if expected.dtype == "S1":
            expected = oracle.as_served(oracle.OracleArray(expected, None), document).values
        shape = tuple(document["shape"])
        if expected.dtype.names is not None or expected.dtype.kind == "V":
            continue
        own = np.asarray(root[served][...] if served else root[...])
        if own.shape != expected.shape and len(shape) == expected.ndim and all(a >= b for a, b in zip(shape, expected.shape)):
            own = own[tuple(slice(length) for length in expected.shape)]
        comparison.equal(served, "values", expected, own)
    compare_long_datasets(comparison, documents, by_original, paths, root)
    compare_packing(comparison, documents, by_original, paths)
    # The netCDF library crashes on types that only HDF5 has.
    if has_dimensions(comparison.path):
        compare_with_xarray(comparison)


def is_bare_dimension(dataset):
    try:
        name = dataset.attrs.get("NAME", b"")
    except (OSError, TypeError, ValueError, RuntimeError):
        return False
    text = name if isinstance(name, str) else oracle.text_of(bytes(name)) if isinstance(name, bytes) else ""
    return text.startswith("This is a netCDF dimension but not a netCDF variable")


def read_datasets(path, paths):
    """What h5py reads, a data set at a time: one that it fails on costs no other."""
    import hdf5_oracle

    for each in paths:
        try:
            yield from hdf5_oracle.read_arrays(path, [each]).items()
        except (TypeError, ValueError, AttributeError, NotImplementedError, RuntimeError):
            continue


def has_number_type(dataset):
    """Of some types h5py can't say what they are in numpy."""
    try:
        return dataset.dtype.kind in "iufc"
    except (TypeError, ValueError):
        return False


def netcdf_name(path):
    """NetCDF writes variables that are named as dimensions, and are none of theirs, with a prefix."""
    return "/".join(part.removeprefix("_nc4_non_coord_") for part in path.split("/"))


def compare_long_datasets(comparison, documents, by_original, paths, root):
    """What the oracle leaves out for its length: numbers, in boxes."""
    import h5py

    import hdf5_oracle

    with h5py.File(comparison.path, "r") as file:
        for path in paths:
            dataset = file[path]
            served = by_original.get(path)
            if not has_number_type(dataset):
                continue
            if served is None or dataset.shape is None or dataset.dtype.kind not in "iufc" or dataset.size <= hdf5_oracle.MOST_VALUES or dataset.dtype.itemsize > 16:
                continue
            if tuple(documents[served]["shape"]) != dataset.shape:
                comparison.differ(served, "shape", dataset.shape, documents[served]["shape"])
                continue
            for box in boxes(dataset.shape):
                try:
                    expected = dataset[box]
                except (OSError, RuntimeError, ValueError) as error:
                    raise Unread(f"h5py: {path}: {str(error)[:200]}") from error
                comparison.equal(served, "values", expected, np.asarray(root[served][box]))


def compare_packing(comparison, documents, by_original, paths):
    """The attributes that say what a number means."""
    import h5py

    with h5py.File(comparison.path, "r") as file:
        for path in paths:
            dataset, served = file[path], by_original.get(path)
            if served is None or not has_number_type(dataset) or dataset.dtype.kind not in "iuf" or dataset.dtype.itemsize > 8:
                continue
            for key in ("scale_factor", "add_offset", "_FillValue", "units"):
                try:
                    value = dataset.attrs.get(key)
                except (OSError, TypeError, ValueError, RuntimeError):
                    continue
                if isinstance(value, (str, np.ndarray, np.number)) and np.size(value) == 1:
                    value = value if isinstance(value, str) else np.ravel(value)[0]
                    compare_attribute(comparison, served, key, value, documents[served]["attributes"].get(key), dataset.dtype)


def compare_netcdf(comparison):
    import netCDF4

    try:
        netCDF4.Dataset(comparison.path).close()
    except OSError as error:
        raise Unread(f"netCDF4: {error}") from error
    comparison.documents()
    compare_with_xarray(comparison)


def compare_with_xarray(comparison):
    """Values, masks, times, dimensions and attributes, raw and decoded, of each group that xarray reads of a NetCDF file."""
    import netCDF4

    import xarray_check

    try:
        with netCDF4.Dataset(comparison.path) as dataset:
            groups = [path for path in groups_of(dataset, "")]
    except (OSError, RuntimeError, AttributeError, TypeError):
        # It fails on a scalar enumeration, and on records in records.
        return
    for group in groups[:50]:
        for options in ({}, {"decode_cf": False}):
            try:
                native = first_values(xr.open_dataset(comparison.path, group=group or None, engine="netcdf4", **options))
            except Exception:  # noqa: BLE001  (xarray itself can't open it)
                continue
            if not native.variables:
                continue
            try:
                served = first_values(xr.open_zarr(comparison.store(), group=group or None, chunks=None, **options))
            except Exception as error:  # noqa: BLE001
                if native.variables:
                    comparison.differ(group or "/", f"xarray {options}", list(native.variables)[:8], f"{type(error).__name__} {error}")
                continue
            served.attrs.pop("virtual_zarr", None)
            comparison.compared += len(native.variables)
            served = with_same_precision(served, native)
            try:
                lines = xarray_check.differences(*xarray_check.comparable(served, native))
            except ValueError as error:
                # A scalar sequence is no variable that xarray can write down again.
                if "must have the same length as the number of data dimensions" in str(error):
                    continue
                raise
            for line in lines:
                if "phony_dim_" in line and "dimensions (" in line:
                    continue
                # xarray hides attributes that begin so.
                if re.search(": attribute _nc", line, re.IGNORECASE):
                    continue
                # Enumerations of FALSE and TRUE are booleans to h5py and to the service.
                if "type bool instead of int8" in line:
                    continue
                # Records are a group of their fields, sequences two arrays: xarray's Zarr reader knows neither.
                if "only in native" in line and is_record(native, line):
                    continue
                comparison.differ(f"{group}", f"xarray {'decoded' if not options else 'raw'}: {re.split('[:]| instead| only', line)[0]}", "xarray's own reader", line)


def with_same_precision(served, native):
    """A scale factor of 32 bits has no type in JSON: xarray unpacks by it in double, which ends in other digits."""
    out = served.copy()
    for name in set(served.variables) & set(native.variables):
        one, other = native[name], served[name]
        if one.dtype == "float32" and other.dtype == "float64" and one.shape == other.shape and {"scale_factor", "add_offset"} & set(other.encoding):
            size = np.nanmax(np.abs(one.values), initial=0) + abs(float(other.encoding.get("add_offset", 0)))
            if np.allclose(one.values, other.values, rtol=1e-6, atol=float(size) * 1e-6, equal_nan=True):
                out[name] = (other.dims, one.values, other.attrs)
        elif one.dtype.kind == other.dtype.kind == "i" and "scale_factor" in other.encoding and np.array_equal(one.values, other.values):
            out[name] = (other.dims, one.values, other.attrs)
    return out


def is_record(native, line):
    name = re.sub("^variable (.*) only in native$", r"\1", line)
    return name in native.variables and (native[name].dtype.names is not None or native[name].dtype.kind == "O")


def has_dimensions(path):
    """Whether a file was written as NetCDF: what is only HDF5 has no dimension scales, as a rule."""
    import h5py

    with h5py.File(path, "r") as file:
        scales = []

        def visit(_name, node):
            if isinstance(node, h5py.Dataset):
                scales.append("DIMENSION_LIST" in node.attrs)

        try:
            file.visititems(visit)
            return "_NCProperties" in file.attrs or any(scales)
        except RuntimeError:
            return False


def first_values(dataset):
    """Loaded; of long arrays the beginning."""
    sizes = {name: length for name, length in dataset.sizes.items()}
    while sizes and max((int(np.prod([sizes[d] for d in v.dims], dtype=object)) for v in dataset.variables.values()), default=0) > MAX_VALUES:
        longest = max(sizes, key=lambda name: sizes[name])
        sizes[longest] = (sizes[longest] + 1) // 2
    cut = {name: slice(length) for name, length in sizes.items() if length < dataset.sizes[name]}
    return (dataset.isel(cut) if cut else dataset).load()


def groups_of(group, path):
    yield path
    for name, child in group.groups.items():
        yield from groups_of(child, f"{path}/{name}" if path else name)


# ---------------------------------------------------------------- FITS, beside astropy


def compare_fits(comparison):
    from astropy.io import fits

    try:
        opened = fits.open(comparison.path, do_not_scale_image_data=True, memmap=False)
        opened.verify("silentfix")
        count = len(opened)
    except Exception as error:  # noqa: BLE001
        raise Unread(f"astropy: {error}") from error
    documents = comparison.documents()
    root = served_root(comparison.store())
    by_number = {node["attributes"].get("hdu"): path for path, node in documents.items() if "/" not in path and path != ""}
    with opened:
        for number in range(count):
            hdu = opened[number]
            path = by_number.get(number)
            try:
                is_image = hdu.is_image and not isinstance(hdu, fits.GroupsHDU)
                data = hdu.data
            except Exception:  # noqa: BLE001  (of one that astropy can't read nothing is known)
                continue
            if data is None or getattr(data, "size", 1) == 0 or type(hdu).__name__ in ("_NonstandardHDU", "NonstandardExtHDU"):
                continue
            if path is None:
                if not any(str(hdu.name) in name or f"HDU{number}" in name for name in skipped(documents)) and not isinstance(hdu, fits.GroupsHDU):
                    comparison.differ(f"HDU {number} {hdu.name}", "array", getattr(data, "shape", None), "not served")
            elif is_image:
                for box in boxes(data.shape):
                    comparison.equal(path, "values", data[box], np.asarray(root[path][box]))
                compare_fits_meaning(comparison, documents[path]["attributes"], path, hdu)
            elif isinstance(hdu, (fits.BinTableHDU,)) and not isinstance(hdu, fits.CompImageHDU):
                compare_columns(comparison, documents, root, path, hdu)


def compare_fits_meaning(comparison, attributes, path, hdu):
    header = hdu.header
    for key, keyword, empty in [("scale_factor", "BSCALE", 1), ("add_offset", "BZERO", 0)]:
        wanted = header.get(f"_{keyword}", header.get(keyword, empty))
        if isinstance(wanted, (int, float)):
            comparison.equal(path, key, float(wanted), float(attributes.get(key, empty)))
    blank = header.get("BLANK")
    if isinstance(blank, int) and hdu.header["BITPIX"] > 0:
        comparison.equal(path, "BLANK", blank, attributes.get("_FillValue", None) or 0)


def compare_columns(comparison, documents, root, group, hdu):
    raw = np.asarray(hdu.data)
    for column in hdu.columns:
        served = f"{group}/{column.name}"
        if served not in documents or documents[served]["node_type"] != "array" or "P" in column.format or "Q" in column.format or "X" in column.format:
            continue
        values = raw[column.name]
        if documents[served]["data_type"] == "bool":
            values = values.view("i1") == ord("T")
        if values.dtype.kind == "S":
            values = np.array([oracle.text_of(item).split("\0")[0].rstrip(" ") for item in values.ravel().tolist()], dtype=object).reshape(values.shape)
        for box in boxes(values.shape, MAX_TEXTS if values.dtype.kind == "O" else MAX_VALUES):
            comparison.equal(served, "values", values[box], np.asarray(root[served][box]))


# ---------------------------------------------------------------- HDF4, beside the HDF library through pyhdf


def compare_hdf4(comparison):
    import hdf4_library

    try:
        sets = hdf4_library.data_sets(comparison.path)
    except Exception as error:  # noqa: BLE001
        raise Unread(f"pyhdf: {error}") from error
    documents = comparison.documents()
    root = served_root(comparison.store())
    for name, dimensions, shape, expected, attributes in sets:
        served = next((path for path in (name, re.sub("[/%]| $", "_", name)) if path in documents), None)
        if served is None:
            served = next((path for path, node in documents.items() if original_of(node.get("attributes", {})) == name), None)
        if served is None or documents[served]["node_type"] != "array":
            if name not in skipped(documents):
                comparison.differ(name, "array", f"{shape}", "not served")
            continue
        if 0 in shape:
            comparison.equal(served, "shape", np.array(shape), np.array(documents[served]["shape"]))
            continue
        own = np.asarray(root[served][...])
        if expected.dtype == "S1":
            own = np.array([str(text).encode("latin-1") for text in own.ravel().tolist()], "S1").reshape(own.shape)
        comparison.equal(served, "values", expected, own)
        if tuple(documents[served].get("dimension_names") or ()) != tuple(dimensions) and len(set(dimensions)) == len(dimensions):
            comparison.differ(served, "dimensions", dimensions, documents[served].get("dimension_names"))
        for key in ("scale_factor", "add_offset", "_FillValue", "missing_value", "valid_range", "units", "long_name"):
            if key in attributes and expected.dtype != "S1":
                compare_attribute(comparison, served, key, attributes[key], documents[served]["attributes"].get(key), expected.dtype)


def compare_attribute(comparison, array, key, reference, ours, dtype):
    comparison.compared += 1
    if key == "_FillValue":
        ours = fill_of(ours, dtype)
    if isinstance(reference, (str, bytes)) or isinstance(ours, str) or ours is None:
        same = str(reference).rstrip("\0") == str(ours).rstrip("\0")
    else:
        same = np.array_equal(np.ravel(np.asarray(reference, "f8")), np.ravel(np.asarray(ours, "f8")), equal_nan=True)
    if not same:
        comparison.differ(array, key, reference, ours)


# ---------------------------------------------------------------- GRIB, beside ecCodes through cfgrib


def compare_grib(comparison):
    import cfgrib
    import grib_sweep

    try:
        datasets = cfgrib.open_datasets(comparison.path, backend_kwargs={"indexpath": ""})
    except Exception as error:  # noqa: BLE001
        raise Unread(f"cfgrib: {error}") from error
    comparison.documents()
    exact = grib_sweep.same

    def nearly_same(own, other, tolerance=0):
        """Projected points end in other digits; a millionth of a degree is a decimetre."""
        return exact(own, other, tolerance and max(tolerance, 1e-6))

    grib_sweep.same = nearly_same
    tree = xr.open_datatree(comparison.store(), engine="zarr")
    groups = {node.path.strip("/"): node.to_dataset(inherit=True) for node in tree.subtree}
    for dataset in datasets:
        comparison.compared += len(dataset.variables)
        for line in grib_sweep.differences(groups, dataset):
            comparison.differ(line.split(":")[0][:100], "cfgrib", "cfgrib's dataset", line)
    grib_sweep.same = exact


# ---------------------------------------------------------------- Zarr, beside zarr-python


def compare_zarr(comparison):
    path = comparison.path
    try:
        store = zarr.storage.ZipStore(path, mode="r") if path.endswith(".zip") else zarr.storage.LocalStore(path, read_only=True)
        node = zarr.open(store, mode="r")
        if path.endswith(".zip"):
            # What an archive has around its hierarchy is no part of the store.
            with zipfile.ZipFile(path) as archive:
                roots = sorted((name.rpartition("/")[0] for name in archive.namelist() if name.rpartition("/")[2] in (".zgroup", ".zarray", "zarr.json", ".zmetadata")), key=len)
            prefix = roots[0] if roots else ""
            node = node[prefix] if prefix else node
        members = {"": node} if isinstance(node, zarr.Array) else dict(node.members(max_depth=None))
    except Exception as error:  # noqa: BLE001
        raise Unread(f"zarr-python: {type(error).__name__} {str(error)[:200]}") from error
    documents = comparison.documents(";codecs=portable")
    by_original = arrays_by_original(documents)
    root = served_root(comparison.store(";codecs=portable"))
    for name, array in members.items():
        if not isinstance(array, zarr.Array):
            continue
        try:
            expected = {box: np.asarray(array[box] if array.shape else array[...]) for box in map(tuple, boxes(array.shape))}
        except Exception:  # noqa: BLE001  (zarr-python lacks a codec, or the chunk is damaged)
            continue
        for box, values in expected.items():
            for part_name, part in oracle.portable(name, oracle.OracleArray(values, None)).items():
                served = by_original.get(part_name)
                if served is None:
                    if not any(part_name == each or part_name.startswith(f"{each}/") for each in skipped(documents)):
                        comparison.differ(part_name, "array", f"{array.dtype} {array.shape}", "not served")
                    continue
                own = root if served == "" else root[served]
                values = oracle.as_served(part, documents[served]).values
                comparison.equal(served, "values", values, np.asarray(own[box] if own.shape else own[...]))


FORMATS = {
    "tiff": compare_tiff,
    "vrt": compare_tiff,
    "hdf5": compare_hdf5,
    "netcdf3": compare_netcdf,
    "fits": compare_fits,
    "hdf4": compare_hdf4,
    "grib": compare_grib,
    "zarr": compare_zarr,
}


def result_of(service, job):
    comparison = Comparison(service, job["path"])
    result = {}
    try:
        FORMATS[job["format"]](comparison)
    except Refused as error:
        result["refused"] = str(error)
    except Unread as error:
        result["unread"] = str(error)[:400]
    except Exception as error:  # noqa: BLE001  (a client that fails on what is served is a difference)
        comparison.differ("", "failure of the client", "no failure", f"{type(error).__name__}: {str(error)[:400]}")
    return {**result, "compared": comparison.compared, "differences": comparison.differences[:200]}


def main():
    warnings.simplefilter("ignore")
    service = sys.argv[1]
    answers = os.fdopen(os.dup(1), "w")
    # Libraries print to standard output and error as they like.
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    for line in sys.stdin:
        answers.write(json.dumps(result_of(service, json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
