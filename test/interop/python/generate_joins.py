"""Random join documents, read by xarray and by the service: `generate_joins.py SERVICE FOLDER SEED COUNT`. Prints a report as JSON.

Each document has files of its own. What it means is said by xarray's concatenation of the same files with the same choices.
"""

import json
import os
import re
import shutil
import sys
import traceback
import warnings

import cftime
import numpy as np
import pandas as pd
import rasterio
import xarray as xr
import yaml
from rasterio.merge import merge as merge_rasters
from rasterio.transform import from_origin

from generate_common import RandomDocument, Refused, Report, fetched, first_difference, refusal_in, store, warnings_of

CALENDARS = ["standard", "gregorian", "proleptic_gregorian", "julian", "noleap", "365_day", "all_leap", "366_day", "360_day"]
FORMATS = ["NETCDF3_CLASSIC", "NETCDF3_64BIT", "NETCDF3_64BIT_DATA", "NETCDF4", "NETCDF4_CLASSIC", "zarr2", "zarr3"]
UNITS = ["seconds", "minutes", "hours", "days"]
EPOCHS = ["1970-01-01", "1999-12-30 06:00:00", "2000-01-01 00:30:00", "1600-03-01"]
FORMS = ["json", "yaml", "address"]
SOURCES = ["list, bare", "list:", "template: range", "template: padded", "template: step", "template: dates", "template: values", "template: two fields", "glob:", "several forms", "rows", "absolute URLs"]
ADDRESSES = ["address {1..3}", "address {01..03}", "address {a,b}", "address *", "address ;along="]
ALONGS = ["along: dimension", "along: omitted", "along: single value", "new: count", "new: values, numbers", "new: values, texts", "new: from (\\d+)", "new: from (\\w+)", "new: from (.+)", "new: attribute", "along: list"]
KEYS = ["variables", "drop", "rename", "options: packing", "options: group", "options: format", "options: sentinel", "merge", "check: first-and-last", "check: all", "check: none", "lengths: number", "lengths: list", "align: exact", "align: outer", "missing: refuse", "missing: fill", "absent source"]
PACKINGS = ["packing: none", "packing: equal", "packing: whole steps", "packing: other", "packing: unsigned", "packing: only some files"]
FILLS = ["fill: none", "fill: equal", "fill: other", "fill: missing_value", "fill: both", "fill: NaN"]
DIFFERENCES = ["times: other units", "times: other epoch", "times: float", "times: int64 and float64", "times: equal units", "times: other calendar", "dimensions in another order", "variable absent in a file", "other type", "other units of a variable", "other values of a coordinate", "coordinate upside down", "other extents", "other chunks", "bounds", "text variable", "scalar variable", "variable without the joined dimension", "times descending", "times repeated"]
MOSAICS = ["mosaic: list", "mosaic: template", "mosaic: glob", "mosaic: gap", "mosaic: overlap", "mosaic: nodata", "mosaic: other nodata", "mosaic: other type", "mosaic: new dimension"]
ELEMENTS = [*FORMS, *SOURCES, *ADDRESSES, *ALONGS, *KEYS, *PACKINGS, *FILLS, *DIFFERENCES, *MOSAICS, *[f"calendar: {name}" for name in CALENDARS], *[f"format: {name}" for name in FORMATS]]

LAT = np.linspace(-50, 50, 5)
LON = np.linspace(0, 315, 6)


class Document(RandomDocument):
    """A join with its files in a folder of its own, the elements it has, and what xarray makes of it."""

    def __init__(self, random, folder, index):
        super().__init__(random, folder, index)
        self.name = "join.json"
        self.text = ""
        self.options = ""
        self.reference = None
        self.tolerance = 0.0

    def write(self, document):
        form = self.one(["json", "yaml"])
        self.has(form)
        keys = list(document)
        self.random.shuffle(keys)
        document = {"virtual_zarr": "join/1", **{key: document[key] for key in keys}}
        self.name = f"join.{form}"
        self.text = json.dumps(document) if form == "json" else yaml.safe_dump(document, sort_keys=False)
        with open(os.path.join(self.folder, self.name), "w") as file:
            file.write(self.text)


# ---------------------------------------------------------------- files


def times(calendar, start, count, freq="6h"):
    return xr.date_range(f"2000-01-{1 + start:02d}", periods=count, freq=freq, calendar=calendar, use_cftime=True)


def save(document, name, data, encoding, form):
    path = os.path.join(document.folder, name)
    if form.startswith("zarr"):
        clean = {key: {k: v for k, v in value.items() if k not in ("chunksizes", "zlib", "shuffle")} for key, value in encoding.items()}
        data.to_zarr(path, zarr_format=int(form[-1]), encoding=clean, consolidated=True)
    else:
        is_old = form.startswith("NETCDF3")
        clean = {key: {k: v for k, v in value.items() if not is_old or k not in ("chunksizes", "zlib", "shuffle")} for key, value in encoding.items()}
        data.to_netcdf(path, format=form, engine="netcdf4", encoding=clean, unlimited_dims=["time"] if "time" in data.dims and document.random.random() < 0.4 else None)


