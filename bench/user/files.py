"""Files of `npm run bench user`: files.py NAME FOLDER writes one of them.

What matters is where things lie and how many chunks there are; contents are simple, and what is never decoded is a hole in the file.
"""

import json
import os
import struct
import sys
import zlib

import numpy as np


def write_atomically(make):
    def run(path):
        part = path + ".part"
        make(part)
        os.replace(part, path)

    return run


def terrain(height, width):
    y = np.arange(height, dtype="f4")[:, None]
    x = np.arange(width, dtype="f4")[None, :]
    z = np.sin(x / 611) * np.cos(y / 433) + 0.5 * np.sin((x + y) / 97) + 0.1 * np.sin(x / 11 + y / 17)
    noise = np.random.default_rng(7).integers(0, 6, (height, width))
    return (z * 1250 + 2200 + noise).astype("u2")


def cog(side):
    """Deflate with predictor 2, tiles of 512, overviews, about 1.2 bytes a pixel."""

    def make(path):
        import rasterio
        import rasterio.shutil
        from rasterio.transform import from_origin

        plain = path + ".plain.tif"
        where = {"crs": "EPSG:32633", "transform": from_origin(500000, 5000000, 10, 10), "nodata": 0}
        with rasterio.open(plain, "w", driver="GTiff", width=side, height=side, count=1, dtype="uint16", **where) as file:
            file.write(terrain(side, side), 1)
        options = {"COMPRESS": "DEFLATE", "PREDICTOR": "YES", "BLOCKSIZE": 512, "OVERVIEWS": "AUTO", "RESAMPLING": "nearest"}
        rasterio.shutil.copy(plain, path, driver="COG", NUM_THREADS="ALL_CPUS", **options)
        os.remove(plain)

    return make


def dataset(path, times, lat, lon, chunk, distinct, noise=4):
    """NetCDF-4 with coordinates and `t2m`, of whose chunks only so many differ: they are compressed once."""
    import h5py
    import netCDF4

    with netCDF4.Dataset(path, "w", format="NETCDF4") as file:
        for name, values, type_ in (("time", np.arange(times), "i4"), ("lat", np.linspace(90, -90, lat), "f4"), ("lon", np.linspace(0, 359, lon), "f4")):
            file.createDimension(name, len(values))
            file.createVariable(name, type_, (name,))[:] = values
        file["time"].units = "hours since 2020-01-01"
        options = {"zlib": True, "complevel": 4, "shuffle": True, "chunksizes": chunk, "fill_value": np.float32(-9999)}
        file.createVariable("t2m", "f4", ("time", "lat", "lon"), **options).units = "K"
    random = np.random.default_rng(11)
    t, y, x = np.mgrid[: chunk[0], : chunk[1], : chunk[2]].astype("f4")
    with h5py.File(path, "r+") as file:
        variable, blobs = file["t2m"].id, []
        for number in range(distinct):
            values = 288 + 8 * np.sin(t / 24 + number) + 6 * np.sin(x / 13 + y / 9) + random.integers(0, noise, chunk) / 16
            packed = np.round(values * 64).astype("f4") / np.float32(64)
            shuffled = np.frombuffer(packed.tobytes(), "u1").reshape(-1, 4).T.tobytes()
            blobs.append(zlib.compress(shuffled, 4))
        number = 0
        for a in range(0, times, chunk[0]):
            for b in range(0, lat, chunk[1]):
                for c in range(0, lon, chunk[2]):
                    variable.write_direct_chunk((a, b, c), blobs[number % distinct])
                    number += 1


def era5_short(path):
    """9,855 chunks by a B-tree of version 1; the coordinates lie in the first 64 KiB."""
    dataset(path, 8760, 181, 360, (24, 61, 40), 45)


def grid(path):
    """160 chunks of about 325 kB: 52 MB."""
    dataset(path, 120, 362, 720, (3, 181, 360), 160, noise=1024)


def grid_warm(path):
    dataset(path, 48, 20, 40, (24, 10, 20), 4)


def day(path):
    """Four times of a small grid: one file of a long series. Where its times lie is written beside it, for the origin."""
    import h5py
    import netCDF4

    with netCDF4.Dataset(path, "w", format="NETCDF4") as file:
        for name, length in (("time", None), ("lat", 37), ("lon", 72)):
            file.createDimension(name, length)
        time = file.createVariable("time", "f8", ("time",))
        time.units = "hours since 2000-01-01"
        time[:] = np.arange(4) * 6
        file.createVariable("lat", "f4", ("lat",))[:] = np.linspace(90, -90, 37)
        file.createVariable("lon", "f4", ("lon",))[:] = np.arange(72) * 5
        options = {"zlib": True, "shuffle": True, "chunksizes": (1, 37, 72), "fill_value": np.float32(-999)}
        variable = file.createVariable("sst", "f4", ("time", "lat", "lon"), **options)
        variable.units = "K"
        variable[:] = np.round(np.random.default_rng(13).standard_normal((4, 37, 72)) * 64) / 64 + 290
    with h5py.File(path) as file:
        chunk = file["time"].id.get_chunk_info(0)
    assert chunk.filter_mask == 0 and file_value(path, chunk.byte_offset + 8) == 6
    with open(path.removesuffix(".part") + ".times.json", "w") as beside:
        beside.write(json.dumps({"offset": chunk.byte_offset, "count": 4, "step": 6}))


