"""Files of `npm run bench user`: files.py NAME FOLDER writes one of them.

What matters is where things lie and how many chunks there are; contents are simple, and what is never decoded is a hole in the file.
"""

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


FILES = {
    "cog.tif": cog(8192),
    "warm.tif": cog(1024),
    "era5_short.nc": era5_short,
    "grid.nc": grid,
    "warm.nc": grid_warm,
}

if __name__ == "__main__":
    name, folder = sys.argv[1:]
    write_atomically(FILES[name])(f"{folder}/{name}")