def field(random, shape):
    """Values with a gap here and there, on a grid of hundredths that every packing can hold."""
    values = np.round(random.integers(-1500, 1500, shape) * 0.02, 2).astype("f8")
    values[random.random(shape) < 0.1] = np.nan
    return values


class Files:
    """How the files of one document are made: what they share, and in what they differ."""

    def __init__(self, document, count):
        pick = document.one
        self.document = document
        self.count = count
        self.calendar = pick(CALENDARS)
        self.forms = [pick(FORMATS)] * count if document.maybe(0.6) else [pick(FORMATS) for _ in range(count)]
        self.packing = pick(PACKINGS)
        if self.packing == "packing: unsigned" and document.random.random() < 0.5:
            self.forms = [pick(["NETCDF3_CLASSIC", "NETCDF3_64BIT", "NETCDF3_64BIT_DATA", "NETCDF4_CLASSIC"])] * count
        self.fill = pick(FILLS)
        self.lengths = [int(document.random.integers(1, 5)) for _ in range(count)]
        if document.random.random() < 0.3:
            self.lengths = self.lengths[:1] * count
        document.has(self.packing, self.fill, f"calendar: {self.calendar}", *[f"format: {form}" for form in dict.fromkeys(self.forms)])
        self.unit = pick(["hours", "minutes", "seconds"])
        self.time_kind = pick(["times: equal units", "times: other units", "times: other epoch", "times: float", "times: int64 and float64"])
        self.has_bounds = document.maybe(0.1)
        self.has_text = document.maybe(0.1)
        self.has_scalar = document.maybe(0.1)
        self.has_plain = document.maybe(0.3, "variable without the joined dimension")
        self.other = {
            name
            for name, chance in {
                "times: other calendar": 0.03,
                "dimensions in another order": 0.05,
                "variable absent in a file": 0.1,
                "other type": 0.1,
                "other units of a variable": 0.04,
                "other values of a coordinate": 0.03,
                "coordinate upside down": 0.03,
                "other chunks": 0.3,
                "times descending": 0.05,
                "times repeated": 0.05,
            }.items()
            if document.maybe(chance)
        }
        self.odd = int(document.random.integers(1, count)) if count > 1 else 0
        self.same_times = False
        self.no_time = False

    def data(self, at):
        """The file of a number: its dataset and how it is stored."""
        document, random = self.document, self.document.random
        is_odd = at == self.odd and self.count > 1
        count = self.lengths[at]
        start = 0 if self.same_times or "times repeated" in self.other else 3 * at
        if "times descending" in self.other:
            start = 3 * (self.count - at)
        calendar = "360_day" if "times: other calendar" in self.other and is_odd and self.calendar != "360_day" else self.calendar
        steps = times(calendar, start, count)
        lat, lon = LAT, LON
        if is_odd and "other values of a coordinate" in self.other:
            lon = LON + 0.5
        if is_odd and "coordinate upside down" in self.other:
            lat = LAT[::-1]
        values = field(random, (count, len(lat), len(lon)))
        kind = "f4" if is_odd and "other type" in self.other else "f8"
        variables = {"sst": (("time", "lat", "lon"), values, {"units": "K" if is_odd and "other units of a variable" in self.other else "degC"})}
        variables["n"] = (("time",), np.arange(count, dtype="i2" if is_odd and "other type" in self.other else "i4") + 100 * at)
        if not (is_odd and "variable absent in a file" in self.other):
            variables["ice"] = (("time", "lon"), field(random, (count, len(lon))))
        if self.has_bounds:
            hours = np.timedelta64(3, "h")
            variables["time_bnds"] = (("time", "nv"), np.stack([steps, steps + pd.Timedelta(hours)], 1))
            document.has("bounds") if at == 0 else None
        if self.has_plain:
            variables["area"] = (("lat", "lon"), np.outer(LAT, LON))
        if self.has_scalar:
            variables["crs"] = ((), np.int32(7))
            document.has("scalar variable") if at == 0 else None
        if self.has_text:
            variables["name"] = (("time",), np.array([f"t{at}{step}" for step in range(count)], dtype="S3"))
            document.has("text variable") if at == 0 else None
        data = xr.Dataset(variables, coords={"time": ("time", steps), "lat": ("lat", lat, {"units": "degrees_north"}), "lon": ("lon", lon, {"units": "degrees_east"})})
        if self.has_bounds:
            data.time.attrs["bounds"] = "time_bnds"
        if is_odd and "dimensions in another order" in self.other:
            data["sst"] = data.sst.transpose("time", "lon", "lat")
        if at == max(self.odd, 0):
            document.has(*[name for name in self.other if self.count > 1])
        return data, self.encoding(at, kind)

    def encoding(self, at, kind):
        is_odd = at == self.odd and self.count > 1
        units = {
            "times: equal units": f"{self.unit} since 1999-12-30 06:00:00",
            "times: other units": f"{[self.unit, 'minutes', 'seconds', 'hours'][at % 4]} since 1999-12-30 06:00:00",
            "times: other epoch": f"{self.unit} since {['1999-12-30 06:00:00', '2000-01-01', '1999-12-01 12:00:00'][at % 3]}",
            "times: int64 and float64": f"{[self.unit, 'minutes'][at % 2]} since {['1999-12-30 06:00:00', '2000-01-01'][at % 2]}",
            "times: float": f"{'days' if at % 2 else self.unit} since 1999-12-30 06:00:00",
        }[self.time_kind]
        if at == 0:
            self.document.has(self.time_kind)
        dtype = {"times: float": "f8", "times: int64 and float64": "f8" if at % 2 else "i8"}.get(self.time_kind, "i4")
        encoding = {"time": {"units": units, "dtype": dtype}}
        if self.has_bounds:
            encoding["time_bnds"] = dict(encoding["time"], _FillValue=None)
        sst = {"dtype": kind}
        scale = {
            "packing: none": None,
            "packing: equal": (0.02, 0.0),
            "packing: whole steps": (0.02 if at % 2 else 0.01, 10.0 if at % 2 else 4.0),
            "packing: other": (0.02, [0.0, 0.13, 2.571][at % 3]),
            "packing: unsigned": (0.02, -40.0),
            "packing: only some files": (0.02, 0.0) if not is_odd else None,
        }[self.packing]
        if scale is not None:
            sst = {"dtype": "i2", "scale_factor": scale[0], "add_offset": scale[1]}
            if self.packing == "packing: unsigned":
                sst["_Unsigned"] = "true"
        integer = scale is not None
        first, second = (-32768, -32767 + at) if integer and self.packing != "packing: unsigned" else (65535, 65000 + at) if integer else (-9999.0, 1e20 if at % 2 else -999.0)
        if self.packing == "packing: only some files":
            first, second = -9999, -9999 - at
        fill = {
            "fill: none": {"_FillValue": first} if integer else {"_FillValue": None},
            "fill: equal": {"_FillValue": first},
            "fill: other": {"_FillValue": second},
            "fill: missing_value": {"missing_value": second, "_FillValue": None},
            "fill: both": {"missing_value": first, "_FillValue": first},
            "fill: NaN": {"_FillValue": first} if integer else {"_FillValue": np.nan},
        }[self.fill]
        sst.update(fill)
        if self.forms[at] not in ("zarr2", "zarr3") and "other chunks" in self.other:
            sst["chunksizes"] = [(1, 5, 6), (1, 2, 3), (1, 5, 2)][at % 3]
            sst["zlib"] = bool(at % 2)
        encoding["sst"] = sst
        return encoding


