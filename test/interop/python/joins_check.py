"""Joins as xarray's own concatenation of the same files has them: `make FOLDER`, then `check FOLDER SERVER`. `exports FOLDER SERVER`
reads their references by fsspec, as a document and as a Parquet set."""

import base64
import io
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
import zipfile

import numpy as np
import pandas as pd
import xarray as xr

LAT = np.linspace(-50, 50, 6)
LON = np.linspace(0, 315, 8)
CALENDARS = ["standard", "proleptic_gregorian", "julian", "noleap", "all_leap", "360_day"]


def dataset(times, seed, **variables):
    rng = np.random.default_rng(seed)
    sst = rng.random((len(times), 6, 8)).astype("f4")
    sst[rng.random(sst.shape) < 0.1] = np.nan
    data = {"sst": (("time", "lat", "lon"), sst), "n": (("time",), np.arange(len(times), dtype="i4") + seed)}
    return xr.Dataset({**data, **variables}, coords={"time": times, "lat": LAT, "lon": LON})


def months():
    for year in range(2000, 2010):
        for month in range(1, 13):
            start = pd.Timestamp(year, month, 1)
            yield start, pd.date_range(start, periods=start.days_in_month)


def save(folder, name, data, encoding=None, form="NETCDF4", **options):
    path = os.path.join(folder, name)
    data.to_netcdf(path, format=form, encoding=encoding or {}, **options)
    return name


def write_join(folder, name, document):
    with open(os.path.join(folder, name), "w") as file:
        json.dump({"virtual_zarr": "join/1", **document}, file)


def make_months(folder):
    """120 files each of NetCDF-3 and NetCDF-4, whose codecs, chunks, byte order and counts differ from month to month."""
    codecs = [
        {"zlib": True, "shuffle": True, "chunksizes": (1, 6, 8)},
        {"zlib": True, "shuffle": False, "complevel": 1, "chunksizes": (5, 6, 8)},
        {"chunksizes": (1, 6, 8), "fletcher32": True},
        {},
    ]
    for place, (start, times) in enumerate(months()):
        data = dataset(times, place)
        units = f"days since {start.date()}"
        stem = f"{start.year}{start.month:02d}"
        count = {"units": units, "dtype": "i4"}
        save(folder, f"c{stem}.nc", data, {"time": count}, "NETCDF3_CLASSIC", unlimited_dims=["time"])
        own = {"units": f"hours since {start.date()} 06:00" if place % 5 == 0 else units, "dtype": "f8"}
        save(folder, f"h{stem}.nc", data, {"time": own, "sst": codecs[place % 4]})
    fields = {"year": "2000..2009", "month": "1..12"}
    for kind in "ch":
        sources = {"template": kind + "{year}{month:02}.nc", **fields}
        write_join(folder, f"months_{kind}.json", {"sources": sources, "along": "time"})
    write_join(folder, "both.json", {"sources": ["c200001.nc", "h200002.nc", "c200003.nc"], "along": "time"})
    dates = {"template": "c{d:%Y%m}.nc", "d": "2000-01-01..2009-12-01..P1M"}
    write_join(folder, "months_dates.json", {"sources": dates, "along": "time", "check": "all"})


def make_calendars(folder):
    for calendar in CALENDARS:
        names = []
        for place, start in enumerate(["2000-01-01", "2000-02-28", "2001-12-30"]):
            times = xr.date_range(start, periods=4, freq="12h", calendar=calendar, use_cftime=True)
            units = ["days since 1999-12-30", "hours since 2000-02-01 12:00", "minutes since 1600-03-01"][place]
            encoding = {"time": {"units": units, "calendar": calendar, "dtype": "f8"}}
            names.append(save(folder, f"cal_{calendar}_{place}.nc", dataset(times, place), encoding))
        write_join(folder, f"cal_{calendar}.json", {"sources": names, "along": "time"})


def make_packed(folder):
    packings = {
        "exact": [(0.01, 273.15), (0.02, 280.15), (0.01, 273.15)],
        "decoded": [(0.01, 273.15), (0.013, 270.0), (0.01, 273.15)],
        "scaled": [(0.01, None), (0.03, None), (0.007, None)],
    }
    for kind, list_of in packings.items():
        names = []
        for place, (scale, offset) in enumerate(list_of):
            data = dataset(pd.date_range(f"2000-0{place + 1}-01", periods=5), place)
            data["sst"] = data.sst * 10 + (0 if offset is None else 280)
            packing = {"dtype": "i2", "scale_factor": scale, "_FillValue": -32768 + (place % 2)}
            if offset is not None:
                packing["add_offset"] = offset
            names.append(save(folder, f"packed_{kind}_{place}.nc", data, {"sst": packing}))
        write_join(folder, f"packed_{kind}.json", {"sources": names, "along": "time"})