def file_value(path, offset):
    with open(path, "rb") as file:
        file.seek(offset)
        return struct.unpack("<d", file.read(8))[0]


def join(count, **members):
    document = {"virtual_zarr": "join/1", "sources": {"template": "day-{n:06}.nc", "n": f"0..{count - 1}"}, "along": "time", "lengths": 4}

    def make(path):
        with open(path, "w") as file:
            json.dump({**document, **members}, file)

    return make


def atl06(path):
    """1,158 small chunked datasets with attributes in nested groups."""
    import h5py

    random = np.random.default_rng(5)
    kinds = [("f4", 3.4028235e38), ("f8", 1.7976931348623157e308), ("i4", 2147483647), ("i1", 127)]
    options = {"chunks": (1000,), "maxshape": (None,), "compression": "gzip", "compression_opts": 6, "shuffle": True}
    with h5py.File(path, "w", libver="earliest") as file:
        for number in range(40):
            file.attrs[f"attribute_{number:02d}"] = f"value {number} " * 8
        for name in ("atlas_sdp_gps_epoch", "end_cycle", "start_cycle", "release", "rgt", "sc_orient"):
            file.create_dataset(f"orbit_info/{name}", data=np.array([1], "i4"))
        for beam in ("gt1l", "gt1r", "gt2l", "gt2r", "gt3l", "gt3r"):
            for group in ("", "bias_correction", "dem", "fit_statistics", "geophysical", "ground_track", "tide", "quality"):
                node = file.require_group(f"{beam}/land_ice_segments/{group}".rstrip("/"))
                node.attrs["Description"] = "group " + group
                for number in range(24):
                    type_, fill = kinds[number % 4]
                    values = (random.standard_normal(1500) * 50).astype(type_)
                    each = node.create_dataset(f"var_{number:02d}", data=values, fillvalue=np.array(fill, type_), **options)
                    each.attrs["_FillValue"] = np.array([fill], type_)
                    each.attrs["units"] = "meters"
                    each.attrs["long_name"] = f"variable {number} of {group or 'segments'}"
                    each.attrs["contentType"] = "modelResult"
                    each.attrs["coordinates"] = "../latitude ../longitude"