def written(document, files, names, cut=None):
    """Writes the files; `cut` makes of each another part."""
    for at, name in enumerate(names):
        data, encoding = files.data(at)
        if cut is not None:
            data = cut(data, at)
        encoding = {key: value for key, value in encoding.items() if key in data.variables}
        for key, value in encoding.items():
            if "chunksizes" in value:
                value["chunksizes"] = tuple(min(a, b) for a, b in zip(value["chunksizes"], data[key].shape)) if len(value["chunksizes"]) == data[key].ndim else None
                if value["chunksizes"] is None or not all(value["chunksizes"]):
                    del value["chunksizes"]
            if key == "sst" and "_Unsigned" in value:
                data[key].attrs["_Unsigned"] = value.pop("_Unsigned")
                value["dtype"] = "u2"
                data[key].attrs.pop("_Unsigned")
                if files.forms[at] in ("NETCDF3_CLASSIC", "NETCDF3_64BIT", "NETCDF3_64BIT_DATA", "NETCDF4_CLASSIC"):
                    value["dtype"], value["_Unsigned"] = "i2", "true"
                    for fill in ("_FillValue", "missing_value"):
                        if value.get(fill) is not None:
                            value[fill] = np.uint16(value[fill]).astype("i2")
        save(document, name, data, encoding, files.forms[at])


def opened(document, name, group=None):
    path = os.path.join(document.folder, name)
    decode = {"decode_times": xr.coders.CFDatetimeCoder(use_cftime=True)}
    if os.path.isdir(path):
        return xr.open_zarr(path, chunks=None, **decode)
    return xr.open_dataset(path, engine="netcdf4", group=group, **decode)


def extension(form):
    return ".zarr" if form.startswith("zarr") else ".nc"


# ---------------------------------------------------------------- documents


def source_names(document, files, stem, is_template=True):
    """Names that a template, a glob or an address can say; of mixed formats none can."""
    ends = {extension(form) for form in files.forms}
    if len(ends) > 1:
        return None
    return ends.pop()


