"""Writes DMR++ sidecars of HDF5 files by what h5py says of them, for the bundled examples and the tests.

    write_sidecar("data.h5", "data.h5.dmrpp")

Shared dimensions come from dimension scales, attributes keep their types, chunks their positions and filter masks. Text of varying
length is written into the sidecar (`vlsa`), compact values too.
"""

import base64
import zlib
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import h5py
import numpy as np

DAP = "http://xml.opendap.org/ns/DAP/4.0#"
DMRPP = "http://xml.opendap.org/dap/dmrpp/1.0.0#"
FILTERS = {1: "deflate", 2: "shuffle", 3: "fletcher32"}
PADS = {h5py.h5t.STR_NULLTERM: "null_term", h5py.h5t.STR_NULLPAD: "null_pad", h5py.h5t.STR_SPACEPAD: "space_pad"}
HIDDEN = {"CLASS", "NAME", "REFERENCE_LIST", "DIMENSION_LIST", "_Netcdf4Dimid", "_Netcdf4Coordinates", "_NCProperties"}
DIMENSION_ONLY = b"This is a netCDF dimension but not a netCDF variable"
LONG_TEXT = 300


def number_name(dtype):
    if dtype == np.uint8:
        return "Byte"
    return {"i": "Int", "u": "UInt", "f": "Float"}[dtype.kind] + str(8 * dtype.itemsize)


def fqn(dataset):
    return dataset.name


class Sidecar:
    def __init__(self, file, chunk_href, references):
        self.file = file
        self.chunk_href = chunk_href
        self.references = references
        self.lines = []

    def add(self, depth, text):
        self.lines.append("    " * depth + text)

    def attribute(self, depth, name, value):
        if isinstance(value, (str, bytes)):
            values, kind = [value if isinstance(value, str) else value.decode()], "String"
        else:
            array = np.atleast_1d(np.asarray(value))
            kind = "String" if array.dtype.kind in "OSU" else number_name(array.dtype)
            values = [v.decode() if isinstance(v, bytes) else v for v in array.tolist()]
            if array.dtype == np.float32:
                values = [f"{np.float32(v):.9g}" for v in array]
        self.add(depth, f"<Attribute name={quoteattr(name)} type=\"{kind}\">")
        for value in values:
            self.add(depth + 1, f"<Value>{escape(str(value))}</Value>")
        self.add(depth, "</Attribute>")

    def attributes(self, depth, node):
        for name in node.attrs:
            if name not in HIDDEN:
                self.attribute(depth, name, node.attrs[name])

    def group(self, depth, group):
        scales = [node for node in group.values() if isinstance(node, h5py.Dataset) and node.is_scale]
        for scale in scales:
            self.add(depth, f"<Dimension name={quoteattr(scale.name.split('/')[-1])} size=\"{scale.shape[0]}\"/>")
        self.enumerations(depth, group)
        for node in group.values():
            if isinstance(node, h5py.Dataset) and not node.attrs.get("NAME", b"").startswith(DIMENSION_ONLY):
                self.variable(depth, node)
        self.attributes(depth, group)
        for name, node in group.items():
            if isinstance(node, h5py.Group):
                self.add(depth, f"<Group name={quoteattr(name)}>")
                self.group(depth + 1, node)
                self.add(depth, "</Group>")

    def enumerations(self, depth, group):
        for name, node in group.items():
            members = h5py.check_enum_dtype(node.dtype) if isinstance(node, h5py.Dataset) else None
            if node_is_bool(node):
                members = {"FALSE": 0, "TRUE": 1}
            if members is None:
                continue
            base = "Int8" if node_is_bool(node) else number_name(node.dtype)
            self.add(depth, f"<Enumeration name=\"{name}_t\" basetype=\"{base}\">")
            for label, value in members.items():
                self.add(depth + 1, f"<EnumConst name={quoteattr(label)} value=\"{value}\"/>")
            self.add(depth, "</Enumeration>")

    def variable(self, depth, dataset):
        name = quoteattr(dataset.name.split("/")[-1])
        dtype = dataset.dtype
        kind = "Structure" if dtype.names else self.kind_of(dataset)
        enum = f" enum={quoteattr(dataset.name + '_t')}" if kind == "Enum" else ""
        self.add(depth, f"<{kind} name={name}{enum}>")
        for field in dtype.names or ():
            base, shape = dtype[field].subdtype or (dtype[field], ())
            self.add(depth + 1, f"<{number_name(base)} name={quoteattr(field)}>")
            for length in shape:
                self.add(depth + 2, f"<Dim size=\"{length}\"/>")
            self.add(depth + 1, f"</{number_name(base)}>")
        for axis, length in enumerate(dataset.shape):
            scale = dataset if dataset.is_scale and dataset.ndim == 1 else next(iter(dataset.dims[axis].values()), None)
            self.add(depth + 1, f"<Dim name={quoteattr(fqn(scale))}/>" if scale is not None else f"<Dim size=\"{length}\"/>")
        self.attributes(depth + 1, dataset)
        self.storage(depth + 1, dataset)
        self.add(depth, f"</{kind}>")

    def kind_of(self, dataset):
        dtype = dataset.dtype
        if dtype.kind in "OS":
            return "String"
        if h5py.check_enum_dtype(dtype) or node_is_bool(dataset):
            return "Enum"
        return number_name(dtype)

    def storage(self, depth, dataset):
        plist, dtype = dataset.id.get_create_plist(), dataset.dtype
        if dtype.kind == "O" and not self.references:
            return self.texts(depth, dataset)
        filters = [plist.get_filter(i) for i in range(plist.get_nfilters())]
        known = []
        if filters:
            known.append(("compressionType", " ".join(FILTERS[code] for code, *_ in filters)))
        levels = [str(values[0]) for code, _, values, _ in filters if code == 1]
        if levels:
            known.append(("deflateLevel", " ".join(levels)))
        if dtype.kind != "O":
            known.append(("fillValue", fill_text(dataset)))
        known.append(("byteOrder", "BE" if is_big(dtype) else "LE"))
        if dtype.names:
            offsets = [dtype.fields[field][1] for field in dtype.names[1:]] + [dtype.itemsize]
            known.append(("structOffset", " ".join(map(str, offsets))))
        self.add(depth, "<dmrpp:chunks" + "".join(f" {name}={quoteattr(value)}" for name, value in known) + ">")
        if dataset.chunks:
            self.add(depth + 1, f"<dmrpp:chunkDimensionSizes>{' '.join(map(str, dataset.chunks))}</dmrpp:chunkDimensionSizes>")
            for i in range(dataset.id.get_num_chunks()):
                info = dataset.id.get_chunk_info(i)
                mask = f' fm="{info.filter_mask}"' if info.filter_mask else ""
                position = ",".join(map(str, info.chunk_offset))
                self.chunk(depth + 1, info.byte_offset, info.size, f' chunkPositionInArray="[{position}]"{mask}')
        elif dataset.id.get_offset() is not None:
            self.chunk(depth + 1, dataset.id.get_offset(), dataset.id.get_storage_size(), "")
        self.add(depth, "</dmrpp:chunks>")
        if plist.get_layout() == h5py.h5d.COMPACT:
            raw = base64.b64encode(np.asarray(dataset[...], dtype).tobytes()).decode()
            self.add(depth, f"<dmrpp:compact>{raw}</dmrpp:compact>")
        if dtype.kind == "S" and not self.references:
            pad = PADS[dataset.id.get_type().get_strpad()]
            self.add(depth, f'<dmrpp:FixedLengthStringArray string_length="{dtype.itemsize}" pad="{pad}"/>')

    def chunk(self, depth, offset, size, rest):
        href = f" href={quoteattr(self.chunk_href)}" if self.chunk_href else ""
        self.add(depth, f'<dmrpp:chunk offset="{offset}" nBytes="{size}"{rest}{href}/>')

    def texts(self, depth, dataset):
        self.add(depth, "<dmrpp:vlsa>")
        values = [v.decode() if isinstance(v, bytes) else v for v in np.atleast_1d(dataset[...]).ravel()]
        at = 0
        while at < len(values):
            times = 1
            while at + times < len(values) and values[at + times] == values[at]:
                times += 1
            repeat = f' c="{times}"' if times > 1 else ""
            value, raw = values[at], values[at].encode()
            if len(raw) > LONG_TEXT:
                packed = base64.b64encode(zlib.compress(raw)).decode()
                self.add(depth + 1, f'<v s="{len(raw)}"{repeat}>{packed}</v>')
            else:
                self.add(depth + 1, f"<v{repeat}>{escape(value)}</v>")
            at += times
        self.add(depth, "</dmrpp:vlsa>")


