"""xarray: a served store against xarray's own reading of the source, raw and decoded, attributes and warnings included."""

import warnings

import numpy as np
import xarray as xr

from oracle import text_of


def open_served(url, group, consolidated, options):
    return xr.open_zarr(url, group=group or None, consolidated=consolidated, chunks=None, **options)


def open_native(case, group, options):
    """The source in xarray's own reader; None where it has none (a Zarr store without dimension names), or several (`joins_check.py`)."""
    if case["format"] == "netcdf3":
        return xr.open_dataset(case["source"], engine="netcdf4", **options)
    if case["format"] == "join" or case["source"].endswith(".zip"):
        return None
    return xr.open_zarr(case["source"], group=group or None, consolidated=False, chunks=None, **options)


def loaded(opener):
    """The loaded dataset and the SerializationWarnings that it took."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        dataset = opener()
        if dataset is not None:
            dataset.load()
    return dataset, {str(item.message) for item in caught if issubclass(item.category, xr.SerializationWarning)}


def comparable(served, native):
    """Both datasets without what the specification changes on purpose (TREE-8) and no reader keeps apart."""
    renamed = set(served.variables) - set(native.variables)
    originals = {name: served[name].attrs["virtual_zarr:name"] for name in renamed if "virtual_zarr:name" in served[name].attrs}
    served = served.rename_vars(originals)
    for name in originals.values():
        served[name].attrs.pop("virtual_zarr:name")
    # CONV-8: where a regular grid lies.
    served.attrs = {name: value for name, value in served.attrs.items() if not name.startswith(PLACING) or name in native.attrs}
    native = with_unique_dimensions(native)
    for name in set(served.variables) & set(native.variables):
        variable = native.variables[name]
        if variable.dtype == "S1" and variable.ndim == served.variables[name].ndim + 1:
            native[name] = joined_characters(variable)
    return normal(served), normal(native)


def with_unique_dimensions(dataset):
    """A dimension that an array uses twice is `x`, `x_2`."""
    out = dataset.copy()
    for name, variable in dataset.variables.items():
        if len(set(variable.dims)) == variable.ndim:
            continue
        dims = [dim if variable.dims.index(dim) == axis else f"{dim}_{variable.dims[: axis + 1].count(dim)}" for axis, dim in enumerate(variable.dims)]
        out = out.drop_vars(name)
        out[name] = (dims, variable.values, variable.attrs)
    return out


def joined_characters(variable):
    """Characters are joined along their last dimension; xarray itself does so where no other variable has it."""
    values = np.ascontiguousarray(variable.values)
    joined = values.view(f"S{values.shape[-1]}")[..., 0] if values.shape[-1] else np.zeros(values.shape[:-1], "S1")
    return (variable.dims[:-1], joined, variable.attrs)


def normal(dataset):
    """Spellings that no reader can keep apart after JSON: arrays and lists, numpy and Python scalars, bytes and text."""
    out = dataset.copy()
    for variable in (out, *out.variables.values()):
        variable.attrs = {name: plain(value) for name, value in variable.attrs.items() if name != BOOKKEEPING}
    for name, variable in list(out.variables.items()):
        if variable.dtype.kind in "SUT" or is_bytes(variable):
            out[name] = (variable.dims, text(variable.values), variable.attrs)
    return out


PLACING = ("spatial:", "proj:")
# Where a Zarr v2 source keeps its dimension names (V2-3).
BOOKKEEPING = "_ARRAY_DIMENSIONS"


def is_bytes(variable):
    return variable.dtype.kind == "O" and variable.size > 0 and isinstance(variable.values.ravel()[0], bytes)


def text(values):
    flat = [text_of(item) if isinstance(item, bytes) else str(item) for item in values.ravel().tolist()]
    out = np.empty(values.shape, dtype=object)
    out.ravel()[:] = flat
    return out


def plain(value):
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (list, tuple)):
        value = [plain(item) for item in value]
        return value[0] if len(value) == 1 else value
    if isinstance(value, float) and not np.isfinite(value):
        # JSON-6: the spelling of a fill value.
        return "NaN" if np.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def differences(served, native):
    """What a user would see as different, one line each; values of NaN are equal, data types are part of it."""
    lines = []
    for name in sorted(set(served.variables) | set(native.variables), key=str):
        if name not in served.variables or name not in native.variables:
            lines.append(f"variable {name} only in {'served' if name in served.variables else 'native'}")
            continue
        lines += variable_differences(name, served.variables[name], native.variables[name])
    lines += attribute_differences("dataset", served.attrs, native.attrs)
    if set(served.coords) != set(native.coords):
        lines.append(f"coordinates {sorted(served.coords)} instead of {sorted(native.coords)}")
    return lines


def variable_differences(name, served, native):
    lines = []
    if served.dims != native.dims:
        lines.append(f"{name}: dimensions {served.dims} instead of {native.dims}")
    if served.dtype != native.dtype:
        lines.append(f"{name}: type {served.dtype} instead of {native.dtype}")
    if served.shape != native.shape or not xr.core.duck_array_ops.array_equiv(served.values, native.values):
        lines.append(f"{name}: values differ")
    return lines + attribute_differences(name, served.attrs, native.attrs)


def attribute_differences(owner, served, native):
    names = sorted(set(served) | set(native))
    return [
        f"{owner}: attribute {name} is {served.get(name)!r} instead of {native.get(name)!r}"
        for name in names
        if served.get(name) != native.get(name) or type(served.get(name)) is not type(native.get(name))
    ]