def sources_member(document, files, prefix=""):
    """The `sources` of a document, and the names of the files that it means, in order."""
    count, end = files.count, source_names(document, files, prefix)
    slash = "/" if end == ".zarr" else ""
    kind = document.one(SOURCES[:10] + ["absolute URLs"]) if end is not None else document.one(["list, bare", "list:", "several forms", "absolute URLs"])
    document.has(kind)
    if kind in ("list, bare", "list:", "several forms", "absolute URLs"):
        names = [f"{prefix}p{at}{extension(files.forms[at])}" for at in range(count)]
        urls = [name + ("/" if name.endswith(".zarr") else "") for name in names]
        if kind == "absolute URLs":
            urls = [document.url(url) for url in urls]
        if kind == "several forms" and count > 1:
            return [{"list": urls[:1]}, *urls[1:2], *([{"list": urls[2:]}] if count > 2 else [])], names
        return ({"list": urls} if kind == "list:" else urls), names
    if kind == "template: range":
        return {"template": f"{prefix}r{{n}}{end}{slash}", "n": f"1..{count}"}, [f"{prefix}r{n + 1}{end}" for n in range(count)]
    if kind == "template: padded":
        return {"template": f"{prefix}r{{n:03}}{end}{slash}", "n": f"9..{8 + count}"}, [f"{prefix}r{n + 9:03}{end}" for n in range(count)]
    if kind == "template: step":
        return {"template": f"{prefix}r{{n}}{end}{slash}", "n": f"0..{6 * (count - 1)}..6"}, [f"{prefix}r{6 * n}{end}" for n in range(count)]
    if kind == "template: dates":
        form, step, freq = document.one([("%Y%m%d", "P1D", "D"), ("%Y-%m", "P1M", "MS"), ("%Y", "P1Y", "YS"), ("%Y%m%dT%H", "PT6H", "6h")])
        days = pd.date_range("2000-01-01", periods=count, freq=freq)
        last = days[-1].strftime("%Y-%m-%d" if not step.startswith("PT") else "%Y-%m-%dT%H:00:00")
        first = "2000-01-01" if not step.startswith("PT") else "2000-01-01T00:00:00"
        return {"template": f"{prefix}d{{t:{form}}}{end}{slash}", "t": f"{first}..{last}..{step}"}, [f"{prefix}d{day.strftime(form)}{end}" for day in days]
    if kind == "template: values":
        words = ["b", "a", "long word", "c"][:count]
        return {"template": f"{prefix}v_{{w}}{end}{slash}", "w": words}, [f"{prefix}v_{word}{end}" for word in words]
    if kind == "template: two fields":
        names = [f"{prefix}{year}_{month:02}{end}" for year in (1999, 2000) for month in (1, 2)][: count if count in (2, 4) else 2]
        if count not in (2, 4):
            files.count, files.lengths, files.forms, files.odd = 2, files.lengths[:2], files.forms[:2], 1
        years = "1999..2000" if files.count == 4 else 1999
        return {"template": f"{prefix}{{year}}_{{month:02}}{end}{slash}", "year": years, "month": "1..2"}, names
    names = [f"{prefix}g{n}{end}" for n in [1, 2, 10, 11][:count]]
    return {"glob": f"{prefix}g*{end}"}, names


def finish(document, members, files):
    """Members that say nothing new, of all kinds; those which change the result are made by the caller."""
    if document.maybe(0.15):
        check = document.one(["first-and-last", "all", "none"])
        document.has(f"check: {check}")
        members["check"] = check
    if document.maybe(0.1, "align: exact"):
        members["align"] = "exact"
    if document.maybe(0.1, "missing: refuse"):
        members["missing"] = "refuse"
    return members


def choose(document, members, wanted):
    """`variables`, `drop`, `rename` and options that leave the meaning as it is."""
    if document.maybe(0.12, "rename") and "sst" in wanted:
        members["rename"] = {"sst": "temperature"}
        wanted = wanted.rename({"sst": "temperature"})
    main = "temperature" if "rename" in members else "sst"
    own = [name for name in wanted.data_vars]
    if document.maybe(0.12, "variables"):
        bounds = [name for name in own if name == "time_bnds"]
        keep = [main, *bounds, *[name for name in own if name not in (main, *bounds) and document.maybe(0.5)]]
        members["variables"] = keep
        wanted = wanted[keep]
    elif document.maybe(0.12, "drop"):
        gone = [name for name in own if name not in (main, "time_bnds") and document.maybe(0.5)] or [main]
        # Names of the files, before they are renamed.
        members["drop"] = ["sst" if name == main else name for name in gone]
        wanted = wanted.drop_vars(gone)
    options = {}
    if document.maybe(0.1, "options: packing"):
        options["packing"] = "decoded"
    if document.maybe(0.05, "options: sentinel"):
        options["sentinel"] = document.one(["warn", "error"])
    if options:
        members["options"] = options
    return wanted