def node_is_bool(node):
    return isinstance(node, h5py.Dataset) and node.dtype == np.bool_


def is_big(dtype):
    if dtype.names:
        return any(is_big(dtype[name]) for name in dtype.names)
    return dtype.subdtype[0].byteorder == ">" if dtype.subdtype else dtype.byteorder == ">"


def fill_text(dataset):
    fill = dataset.fillvalue
    if dataset.dtype.names:
        flat = [np.atleast_1d(fill[name]).ravel() for name in dataset.dtype.names]
        return " ".join(number_text(v) for values in flat for v in values)
    if isinstance(fill, bytes):
        return fill.decode()
    return str(int(fill)) if dataset.dtype == np.bool_ else number_text(fill)


def number_text(value):
    return str(int(value)) if np.asarray(value).dtype.kind in "iu" else repr(float(value))


def write_sidecar(data, target, *, href=None, version="3.21.1", chunk_href=None, secure=False, references=False):
    """Describes `data` in `target`. What old writers did: `version=None`, and `references` for text of varying length; `secure` is the
    other spelling of the namespaces."""
    data = Path(data)
    with h5py.File(data) as file:
        sidecar = Sidecar(file, chunk_href, references)
        sidecar.group(1, file)
    spell = (lambda url: url.replace("http://", "https://")) if secure else (lambda url: url)
    root = f'<Dataset xmlns="{spell(DAP)}" xmlns:dmrpp="{spell(DMRPP)}" dapVersion="4.0" dmrVersion="1.0" name={quoteattr(data.name)}'
    if href is not False:
        root += f" dmrpp:href={quoteattr(href or data.name)}"
    if version:
        root += f' dmrpp:version="{version}"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"{root}>", *sidecar.lines, "</Dataset>", ""]
    Path(target).write_text("\n".join(lines), encoding="utf-8")