def make_others(folder):
    names = []
    for place in range(3):
        times = pd.date_range(f"2000-0{place + 1}-01", periods=5)
        extra = {"ice": (("time",), np.arange(5.0) + place)} if place != 1 else {}
        names.append(save(folder, f"gap_{place}.nc", dataset(times, place, **extra)))
    write_join(folder, "gap.json", {"sources": names, "along": "time"})
    times = pd.date_range("2000-01-01", periods=5)
    runs = [save(folder, f"run_{run}.nc", dataset(times, run)) for run in (1, 2, 10)]
    write_join(folder, "runs.json", {"sources": runs, "along": {"new": "run", "from": "run_(\\d+)"}})
    for member in range(2):
        for part in range(2):
            times = pd.date_range(f"2000-0{part + 1}-01", periods=4)
            save(folder, f"m{member}_{part}.nc", dataset(times, 10 * member + part))
    rows = [{"template": f"m{member}_{{n}}.nc", "n": "0..1"} for member in range(2)]
    write_join(folder, "rows.json", {"sources": rows, "along": [{"new": "member", "values": [0, 1]}, "time"]})
    dataset(pd.date_range("2000-04-01", periods=5), 4).to_zarr(os.path.join(folder, "mixed.zarr"), zarr_format=2)
    write_join(folder, "mixed.json", {"sources": ["gap_1.nc", "mixed.zarr/"], "along": "time"})
    upside = dataset(pd.date_range("2000-02-01", periods=5), 1).isel(lat=slice(None, None, -1))
    save(folder, "upside.nc", upside)
    write_join(folder, "upside.json", {"sources": ["gap_0.nc", "upside.nc"], "along": "time"})


def make_outer(folder):
    """Files that cover other parts of the grid, stored in several ways, and runs that begin later."""
    parts = [(slice(0, 4), slice(0, 8)), (slice(2, 6), slice(2, 8)), (slice(0, 6, 2), slice(0, 5))]
    encodings = [
        {"dtype": "i2", "scale_factor": 0.001, "_FillValue": -32768, "zlib": True, "chunksizes": (1, 2, 4)},
        {"dtype": "i2", "scale_factor": 0.001, "_FillValue": -32768, "chunksizes": (2, 2, 4)},
        {"dtype": "i2", "scale_factor": 0.002, "_FillValue": -1},
    ]
    for place, (lat, lon) in enumerate(parts):
        data = dataset(pd.date_range(f"2000-0{place + 1}-01", periods=3), place, grid=(("lat", "lon"), LAT[:, None] + LON))
        data = data.isel(lat=lat, lon=lon)
        data["lat_bnds"] = (("lat", "nv"), np.stack([data.lat - 1, data.lat + 1], 1))
        data.lat.attrs["bounds"] = "lat_bnds"
        save(folder, f"outer_{place}.nc", data, {"sst": encodings[place]})
        start = pd.Timestamp(2000, 1, 1) + place * pd.Timedelta("12h")
        run = dataset(pd.date_range(start, periods=4, freq="12h"), place).drop_vars("n")
        save(folder, f"late_{place}.nc", run, {"time": {"units": f"hours since {start}"}})
    names = [f"outer_{place}.nc" for place in range(3)]
    write_join(folder, "outer.json", {"sources": names, "along": "time", "align": "outer"})
    late = [f"late_{place}.nc" for place in range(3)]
    along = {"new": "run", "from": "late_(\\d+)"}
    write_join(folder, "late.json", {"sources": late, "along": along, "align": "outer"})


def make(folder):
    for step in (make_months, make_calendars, make_packed, make_others, make_outer):
        step(folder)


def store(server, url):
    return f"{server}zarr/~{base64.urlsafe_b64encode(url.encode()).decode().rstrip('=')}/"


# What all files have is the first file's, but where each covers another part of it.
COMPAT = {"exact": "override", "outer": "no_conflicts"}


def concat(folder, names, dim="time", times=None, join="exact"):
    decode = xr.coders.CFDatetimeCoder(use_cftime=times)
    files = [xr.open_dataset(os.path.join(folder, name), decode_times=decode) for name in names]
    coords = "minimal"
    return xr.concat(files, dim, data_vars="minimal" if dim == "time" else "all", coords=coords, compat=COMPAT[join], join=join)