def concat(parts, dim, **options):
    minimal = {"data_vars": "minimal", "coords": "minimal", "compat": "override", "join": "exact"}
    return xr.concat(parts, dim, **{**minimal, **options})


def along_existing(document):
    files = Files(document, int(document.random.integers(2, 5)))
    sources, names = sources_member(document, files)
    written(document, files, names)
    members = {"sources": sources}
    if document.maybe(0.2, "along: omitted"):
        pass
    else:
        document.has("along: dimension")
        members["along"] = "time"
    if document.maybe(0.2):
        if len(set(files.lengths)) == 1:
            members["lengths"] = files.lengths[0]
            document.has("lengths: number")
        else:
            members["lengths"] = files.lengths
            document.has("lengths: list")
    finish(document, members, files)

    def reference():
        return concat([opened(document, name) for name in names], "time")

    document.reference = chosen_reference(document, members, reference)
    if "lengths" in members and members.get("missing") != "refuse" and document.maybe(0.5) and len(names) > 2:
        absent_source(document, members, files, names)
    document.write(members)


def chosen_reference(document, members, reference):
    """The choice of variables is made of what xarray reads; where it reads nothing there is no choice."""
    try:
        wanted = reference()
    except Exception as error:  # noqa: BLE001
        failure = error

        def failing():
            raise failure

        return failing
    chosen = choose(document, members, wanted)
    return lambda: chosen


def absent_source(document, members, files, names):
    """One of the files is not there: its steps are missing."""
    at = 1
    try:
        wanted = document.reference()
    except Exception:  # noqa: BLE001  (files that don't fit together are no example of one that is absent)
        return
    data = opened(document, names[at]).load()
    data.close()
    path = os.path.join(document.folder, names[at])
    shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
    members["missing"] = "fill"
    document.has("missing: fill", "absent source")
    start = sum(files.lengths[:at])
    gap = xr.DataArray(~np.isin(np.arange(wanted.sizes["time"]), np.arange(start, start + files.lengths[at])), dims="time")
    out = wanted.copy()
    for name in wanted.variables:
        if "time" in wanted[name].dims and name != "time" and wanted[name].dtype.kind == "f":
            out[name] = wanted[name].where(gap)
    out.attrs["absent"] = (start, start + files.lengths[at])
    document.reference = lambda: out


def along_new(document):
    files = Files(document, int(document.random.integers(2, 5)))
    files.lengths = [files.lengths[0]] * len(files.lengths)
    files.same_times = True
    files.other -= {"times descending", "times repeated"}
    kind = document.one(ALONGS[3:10])
    sources, names = sources_member(document, files)
    count = files.count
    if kind in ("new: from (\\d+)", "new: from (\\w+)", "new: from (.+)"):
        end = source_names(document, files, "")
        if end is None:
            files.forms = [files.forms[0]] * count
            end = extension(files.forms[0])
        words = [3, 1, 20, 4][:count] if "d+" in kind else ["one", "two", "x1", "y"][:count]
        names = [f"run_{word}_z{end}" for word in words]
        sources = [name + ("/" if end == ".zarr" else "") for name in names]
        new = {"new": "run", "from": f"run_{kind[len('new: from '):]}_z"}
        values = words
    elif kind == "new: values, numbers":
        values = [0.5, 2.0, -1.0, 7.25][:count] if document.maybe(0.5) else [5, 3, 8, 1][:count]
        new = {"new": "run", "values": values}
    elif kind == "new: values, texts":
        values = ["a", "bb", "ä", "d"][:count]
        new = {"new": "run", "values": values}
    elif kind == "new: attribute":
        values = [7, 3, 5, 1][:count]
        new = {"new": "run", "attribute": "run_number"}
    else:
        values = None
        new = {"new": "run"}
    document.has(kind)
    cut = (lambda data, at: data.assign_attrs(run_number=np.int32(values[at]))) if kind == "new: attribute" else None
    written(document, files, names, cut)
    members = finish(document, {"sources": sources, "along": new}, files)

    def reference():
        parts = [opened(document, name) for name in names]
        # Bounds belong to a coordinate that all files share.
        bounds = [name for name in ("time_bnds",) if all(name in part for part in parts)]
        out = concat([part.set_coords(bounds) for part in parts], "run", data_vars="all").reset_coords(bounds)
        return out if values is None else out.assign_coords(run=values)

    document.reference = chosen_reference(document, members, reference)
    document.write(members)


def along_single_value(document):
    """Files that have one time each, as a coordinate without a dimension."""
    files = Files(document, int(document.random.integers(2, 5)))
    files.lengths = [1] * files.count
    files.has_bounds = False
    sources, names = sources_member(document, files)
    document.has("along: single value")
    written(document, files, names, lambda data, _at: data.isel(time=0))
    members = finish(document, {"sources": sources, "along": "time"}, files)

    def reference():
        return concat([opened(document, name) for name in names], "time", data_vars="all")

    document.reference = chosen_reference(document, members, reference)
    document.write(members)