def fits(count, height, width):
    """Images with errors and flags, as telescopes write them: every third HDU has half the size. The data are holes."""

    def make(path):
        with open(path, "wb") as file:
            for number in range(count):
                first = ("SIMPLE", "T") if number == 0 else ("XTENSION", "'IMAGE   '")
                cards = [first, ("BITPIX", 16 if number % 3 == 0 else -32), ("NAXIS", 2), ("NAXIS1", width), ("NAXIS2", height)]
                cards += [("EXTEND", "T")] if number == 0 else [("PCOUNT", 0), ("GCOUNT", 1), ("EXTNAME", f"'{('DQ', 'SCI', 'ERR')[number % 3]}{number // 3}'")]
                cards += [("BUNIT", "'Jy      '"), ("EXPTIME", f"{number + 0.5}")]
                text = "".join(f"{key:8s}= {value if isinstance(value, str) and value[0] == chr(39) else str(value).rjust(20)}".ljust(80) for key, value in cards)
                file.write((text + "END".ljust(80)).ljust(2880 * -(-(len(text) + 80) // 2880)).encode())
                file.seek(-(-height * width * (2 if number % 3 == 0 else 4) // 2880) * 2880, os.SEEK_CUR)
            file.truncate()

    return make


PARAMETERS = [((0, 0), "TMP", "t"), ((1, 0), "SPFH", "q"), ((2, 2), "UGRD", "u"), ((2, 3), "VGRD", "v"), ((3, 5), "HGT", "gh")]
LEVELS = [1000, 950, 925, 850, 700, 600, 500, 400, 300, 250, 200, 100]
STEPS = 34
COLUMNS, ROWS, BITS = 1440, 721, 4


def grib_message(category, number, level, step):
    """Edition 2, simple packing: everything but the data, which are zeros, and where it ends."""
    section = lambda number, content: struct.pack(">IB", len(content) + 5, number) + content
    points, missing = COLUMNS * ROWS, 2**32 - 1
    head = section(1, struct.pack(">HHBBBHBBBBBBB", 7, 0, 2, 1, 1, 2024, 1, 1, 0, 0, 0, 0, 1))
    corners = struct.pack(">iIBIIIIB", 90_000_000, 0, 48, 2**31 + 90_000_000, 359_750_000, 250_000, 250_000, 0)
    head += section(3, struct.pack(">BIBBHB", 0, points, 0, 0, 0, 6) + bytes(15) + struct.pack(">IIII", COLUMNS, ROWS, 0, missing) + corners)
    surface = struct.pack(">BBI", 100, 0, level * 100) + struct.pack(">BBI", 255, 255, missing)
    head += section(4, struct.pack(">HHBBBBBHBBI", 0, 0, category, number, 2, 0, 96, 0, 0, 1, step) + surface)
    head += section(5, struct.pack(">IHfHHBB", points, 0, 256.0, 0, 0, BITS, 0)) + section(6, b"\xff")
    data = points * BITS // 8
    head += struct.pack(">IB", data + 5, 7)
    length = 16 + len(head) + data + 4
    return b"GRIB\xff\xff\0\x02" + struct.pack(">Q", length) + head, length


def grib(index):
    """2,040 messages, 1.06 GB of which nearly all are holes, and an index beside it as wgrib2 or as ECMWF writes it."""

    def make(path):
        lines, offset = [], 0
        with open(path, "wb") as file:
            for step in range(0, STEPS * 3, 3):
                for (category, number), short, param in PARAMETERS:
                    for level in LEVELS:
                        head, length = grib_message(category, number, level, step)
                        file.write(head)
                        offset += length
                        file.seek(offset - 4)
                        file.write(b"7777")
                        begin = offset - length
                        when = "anl" if step == 0 else f"{step} hour fcst"
                        keys = {"domain": "g", "date": "20240101", "time": "0000", "type": "fc", "stream": "oper", "step": str(step)}
                        keys |= {"levtype": "pl", "levelist": str(level), "param": param, "_offset": begin, "_length": length}
                        wgrib2 = f"{len(lines) + 1}:{begin}:d=2024010100:{short}:{level} mb:{when}:"
                        lines.append(wgrib2 if index == "idx" else json.dumps(keys))
        name = path.removesuffix(".part")
        with open(f"{name}.idx" if index == "idx" else name.replace(".grib2", ".index"), "w") as file:
            file.write("\n".join(lines) + "\n")

    return make


def tiles(path):
    """A BigTIFF of 128 x 128 uncompressed tiles of 128 KiB, 2 GB of holes."""
    grid, tile = 128, 256
    count, size = grid * grid, tile * tile * 2
    side = grid * tile
    tags = [(256, 4, 1, side), (257, 4, 1, side), (258, 3, 1, 16), (259, 3, 1, 1), (262, 3, 1, 1), (277, 3, 1, 1), (284, 3, 1, 1)]
    start = 16 + 8 + 20 * (len(tags) + 5) + 8
    data = start + 12 * count
    tags += [(322, 3, 1, tile), (323, 3, 1, tile), (324, 16, count, start), (325, 4, count, start + 8 * count), (339, 3, 1, 1)]
    with open(path, "wb") as file:
        file.write(struct.pack("<2sHHHQQ", b"II", 43, 8, 0, 16, len(tags)))
        for tag in tags:
            file.write(struct.pack("<HHQQ", *tag))
        file.write(bytes(8))
        # In no order: neighbours of the grid lie far apart.
        file.write((data + np.random.default_rng(3).permutation(count).astype("<u8") * size).tobytes())
        file.write(np.full(count, size, "<u4").tobytes())
        file.truncate(data + count * size)


FILES = {
    "day.nc": day,
    "join20.json": join(20),
    "join1000.json": join(1000),
    "join1000unchecked.json": join(1000, check="none"),
    "join10000.json": join(10000),
    "join10000declared.json": join(10000, coordinates={"time": {"start": 0, "step": 6, "units": "hours since 2000-01-01"}}),
    "atl06.h5": atl06,
    "hdus200.fits": fits(200, 512, 512),
    "hdus1000.fits": fits(1000, 96, 192),
    "idx.grib2": grib("idx"),
    "index.grib2": grib("index"),
    "tiles.tif": tiles,
    "cog.tif": cog(8192),
    "warm.tif": cog(1024),
    "era5_short.nc": era5_short,
    "grid.nc": grid,
    "warm.nc": grid_warm,
}

if __name__ == "__main__":
    name, folder = sys.argv[1:]
    write_atomically(FILES[name])(f"{folder}/{name}")