def expected(folder):
    """What xarray makes of the same files, and how near the values must come."""
    stems = [f"{start.year}{start.month:02d}" for start, _times in months()]
    yield "months_c.json", concat(folder, [f"c{stem}.nc" for stem in stems]), 0
    yield "months_dates.json", concat(folder, [f"c{stem}.nc" for stem in stems]), 0
    yield "c{2000..2009}{01..12}.nc", concat(folder, [f"c{stem}.nc" for stem in stems]), 0
    yield "c2*.nc", concat(folder, [f"c{stem}.nc" for stem in stems]), 0
    yield "both.json", concat(folder, ["c200001.nc", "h200002.nc", "c200003.nc"]), 0
    yield "months_h.json", concat(folder, [f"h{stem}.nc" for stem in stems]), 0
    for calendar in CALENDARS:
        yield f"cal_{calendar}.json", concat(folder, [f"cal_{calendar}_{n}.nc" for n in range(3)], times=True), 0
    for kind in ("exact", "decoded", "scaled"):
        yield f"packed_{kind}.json", concat(folder, [f"packed_{kind}_{n}.nc" for n in range(3)]), 2e-7
    yield "gap.json", concat(folder, [f"gap_{n}.nc" for n in range(3)]), 0
    runs = concat(folder, [f"run_{run}.nc" for run in (1, 2, 10)], "run").assign_coords(run=[1, 2, 10])
    yield "runs.json", runs, 0
    rows = [concat(folder, [f"m{member}_{part}.nc" for part in range(2)]) for member in range(2)]
    yield "rows.json", xr.concat(rows, "member", data_vars="all").assign_coords(member=[0, 1]), 0
    yield "outer.json", concat(folder, [f"outer_{n}.nc" for n in range(3)], join="outer"), 2e-7
    late = concat(folder, [f"late_{n}.nc" for n in range(3)], "run", join="outer").assign_coords(run=[0, 1, 2])
    yield "late.json", late, 0
    mixed = [xr.open_dataset(os.path.join(folder, "gap_1.nc")), xr.open_zarr(os.path.join(folder, "mixed.zarr"), chunks=None)]
    yield "mixed.json", xr.concat(mixed, "time"), 0


def check(folder, server):
    failures, read = [], 0
    for name, wanted, tolerance in expected(folder):
        decode = xr.coders.CFDatetimeCoder(use_cftime=True if name.startswith("cal_") else None)
        try:
            found = xr.open_zarr(store(server, f"file://{folder}/{name}"), chunks=None, decode_times=decode).load()
            wanted = wanted.load()
            if set(found.variables) != set(wanted.variables):
                raise AssertionError(f"variables {sorted(found.variables)} instead of {sorted(wanted.variables)}")
            for variable in wanted.variables:
                one, other = wanted[variable].values, found[variable].values
                if wanted[variable].dims != found[variable].dims:
                    raise AssertionError(f"{variable} has dimensions {found[variable].dims}")
                if tolerance and one.dtype.kind == "f":
                    np.testing.assert_allclose(other, one, rtol=tolerance, err_msg=variable)
                else:
                    np.testing.assert_array_equal(other, one, err_msg=variable)
                read += 1
        except Exception as error:  # noqa: BLE001
            failures.append(f"{name}: {type(error).__name__}: {str(error)[:600]}")
    print(json.dumps({"read": read, "failures": failures}))


def exported(server, url, to):
    query = urllib.parse.urlencode({"url": url, "to": to})
    return urllib.request.urlopen(f"{server}export?{query}").read()


def opened_references(folder, server, url, to):
    """A document is read as it is; a set from its folder."""
    body = exported(server, url, to)
    references = json.loads(body) if to == "kerchunk" else os.path.join(folder, f"set-{abs(hash(url))}")
    if to != "kerchunk":
        zipfile.ZipFile(io.BytesIO(body)).extractall(references)
    options = {"storage_options": {"fo": references, "remote_protocol": "file"}, "consolidated": False}
    return xr.open_dataset("reference://", engine="zarr", backend_kwargs=options).load()


def exports(folder, server):
    names = ["months_c.json", "gap.json", "runs.json", "rows.json", "packed_exact.json", "outer.json", "late.json", "mixed.json"]
    failures, read = [], 0
    for name in names:
        url = f"file://{folder}/{name}"
        wanted = xr.open_zarr(store(server, url), chunks=None).load()
        for to in ("kerchunk", "kerchunk-parquet"):
            try:
                xr.testing.assert_equal(opened_references(folder, server, url, to), wanted)
                read += 1
            except Exception as error:  # noqa: BLE001
                failures.append(f"{name} as {to}: {type(error).__name__}: {str(error)[:600]}")
    try:
        refused = str(exported(server, f"file://{folder}/months_h.json", "kerchunk")[:100])
    except urllib.error.HTTPError as error:
        refused = f"{error.code} {json.loads(error.read())['detail']}"
    print(json.dumps({"read": read, "failures": failures, "refused": refused}))


if __name__ == "__main__":
    {"make": make, "check": check, "exports": exports}[sys.argv[1]](*sys.argv[2:])