def rows(document):
    files = Files(document, 2)
    files.has_bounds = False
    files.other -= {"times repeated"}
    members_count = 2
    document.has("rows", "along: list")
    lists, parts = [], []
    for member in range(members_count):
        names = [f"m{member}_{at}{extension(files.forms[at])}" for at in range(2)]
        written(document, files, names)
        lists.append([name + ("/" if name.endswith(".zarr") else "") for name in names])
        parts.append(names)
    new = {"new": "member", "values": [4, 2]}
    members = finish(document, {"sources": lists, "along": [new, "time"]}, files)

    def reference():
        lines = [concat([opened(document, name) for name in names], "time") for names in parts]
        return concat(lines, "member", data_vars="all").assign_coords(member=[4, 2])

    document.reference = chosen_reference(document, members, reference)
    document.write(members)


def outer(document):
    files = Files(document, int(document.random.integers(2, 4)))
    files.other -= {"other values of a coordinate", "coordinate upside down", "dimensions in another order"}
    sources, names = sources_member(document, files)
    document.has("align: outer", "other extents", "along: dimension")
    boxes = [(slice(0, 4), slice(0, 6)), (slice(1, 5), slice(2, 6)), (slice(0, 5, 2), slice(0, 4)), (slice(0, 5), slice(1, 5))]
    written(document, files, names, lambda data, at: data.isel(lat=boxes[at][0], lon=boxes[at][1]))
    members = finish(document, {"sources": sources, "along": "time"}, files)
    members["align"] = "outer"

    def reference():
        return concat([opened(document, name) for name in names], "time", join="outer", compat="no_conflicts")

    document.reference = chosen_reference(document, members, reference)
    document.write(members)


def merged(document):
    one, two = Files(document, 2), Files(document, 2)
    two.lengths, two.forms, two.calendar, two.time_kind, two.unit = one.lengths, one.forms, one.calendar, one.time_kind, one.unit
    for files in (one, two):
        files.has_bounds = files.has_text = files.has_scalar = files.has_plain = False
        files.other -= {"times: other calendar", "other values of a coordinate", "coordinate upside down", "times descending", "times repeated", "other units of a variable"}
    document.has("merge")
    first, names = sources_member(document, one, "one_")
    two.count, two.lengths, two.forms, two.odd = one.count, one.lengths, one.forms, one.odd
    second, others = sources_member(document, two, "two_")
    written(document, one, names)
    written(document, two, others, lambda data, _at: data[["ice"]].rename(ice="snow") if "ice" in data else data[["n"]].rename(n="snow_n"))
    members = finish(document, {"sources": first, "along": "time", "merge": [{"sources": second, "along": "time"}]}, one)

    def reference():
        left = concat([opened(document, name) for name in names], "time")
        right = concat([opened(document, name) for name in others], "time")
        return xr.merge([left, right], compat="override", join="exact")

    document.reference = lambda: reference()
    document.write(members)


def grouped(document):
    files = Files(document, 2)
    files.forms = ["NETCDF4"] * 2
    names = ["g0.nc", "g1.nc"]
    written(document, files, names)
    for name in names:
        path = os.path.join(document.folder, name)
        raw = xr.open_dataset(path, decode_cf=False).load()
        raw.close()
        os.unlink(path)
        raw.to_netcdf(path, group="deep/er", engine="netcdf4")
    document.has("options: group", "list, bare", "along: dimension")
    options = {"group": "deep/er"}
    if document.maybe(0.5, "options: format"):
        options["format"] = "hdf5"
    members = finish(document, {"sources": names, "along": "time", "options": options}, files)
    document.reference = lambda: concat([opened(document, name, "deep/er") for name in names], "time")
    document.write(members)


def formatted(document):
    files = Files(document, 2)
    files.forms = ["NETCDF3_CLASSIC"] * 2
    names = ["f0.nc", "f1.nc"]
    written(document, files, names)
    document.has("options: format", "list, bare", "along: dimension")
    members = finish(document, {"sources": names, "along": "time", "options": {"format": "netcdf3"}}, files)
    document.reference = lambda: concat([opened(document, name) for name in names], "time")
    document.write(members)


def address(document):
    """A URL that is a join without a document."""
    files = Files(document, int(document.random.integers(2, 4)))
    files.forms = [document.one([form for form in FORMATS if not form.startswith("zarr")])] * files.count
    kind = document.one(ADDRESSES[:4])
    count = files.count
    numbers = {"address {1..3}": (f"{{1..{count}}}", range(1, count + 1)), "address {01..03}": (f"{{01..{count:02}}}", [f"{n:02}" for n in range(1, count + 1)])}
    words = {"address {a,b}": ("{" + ",".join("bca"[:count]) + "}", "bca"[:count]), "address *": ("*", [1, 2, 10][:count])}
    text, values = {**numbers, **words}[kind]
    names = [f"x_{value}.nc" for value in values]
    written(document, files, names)
    document.has(kind, "address")
    if document.maybe(0.4, "address ;along="):
        document.options = ";along=time"
    document.name = document.text = f"x_{text}.nc"
    document.reference = lambda: concat([opened(document, name) for name in names], "time")


