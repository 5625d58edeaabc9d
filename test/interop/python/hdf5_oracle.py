"""What h5py reads of an HDF5 file, spelled as `portable` spells it: the oracle of hdf5_check.py."""

import hdf5plugin  # noqa: F401  (registers filters)
import h5py
import numpy as np

from oracle import text_of

# Larger arrays hold next to nothing, or are read chunk by chunk elsewhere (test/formats/hdf5).
MOST_VALUES = 200_000
MOST_CHUNKS = 100


def read_arrays(source, paths):
    """Values by path; a record is an array a field. Without those that h5py can't read."""
    arrays = {}
    with h5py.File(source, "r") as file:
        for path in paths:
            try:
                dataset = file[path]
                if dataset.shape is None or dataset.size > MOST_VALUES or chunk_count(dataset) > MOST_CHUNKS:
                    continue
                if isinstance(h5py.check_vlen_dtype(dataset.dtype), np.dtype):
                    arrays.update(sequences_of(path.lstrip("/"), dataset))
                    continue
                values = values_of(dataset)
            except (OSError, RuntimeError, TypeError, ValueError, NotImplementedError, KeyError):
                continue
            arrays.update(fields_of(path.lstrip("/"), values, dataset.id.get_type()))
    return arrays


def sequences_of(name, dataset):
    """All values one after the other, and the length of each sequence; of numbers only."""
    base = h5py.check_vlen_dtype(dataset.dtype)
    if base.kind not in "iufc" or base.itemsize > 8 and base.kind == "f":
        return {}
    rows = [np.asarray(row) for row in np.asarray(dataset[...], dtype=object).reshape(-1)] if dataset.shape else [dataset[()]]
    values = np.concatenate([np.asarray(row, base.newbyteorder("=")) for row in rows] or [np.empty(0, base.newbyteorder("="))])
    # h5py 3.16 gives the elements of big-endian sequences as they lie in the file.
    values = values.byteswap() if base.byteorder == ">" else values
    lengths = np.array([len(row) for row in rows], "u4").reshape(dataset.shape)
    return {f"{name}/values": values, f"{name}/lengths": lengths}


def chunk_count(dataset):
    return int(np.prod([-(-length // chunk) for length, chunk in zip(dataset.shape, dataset.chunks or dataset.shape or (1,)) if chunk]))


def values_of(dataset):
    kind = h5py.check_string_dtype(dataset.dtype)
    if kind is not None and kind.length is None:
        return as_texts(np.asarray(dataset[...], dtype=object))
    if h5py.check_ref_dtype(dataset.dtype) is h5py.Reference:
        return paths_of(dataset)
    return np.asarray(dataset[...])


def paths_of(dataset):
    """References to objects as their paths."""
    references = np.asarray(dataset[...], dtype=object)
    paths = np.empty(references.shape, dtype=object)
    flat = paths.reshape(-1)
    for index, reference in enumerate(references.reshape(-1)):
        flat[index] = dataset.file[reference].name if reference else ""
    return paths


def fields_of(name, values, type_id):
    if isinstance(type_id, h5py.h5t.TypeArrayID) and values.dtype.names is None:
        type_id = type_id.get_super()
    if values.dtype.names is None:
        return {} if values.dtype.kind == "V" else {name: plain(values, type_id)}
    arrays = {}
    for index, field in enumerate(values.dtype.names):
        member = type_id.get_member_type(index) if isinstance(type_id, h5py.h5t.TypeCompoundID) else None
        if member is None or isinstance(member, (h5py.h5t.TypeVlenID, h5py.h5t.TypeReferenceID)) or values[field].dtype.kind == "O":
            continue
        arrays.update(fields_of(f"{name}/{field}", np.array(values[field], order="C"), member))
    return arrays


def plain(values, type_id):
    """Text without its padding, which is the file's; times as counts, long doubles as doubles; the rest as it is."""
    if values.dtype == "S1":
        # Characters, which may be joined: as_served knows.
        return values
    if values.dtype.kind == "S":
        is_blank = isinstance(type_id, h5py.h5t.TypeStringID) and type_id.get_strpad() == h5py.h5t.STR_SPACEPAD
        texts = np.empty(values.shape, dtype=object)
        flat = texts.reshape(-1)
        for index, item in enumerate(values.reshape(-1).tolist()):
            flat[index] = text_of(item).rstrip(" \0") if is_blank else text_of(item)
        return texts
    if values.dtype.kind in "mM":
        return values.astype("i8")
    return values.astype("f8") if values.dtype.kind == "f" and values.dtype.itemsize > 8 else values


def as_texts(values):
    out = np.empty(values.shape, dtype=object)
    flat = out.reshape(-1)
    for index, item in enumerate(values.reshape(-1).tolist()):
        flat[index] = text_of(item) if isinstance(item, bytes) else str(item)
    return out