def mosaic(document):
    """Rasters where they lie, as rasterio merges them."""
    random = document.random
    columns, lines = int(random.integers(1, 4)), int(random.integers(1, 3))
    overlap = 4 if document.maybe(0.4, "mosaic: overlap") else 0
    nodata = 7 if document.maybe(0.6, "mosaic: nodata") else None
    is_wide = document.maybe(0.25, "mosaic: other type")
    other = nodata is not None and document.maybe(0.3, "mosaic: other nodata")
    steps = 2 if document.maybe(0.15, "mosaic: new dimension") else 1
    kind = document.one(MOSAICS[:3])
    document.has(kind)
    lists = []
    gap = None
    if columns * lines > 2 and kind != "mosaic: glob" and steps == 1 and document.maybe(0.5):
        gap = (lines - 1, columns - 1)
    for step in range(steps):
        names = []
        for row in range(lines):
            for column in range(columns):
                name = f"t{step}_{row}_{column}.tif"
                names.append(name)
                if (row, column) == gap:
                    continue
                is_odd = (row + column) % 2 == 1
                dtype = "int16" if is_wide and is_odd else "uint8"
                data = random.integers(0, 20, (32, 48)).astype(dtype)
                own = 9 if other and is_odd else nodata
                place = from_origin(500000 + column * 10 * (48 - overlap), 5000000 - row * 10 * (32 - overlap), 10, 10)
                with rasterio.open(os.path.join(document.folder, name), "w", driver="GTiff", height=32, width=48, count=1, dtype=dtype, crs="EPSG:32633", transform=place, nodata=own, tiled=True, blockxsize=16, blockysize=16, compress="deflate") as file:
                    file.write(data, 1)
        lists.append(names)
    if kind == "mosaic: list" or steps > 1:
        sources = lists if steps > 1 else lists[0]
    elif kind == "mosaic: template":
        sources = {"template": "t0_{row}_{column}.tif", "row": f"0..{lines - 1}", "column": f"0..{columns - 1}"}
    else:
        sources = {"glob": "t0_*.tif"}
    members = {"sources": sources, "along": ["y", "x"] if steps == 1 else [{"new": "step", "values": [10, 20]}, "y", "x"]}
    if gap is not None:
        members["missing"] = "fill"
        document.has("mosaic: gap", "missing: fill", "absent source")
        lists = [[name for name in names if name != f"t0_{gap[0]}_{gap[1]}.tif"] for names in lists]

    def reference():
        layers = [mosaic_of(document, names) for names in lists]
        values = np.stack([values for values, _ in layers]) if steps > 1 else layers[0][0]
        where = layers[0][1]
        height, width = values.shape[-2:]
        coords = {"x": where.c + (np.arange(width) + 0.5) * where.a, "y": where.f + (np.arange(height) + 0.5) * where.e}
        if steps > 1:
            coords["step"] = [10, 20]
        return xr.Dataset({"band_data": ((("step",) if steps > 1 else ()) + ("y", "x"), values)}, coords=coords)

    document.reference = reference
    document.write(members)


def mosaic_of(document, names):
    """Later rasters win where they are valid; missing points are NaN. What no raster covers is 0 where no nodata value is known."""
    bounds = []
    for name in names:
        with rasterio.open(os.path.join(document.folder, name)) as file:
            bounds.append((*file.bounds, file.nodata))
    left, bottom, right, top = (choose_of(side) for choose_of, side in zip((min, min, max, max), zip(*[each[:4] for each in bounds])))
    area = np.full((round((top - bottom) / 10), round((right - left) / 10)), np.nan)
    is_missing = any(each[4] is not None for each in bounds)
    if not is_missing:
        area[:] = 0
    for name in names:
        with rasterio.open(os.path.join(document.folder, name)) as file:
            data, valid = file.read(1).astype("f8"), file.read_masks(1) != 0
            row, column = round((top - file.bounds.top) / 10), round((file.bounds.left - left) / 10)
            window = area[row : row + data.shape[0], column : column + data.shape[1]]
            window[valid] = data[valid]
    return area, from_origin(left, top, 10, 10)


KINDS = [along_existing] * 8 + [along_new] * 4 + [along_single_value] * 1 + [rows] * 1 + [outer] * 2 + [merged] * 1 + [grouped] * 1 + [formatted] * 1 + [address] * 3 + [mosaic] * 4


# ---------------------------------------------------------------- comparing


def compare(service, document, report):
    url = document.url(document.name)
    try:
        wanted = document.reference().load()
        failure = None
    except Exception as error:  # noqa: BLE001
        wanted, failure = None, f"{type(error).__name__}: {str(error)[:300]}"
    address_of = store(service, url, document.options)
    note = lambda what, reference, ours, reason=None: report.differ(document.index, what, described(document), reference, ours, reason)  # noqa: E731
    try:
        fetched(f"{address_of}zarr.json")
    except Refused as refusal:
        if wanted is not None:
            note("store", "readable", refusal, refusal.reason)
        return
    told = warnings_of(service, url, {"along": "time"} if document.options else None)
    try:
        # cftime reads no missing times: those of an absent file are decoded below.
        is_whole = wanted is None or "absent" not in wanted.attrs
        found = xr.open_zarr(address_of, chunks=None, decode_times=xr.coders.CFDatetimeCoder(use_cftime=True) if is_whole else False)
    except Exception as error:
        reason = refusal_in(error)
        if reason is None:
            raise
        if wanted is not None:
            note("store", "readable", error, reason)
        return
    if wanted is None:
        try:
            found.load()
        except Exception as error:
            if refusal_in(error) is None:
                raise
            return
        note("store", failure, list(found.variables), first_of(told))
        return
    compare_datasets(document, wanted, found, told, note)


def first_of(told, name=None):
    """What announces a difference of a variable: a warning of its own, or of the whole."""
    own = told.get(name, []) if name is not None else [text for texts in told.values() for text in texts]
    return next(iter([*own, *told.get("", [])]), None)


def compare_datasets(document, wanted, found, told, note):
    absent = wanted.attrs.get("absent")
    for name in sorted(set(wanted.variables) | set(found.variables), key=str):
        if name == "spatial_ref":
            continue
        if name not in found.variables or name not in wanted.variables:
            note(f"variable {name}", name in wanted.variables, name in found.variables, first_of(told, name))
            continue
        one, other = wanted[name].variable, found[name].variable
        if one.dims != other.dims:
            note(f"dimensions of {name}", one.dims, other.dims, first_of(told, name))
            continue
        try:
            ours = other.values
        except Exception as error:  # noqa: BLE001
            reason = refusal_in(error)
            note(f"values of {name}", "readable", error, reason)
            continue
        reference = one.values
        if absent is not None and one.dtype.kind != "f" and "time" in one.dims:
            # What marks missing steps of integers, texts and times is not xarray's to say.
            keep = [at for at in range(one.sizes["time"]) if not absent[0] <= at < absent[1]]
            reference, ours = np.take(reference, keep, one.dims.index("time")), np.take(ours, keep, one.dims.index("time"))
            if name in ("time", "time_bnds"):
                clock = found["time"].attrs
                ours = np.asarray(cftime.num2date(ours, clock["units"], clock["calendar"]))
        difference = compared(reference, ours)
        if difference is not None:
            at, left, right = difference
            note(f"{name} at {at}", left, right, first_of(told, name))


def compared(reference, ours):
    if reference.dtype.kind == "O" and reference.size and hasattr(reference.ravel()[0], "calendar") or ours.dtype.kind == "O" and ours.size and hasattr(ours.ravel()[0], "calendar"):
        one, other = ([str(item) for item in values.ravel().tolist()] for values in (reference, ours))
        return None if one == other and reference.shape == ours.shape else first_difference(np.array(one, object), np.array(other, object))
    if reference.dtype.kind in "SOU" or ours.dtype.kind in "SOU":
        plain = lambda values: np.array([item.decode() if isinstance(item, bytes) else str(item) for item in values.ravel().tolist()], object).reshape(values.shape)  # noqa: E731
        return first_difference(plain(reference), plain(ours))
    if reference.dtype.kind in "iuf" and ours.dtype.kind in "iuf":
        # Packed numbers are computed in float32 or float64, as xarray chooses for each file; both stay within a tenth of a step.
        return first_difference(reference.astype("f8"), ours.astype("f8"), rtol=3e-7, atol=3e-6 if reference.dtype.kind == "f" else 0)
    return first_difference(reference, ours)


def described(document):
    return f"{document.name}{document.options}: {document.text}\n  ({', '.join(document.elements)})"


def main():
    warnings.simplefilter("ignore")
    service, folder, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    only = int(sys.argv[5]) if len(sys.argv) > 5 else None
    report = Report(ELEMENTS)
    for index in range(count) if only is None else [only]:
        random = np.random.default_rng([seed, index])
        own = os.path.join(folder, f"{seed}-{index}")
        os.makedirs(own, exist_ok=True)
        document = Document(random, own, index)
        try:
            document.one(KINDS)(document)
            document.elements = list(dict.fromkeys(document.elements))
            report.count(document.elements)
            report.documents += 1
            compare(service, document, report)
        except Exception as error:  # noqa: BLE001
            trace = traceback.format_exc().strip().split("\n")
            report.differ(index, "failure", described(document), "no failure", f"{type(error).__name__}: {str(error)[:300]} {trace[-3] if len(trace) > 3 else ''}")
        if only is None:
            shutil.rmtree(own, ignore_errors=True)
    report.write()


if __name__ == "__main__":
    main()
