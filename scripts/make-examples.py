# /// script
# requires-python = ">=3.11"
# dependencies = ["netCDF4==1.7.5.1.post1", "numpy==2.4.6", "xarray==2026.9.0", "zarr==3.1.6", "numcodecs==0.16.6", "rasterio==1.4.4", "h5py==3.16.0", "astropy==8.0.2", "pyhdf==0.11.7", "eccodes==2.50.0", "eccodeslib==2.50.0.33", "icechunk==1.1.21"]
# ///
"""Makes the bundled examples: `python scripts/make-examples.py [folder]`, with the packages named above.

Invented data from closed formulas within the Earth's coasts, so that every run writes the same bytes (but for Icechunk, whose ids are random). Each file shows what its format is like in
the wild: records, packing, fill values and unwritten chunks, text, times, groups.
"""

import base64
import json
import shutil
import sys
import zipfile
import zlib
from pathlib import Path

import netCDF4
import numpy as np
import rasterio
import rasterio.shutil
import xarray as xr
import zarr
from astropy.io import fits
from numcodecs import Blosc, Shuffle, Zlib
from zarr.codecs import BloscCodec, GzipCodec, ZstdCodec

from dmrpp_writer import write_sidecar

# Natural Earth's, public domain (scripts/make-coastline.ts).
COASTS = json.loads((Path(__file__).parent.parent / "web/src/map/coastline.json").read_text())
OUT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent / "examples")


def noise(*shape: int) -> np.ndarray:
    """Values from -1 to 1 that look random and are the same on every machine: a multiplicative hash of the index."""
    index = np.arange(np.prod(shape), dtype=np.uint64) + np.uint64(1)
    mixed = (index * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)
    return (mixed.astype(np.float64) / 2**23 - 1).reshape(shape)


def is_land(lat: np.ndarray, lon: np.ndarray) -> np.ndarray:
    """Points within the coasts that the explorer draws: as many of them to the west as make an odd number."""
    inside = np.repeat(lat[:, None] < -84, len(lon), axis=1)
    for steps in COASTS:
        x, y = np.cumsum(np.reshape(steps, (-1, 2)), axis=0).T / 100
        for x0, y0, x1, y1 in zip(x[:-1], y[:-1], x[1:], y[1:]):
            # A step around the back of the Earth.
            if abs(x1 - x0) > 180:
                continue
            for row in np.flatnonzero((lat > min(y0, y1)) & (lat <= max(y0, y1)) & (lat >= -84)):
                inside[row] ^= lon > x0 + (lat[row] - y0) / (y1 - y0) * (x1 - x0)
    return inside


def waves(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Smooth invented heights."""
    a, b = np.deg2rad(y)[:, None], np.deg2rad(x)[None, :]
    return np.sin(2 * a + 1.3) * np.cos(2 * b + 0.6) + 0.6 * np.sin(3 * b - 2 * a) * np.cos(a) + 0.25 * np.sin(7 * b + 5 * a) - 0.35


def grid(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    step_y, step_x = 180 / rows, 360 / columns
    return 90 - step_y / 2 - step_y * np.arange(rows), -180 + step_x / 2 + step_x * np.arange(columns)


def add_grid(nc: netCDF4.Dataset, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    lat, lon = grid(rows, columns)
    for name, values, units, axis in [("lat", lat, "degrees_north", "Y"), ("lon", lon, "degrees_east", "X")]:
        nc.createDimension(name, len(values))
        variable = nc.createVariable(name, "f4", (name,))
        variable.setncatts({"units": units, "axis": axis, "standard_name": {"lat": "latitude", "lon": "longitude"}[name]})
        variable[:] = values
    return lat, lon


def sea_surface(path: Path) -> None:
    """CDF-1: monthly records, packed into 16 bits, land masked."""
    with netCDF4.Dataset(path, "w", format="NETCDF3_CLASSIC") as nc:
        nc.setncatts({"Conventions": "CF-1.8", "title": "Invented sea surface temperature", "history": "scripts/make-examples.py"})
        lat, lon = add_grid(nc, 36, 72)
        nc.createDimension("time", None)
        nc.createDimension("bounds", 2)
        time = nc.createVariable("time", "f8", ("time",))
        time.setncatts({"units": "days since 2024-01-01 00:00:00", "calendar": "standard", "bounds": "time_bounds"})
        bounds = nc.createVariable("time_bounds", "f8", ("time", "bounds"))
        sst = nc.createVariable("sst", "i2", ("time", "lat", "lon"), fill_value=np.int16(-32768))
        sst.setncatts({
            "standard_name": "sea_surface_temperature", "units": "degree_Celsius", "scale_factor": 0.01, "add_offset": 15.0,
            "missing_value": np.int16(-32768), "valid_min": np.int16(-1700), "valid_max": np.int16(2000),
        })
        sst.set_auto_maskandscale(False)
        starts = np.cumsum([0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]).astype("f8")
        land, wiggle = is_land(lat, lon), noise(12, 36, 72)
        for month in range(12):
            season = np.sin(2 * np.pi * (month - 3.5) / 12) * np.sin(np.deg2rad(lat))[:, None] * 4
            celsius = 28 * np.cos(np.deg2rad(lat))[:, None] ** 2 + season + 0.4 * wiggle[month]
            packed = np.rint((np.maximum(celsius, -1.8) - 15) / 0.01).astype("i2")
            time[month] = starts[month : month + 2].mean()
            bounds[month] = starts[month : month + 2]
            sst[month] = np.where(land, np.int16(-32768), packed)


def buoy(path: Path) -> None:
    """CDF-2: hourly records of several small variables, text, flags, gaps of either kind."""
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET") as nc:
        nc.setncatts({"Conventions": "CF-1.8", "featureType": "timeSeries", "title": "Invented moored buoy", "history": "scripts/make-examples.py"})
        nc.createDimension("time", None)
        nc.createDimension("name_length", 16)
        name = nc.createVariable("station_name", "S1", ("name_length",))
        name.setncatts({"long_name": "name of the station", "cf_role": "timeseries_id"})
        name[:] = netCDF4.stringtochar(np.array([b"Example Bank 7"], dtype="S16"))[0]
        hours = np.arange(720)
        depth = nc.createVariable("depth", "f4", ())
        depth.setncatts({"units": "m", "positive": "down"})
        depth[...] = 87.5
        time = nc.createVariable("time", "i4", ("time",))
        time.setncatts({"units": "hours since 2024-06-01 00:00:00", "standard_name": "time"})
        wiggle = noise(4, 720)
        columns = {
            "wave_height": (1.4 + 0.9 * np.sin(hours / 60) + 0.2 * wiggle[0], "m", "sea_surface_wave_significant_height"),
            "wind_speed": (7 + 3 * np.sin(hours / 40 + 1) + 1.5 * wiggle[1], "m s-1", "wind_speed"),
            "water_temperature": (12 + hours / 240 + 0.6 * np.sin(2 * np.pi * hours / 24) + 0.1 * wiggle[2], "degree_Celsius", "sea_water_temperature"),
        }
        for key, (values, units, standard_name) in columns.items():
            variable = nc.createVariable(key, "f4", ("time",), fill_value=np.float32(-999.9))
            variable.setncatts({"units": units, "standard_name": standard_name, "coordinates": "depth station_name"})
        quality = nc.createVariable("quality", "i1", ("time",))
        quality.setncatts({"long_name": "quality of the record", "flag_values": np.array([0, 1, 2], "i1"), "flag_meanings": "good doubtful bad"})
        time[:] = hours
        gap = (hours % 97 == 0) | ((hours > 300) & (hours < 318))
        for key, (values, _, _) in columns.items():
            nc[key][:] = np.where(gap, np.float32(-999.9), values.astype("f4"))
        quality[:] = np.where(gap, 2, np.where(wiggle[3] > 0.95, 1, 0)).astype("i1")


def relief(path: Path) -> None:
    """CDF-5: fixed variables of unsigned types, with the library's default fill value where nothing was written."""
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_DATA") as nc:
        nc.setncatts({"Conventions": "CF-1.8", "title": "Invented relief", "history": "scripts/make-examples.py"})
        lat, lon = add_grid(nc, 120, 240)
        height = np.where(is_land(lat, lon), 1, -1) * np.abs(waves(lat, lon)) * 2600 + 140 * noise(120, 240)
        elevation = nc.createVariable("elevation", "i2", ("lat", "lon"))
        elevation.setncatts({"standard_name": "surface_altitude", "units": "m"})
        elevation[:] = np.rint(height).astype("i2")
        surface = nc.createVariable("surface", "u1", ("lat", "lon"), fill_value=np.uint8(255))
        surface.setncatts({"flag_values": np.array([0, 1, 2, 3], "u1"), "flag_meanings": "sea lowland upland ice", "long_name": "kind of surface"})
        kind = np.select([height < 0, height < 800], [0, 1], 2)
        surface[:] = np.where(np.abs(lat)[:, None] > 75, 3, kind).astype("u1")
        visits = nc.createVariable("visits", "u4", ("lat",))
        visits.setncatts({"long_name": "how often a row was surveyed; the last rows never were"})
        visits[:100] = np.arange(100, dtype="u4") * 7


def chlorophyll(path: Path) -> None:
    """Zarr v2 as xarray writes it, consolidated: times, blosc and zlib, chunks that were never written."""
    lat, lon = grid(45, 90)
    land, wiggle = is_land(lat, lon), noise(6, 45, 90)
    values = np.exp(-1.5 + 1.2 * np.abs(np.sin(np.deg2rad(lat)))[None, :, None] + 0.5 * wiggle).astype("f4")
    values[:, land] = np.nan
    values[:, :15, 60:] = np.nan
    count = np.where(np.isnan(values), 0, (8 + 8 * wiggle)).astype("i4")
    ds = xr.Dataset(
        {
            "chlorophyll": (("time", "lat", "lon"), values, {"units": "mg m-3", "standard_name": "mass_concentration_of_chlorophyll_in_sea_water"}),
            "observations": (("time", "lat", "lon"), count, {"long_name": "number of observations"}),
        },
        {
            "time": ("time", np.array([f"2024-{month:02}-01" for month in range(1, 7)], dtype="datetime64[ns]")),
            "lat": ("lat", lat, {"units": "degrees_north"}),
            "lon": ("lon", lon, {"units": "degrees_east"}),
        },
        {"title": "Invented ocean colour", "history": "scripts/make-examples.py"},
    )
    encoding = {
        "chlorophyll": {"chunks": (3, 15, 30), "compressors": (Blosc("zstd", 5, Blosc.SHUFFLE),), "_FillValue": np.float32("nan")},
        "observations": {"chunks": (6, 45, 90), "filters": [Shuffle(4)], "compressors": (Zlib(6),), "_FillValue": None},
        "time": {"units": "days since 2024-01-01", "dtype": "i4"},
    }
    ds.to_zarr(path, zarr_format=2, consolidated=True, encoding=encoding, write_empty_chunks=False)


def forest(path: Path) -> None:
    """Zarr v3, not consolidated: groups, text, a shard, several compressors."""
    root = zarr.create_group(path, attributes={"title": "Invented forest inventory", "history": "scripts/make-examples.py"})
    cover = root.create_array(
        "cover", shape=(128, 128), chunks=(32, 32), shards=(64, 64), dtype="uint8", fill_value=255,
        compressors=ZstdCodec(level=5), dimension_names=("y", "x"), attributes={"long_name": "tree cover", "units": "percent"},
    )
    at = np.linspace(-1, 1, 128)
    percent = np.clip(60 + 40 * np.sin(4 * at)[:, None] * np.cos(5 * at)[None, :] + 8 * noise(128, 128), 0, 100).astype("u1")
    cover[:64] = percent[:64]
    cover[64:, :64] = percent[64:, :64]
    for axis in ("y", "x"):
        values = 500_000 + 30.0 * np.arange(128) if axis == "x" else 4_200_000 - 30.0 * np.arange(128)
        array = root.create_array(axis, shape=(128,), chunks=(128,), dtype="float64", dimension_names=(axis,), attributes={"units": "m", "axis": axis.upper()})
        array[:] = values
    plots = root.create_group("plots", attributes={"long_name": "trees measured on the ground"})
    species = np.array(["Fagus sylvatica", "Picea abies", "Quercus robur", "Hêtre (?)"], dtype=object)
    trees = 200
    text = plots.create_array("species", shape=(trees,), chunks=(100,), dtype="string", dimension_names=("tree",))
    text[:] = species[np.arange(trees) * 7 % 4]
    height = plots.create_array(
        "height", shape=(trees,), chunks=(64,), dtype="float32", fill_value=np.nan, compressors=GzipCodec(level=6),
        dimension_names=("tree",), attributes={"units": "m", "_FillValue": "AAAAAAAA+H8="},
    )
    height[:192] = (22 + 9 * noise(192)).astype("f4")
    for chunk in (path / "plots/height/c").iterdir():
        member = chunk.read_bytes()  # gzip notes the time of writing in bytes 4 to 8
        chunk.write_bytes(member[:4] + bytes(4) + member[8:])
    alive = plots.create_array("alive", shape=(trees,), chunks=(trees,), dtype="bool", dimension_names=("tree",), compressors=BloscCodec(cname="lz4"))
    alive[:] = noise(trees) > -0.9


def rivers(path: Path) -> None:
    """Zarr v3 in one zip file, its members stored as they are."""
    folder = path.with_suffix(".folder")
    days = np.arange("2023-10-01", "2024-10-01", dtype="datetime64[D]").astype("datetime64[ns]")
    mean = np.array([2300.0, 310.0, 45.0, 6.5])
    season = 1 + 0.5 * np.sin(2 * np.pi * (np.arange(len(days)) - 60) / 365)
    discharge = mean[:, None] * season * (1 + 0.15 * noise(4, len(days)))
    discharge[2, 100:130] = np.nan
    ds = xr.Dataset(
        {"discharge": (("station", "time"), discharge, {"units": "m3 s-1", "standard_name": "water_volume_transport_in_river_channel"})},
        {
            "time": ("time", days),
            "station": ("station", np.array(["Great", "Middle", "Little", "Tiny"], dtype=object)),
        },
        {"title": "Invented river gauges", "history": "scripts/make-examples.py"},
    )
    packed = {"dtype": "i4", "scale_factor": 0.001, "_FillValue": np.int32(-9999), "chunks": (4, 122)}
    ds.to_zarr(folder, zarr_format=3, consolidated=True, encoding={"discharge": packed, "time": {"units": "days since 2023-10-01", "dtype": "i4"}})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            archive.writestr(zipfile.ZipInfo(file.relative_to(folder).as_posix(), (1980, 1, 1, 0, 0, 0)), file.read_bytes())
    shutil.rmtree(folder)


def harvest(path: Path) -> None:
    """COG: overviews, a nodata value, scaled values with a unit, in UTM; tiles outside of the fields were never written."""
    rows, columns, pixel = 640, 768, 20.0
    y, x = np.mgrid[0:rows, 0:columns]
    fields = np.sin(x / 61 + np.sin(y / 97)) * np.cos(y / 53) + 0.15 * noise(rows, columns)
    area = ((x - 250) / 240) ** 2 + ((y - 300) / 260) ** 2 < 1
    values = np.where(area, np.round((fields + 1.2) * 300 / 16) * 16, -32768).astype("int16")
    profile = {"driver": "GTiff", "dtype": "int16", "count": 1, "height": rows, "width": columns, "nodata": -32768, "crs": "EPSG:32633"}
    transform = rasterio.transform.from_origin(390000, 5830000, pixel, pixel)
    with rasterio.MemoryFile() as memory:
        with memory.open(**profile, transform=transform) as tiff:
            tiff.write(values, 1)
            tiff.scales, tiff.offsets, tiff.units, tiff.descriptions = (0.01,), (0.0,), ("t/ha",), ("yield of wheat",)
            tiff.update_tags(TITLE="Invented harvest", SOURCE="scripts/make-examples.py")
        rasterio.shutil.copy(
            memory.name, path, driver="COG", blocksize=128, compress="DEFLATE", predictor=2, sparse_ok=True, overviews="AUTO", resampling="average"
        )


def currents(path: Path) -> None:
    """A DMR++ sidecar beside the NetCDF-4 file it describes: groups, packed and compressed chunks some of which don't exist, text."""
    data = path.with_suffix("")
    with netCDF4.Dataset(data, "w", format="NETCDF4") as nc:
        nc.setncatts({"Conventions": "CF-1.8", "title": "Invented ocean currents", "history": "scripts/make-examples.py"})
        lat, lon = add_grid(nc, 45, 90)
        nc.createDimension("time", None)
        time = nc.createVariable("time", "i4", ("time",), chunksizes=(12,))
        time.setncatts({"units": "days since 2023-01-15", "standard_name": "time"})
        time[:] = np.round(np.arange(12) * 30.4)
        sea = ~is_land(lat, lon)
        for name, turn in [("u", 0.0), ("v", 1.2)]:
            variable = nc.createVariable(
                name, "i2", ("time", "lat", "lon"), zlib=True, shuffle=True, complevel=6, chunksizes=(1, 45, 45), fill_value=-32768
            )
            variable.set_auto_maskandscale(False)
            direction = {"u": "eastward", "v": "northward"}[name]
            variable.setncatts({"units": "m s-1", "standard_name": f"{direction}_sea_water_velocity", "scale_factor": 0.001})
            flow = np.sin(np.deg2rad(3 * lat))[:, None] * np.cos(np.deg2rad(2 * lon) + turn)[None, :]
            for month in range(12):
                # The western half was not observed in two months: its chunks don't exist.
                first = 45 if month in (4, 5) else 0
                speed = np.round(800 * flow * (1 + 0.3 * np.cos(month * np.pi / 6 + turn)) / 8) * 8
                variable[month, :, first:] = np.where(sea, speed, -32768)[:, first:]
        drifters = nc.createGroup("drifters")
        drifters.createDimension("drifter", 3)
        drifters.createVariable("name", str, ("drifter",))[:] = np.array(["Amphitrite", "Nereus", "Θέτις"], dtype=object)
        depth = drifters.createVariable("drogue_depth", "f4", ("drifter",), fill_value=np.float32(-1))
        depth.units = "m"
        depth[:] = [15, np.float32(-1), 50]
    write_sidecar(data, path)


def atmosphere(path: Path) -> None:
    """NetCDF-4: an unlimited dimension, packed and compressed chunks, fields that are not complete, an enum, and stations with text in groups."""
    with netCDF4.Dataset(path, "w", format="NETCDF4") as nc:
        nc.setncatts({"Conventions": "CF-1.8", "title": "Invented atmosphere", "history": "scripts/make-examples.py"})
        lat, lon = add_grid(nc, 30, 60)
        nc.createDimension("time", None)
        nc.createDimension("level", 3)
        time = nc.createVariable("time", "i4", ("time",), chunksizes=(16,))
        time.setncatts({"units": "hours since 2024-03-01 00:00:00", "standard_name": "time"})
        level = nc.createVariable("level", "f4", ("level",))
        level.setncatts({"units": "hPa", "positive": "down", "standard_name": "air_pressure", "axis": "Z"})
        level[:] = [850, 500, 250]
        packed = {"zlib": True, "shuffle": True, "complevel": 6, "fill_value": np.int16(-32768)}
        air = nc.createVariable("air_temperature", "i2", ("time", "level", "lat", "lon"), chunksizes=(1, 3, 30, 30), **packed)
        air.setncatts({"units": "K", "standard_name": "air_temperature", "scale_factor": 0.01, "add_offset": 250.0})
        rain = nc.createVariable("precipitation", "f4", ("time", "lat", "lon"), zlib=True, fletcher32=True, chunksizes=(2, 30, 60), fill_value=np.float32(-1))
        rain.setncatts({"units": "mm", "standard_name": "precipitation_amount", "cell_methods": "time: sum"})
        kinds = nc.createEnumType(np.int8, "cloud_kind", {"clear": 0, "low": 1, "high": 2, "missing": 127})
        cloud = nc.createVariable("cloud", kinds, ("time", "lat", "lon"), zlib=True, complevel=6, chunksizes=(4, 30, 60), fill_value=127)
        for variable in (air, rain):
            variable.set_auto_maskandscale(False)
        warm = 300 - 45 * np.abs(np.sin(np.deg2rad(lat)))[:, None]
        for step in range(8):
            time[step] = 6 * step
            wave = 6 * np.sin(np.deg2rad(3 * lon) + step / 3)[None, :] * np.cos(np.deg2rad(lat))[:, None]
            for index, cooler in enumerate((0, 25, 60)):
                air[step, index] = np.rint((warm + wave - cooler - 250) / 0.01 / 10) * 10
            # The last day has no rain yet: its chunks don't exist.
            if step < 4:
                rain[step] = np.where(wave > 3, np.round(wave - 3, 1), 0).astype("f4")
            cloud[step] = np.where(wave > 3, 2, np.where(wave > 0, 1, 0)).astype("i1")
        stations = nc.createGroup("stations")
        stations.createDimension("station", 4)
        stations.createVariable("name", str, ("station",))[:] = np.array(["Nord", "Süd", "West", "Ταύγετος"], dtype=object)
        height = stations.createVariable("height", "f4", ("station",), fill_value=np.float32(-999))
        height.units = "m"
        height[:] = [12, 340, -999, 2404]
        hourly = stations.createGroup("hourly")
        pressure = hourly.createVariable("pressure", ">f8", ("time", "station"), chunksizes=(8, 4), endian="big")
        pressure.setncatts({"units": "hPa", "standard_name": "air_pressure"})
        pressure[:] = 1013 + np.round(8 * np.sin(np.arange(8)[:, None] / 2 + np.arange(4)), 1)


def nebula(path: Path) -> None:
    """FITS: an image packed into 16 bits with missing pixels, its errors in compressed tiles, and a table of sources."""
    y, x = np.mgrid[0:96, 0:128]
    glow = 900 * np.exp(-(((x - 60) / 28) ** 2 + ((y - 50) / 20) ** 2)) * (1.2 + np.sin(x / 6 + y / 11))
    places = [(int(20 + 88 * (0.5 + 0.5 * a)), int(12 + 72 * (0.5 + 0.5 * b)), 400 + 300 * c) for a, b, c in zip(*noise(3, 12))]
    flux = glow + 12 * noise(96, 128)
    for column, row, peak in places:
        flux += peak * np.exp(-((x - column) ** 2 + (y - row) ** 2) / 3)
    packed = np.rint((flux - 500) / 0.05).clip(-32767, 32767).astype("i2")
    packed[:, 63] = -32768
    wcs = {
        "CTYPE1": "RA---TAN", "CTYPE2": "DEC--TAN", "CRPIX1": 64.5, "CRPIX2": 48.5, "CRVAL1": 83.63, "CRVAL2": 22.01,
        "CDELT1": -0.0008, "CDELT2": 0.0008, "CUNIT1": "deg", "CUNIT2": "deg", "RADESYS": "ICRS",
    }
    primary = fits.PrimaryHDU()
    primary.header.update({"OBJECT": "Invented nebula", "TELESCOP": "none", "DATE-OBS": "2024-02-29T21:30:00"})
    primary.header["HISTORY"] = "scripts/make-examples.py"
    image = fits.ImageHDU(packed, name="SCI")
    image.header.update({"BSCALE": 0.05, "BZERO": 500.0, "BLANK": -32768, "BUNIT": "MJy/sr", **wcs})
    errors = fits.CompImageHDU(
        np.sqrt(np.abs(flux) + 20).astype("f4"), name="ERR", compression_type="RICE_1", tile_shape=(32, 64), quantize_method=1, dither_seed=42
    )
    errors.header["BUNIT"] = "MJy/sr"
    names = np.array([f"S{n + 1:02d}" for n in range(len(places))])
    spectra = [np.round(peak * np.linspace(0.2, 1, 2 + n % 4), 3).astype("f4") for n, (_, _, peak) in enumerate(places)]
    table = fits.BinTableHDU.from_columns(
        [
            fits.Column("name", "4A", array=names),
            fits.Column("x", "E", array=np.array([p[0] for p in places], "f4"), unit="pix"),
            fits.Column("y", "E", array=np.array([p[1] for p in places], "f4"), unit="pix"),
            fits.Column("flags", "J", array=np.where(np.arange(12) % 5 == 0, -1, np.arange(12)), null=-1),
            fits.Column("variable", "L", array=np.arange(12) % 3 == 0),
            fits.Column("spectrum", "PE(5)", array=np.array(spectra, dtype=object), unit="MJy/sr"),
        ],
        name="SOURCES",
    )
    fits.HDUList([primary, image, errors, table]).writeto(path)


def storms(path: Path) -> None:
    """Kerchunk references into raw daily files: frames that are compressed, frames of equal length by a generator, values in the document."""
    folder = path.with_suffix("")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    days, frames, rows, columns = 3, 8, 40, 60
    y, x = np.mgrid[0:rows, 0:columns]
    zarray = {"zarr_format": 2, "order": "C", "compressor": None, "filters": None}

    def text(document: dict) -> str:
        return json.dumps(document, separators=(",", ":"))

    def inline(values: np.ndarray) -> str:
        return "base64:" + base64.b64encode(values.tobytes()).decode()

    refs = {
        ".zgroup": text({"zarr_format": 2}),
        ".zattrs": text({"title": "Invented storms", "history": "scripts/make-examples.py"}),
        "rain/.zarray": text({
            **zarray, "shape": [days * frames, rows, columns], "chunks": [1, rows, columns], "dtype": "<i2", "fill_value": -1,
            "filters": [{"id": "shuffle", "elementsize": 2}], "compressor": {"id": "zlib", "level": 6},
        }),
        "rain/.zattrs": text({"_ARRAY_DIMENSIONS": ["time", "y", "x"], "units": "mm h-1", "scale_factor": 0.1, "long_name": "rain rate"}),
        "gusts/.zarray": text({**zarray, "shape": [days * frames, 12], "chunks": [frames, 12], "dtype": ">f4", "fill_value": "NaN"}),
        "gusts/.zattrs": text({"_ARRAY_DIMENSIONS": ["time", "mast"], "units": "m s-1", "long_name": "strongest gust"}),
    }
    for name, values, units in [
        ("time", 3.0 * np.arange(days * frames), "hours since 2024-07-01"),
        ("y", 2.0 * np.arange(rows), "km"),
        ("x", 2.0 * np.arange(columns), "km"),
    ]:
        refs[f"{name}/.zarray"] = text({**zarray, "shape": [len(values)], "chunks": [len(values)], "dtype": "<f8", "fill_value": None})
        refs[f"{name}/.zattrs"] = text({"_ARRAY_DIMENSIONS": [name], "units": units})
        refs[f"{name}/0"] = inline(values.astype("<f8"))
    gusts = (14 + 9 * noise(days * frames, 12)).astype(">f4")
    for day in range(days):
        parts = [gusts[day * frames : (day + 1) * frames].tobytes()]
        for frame in range(frames):
            step = day * frames + frame
            # The radar was off in the second night: those frames don't exist.
            if day == 1 and frame < 2:
                continue
            wet = 90 * np.exp(-(((x - 6 - 2.1 * step) / 9) ** 2 + ((y - 20 - 9 * np.sin(step / 4)) / 6) ** 2)) - 8
            rain = np.where((x + y) % 97 == 0, -1, np.maximum(0, np.round(10 * wet / 4) * 4)).astype("<i2")
            stored = zlib.compress(rain.view("u1").reshape(-1, 2).T.tobytes(), 6)
            refs[f"rain/{step}.0.0"] = [f"{{{{day}}}}{day + 1}.bin", sum(map(len, parts)), len(stored)]
            parts.append(stored)
        (folder / f"day{day + 1}.bin").write_bytes(b"".join(parts))
    generator = {
        "key": "gusts/{{i}}.0", "url": "{{day}}{{i + 1}}.bin", "offset": "0", "length": f"{{{{{frames} * 12 * 4}}}}",
        "dimensions": {"i": {"stop": days}},
    }
    path.write_text(json.dumps({"version": 1, "templates": {"day": f"{folder.name}/day"}, "gen": [generator], "refs": refs}, indent=1) + "\n")


TILE_STRUCTURE = """GROUP=SwathStructure
END_GROUP=SwathStructure
GROUP=GridStructure
	GROUP=GRID_1
		GridName="Vegetation"
		XDim={size}
		YDim={size}
		UpperLeftPointMtrs=(0.000000,5559752.598333)
		LowerRightMtrs=(1111950.519667,4447802.078667)
		Projection=GCTP_SNSOID
		ProjParams=(6371007.181000,0,0,0,0,0,0,0,0,0,0,0,0)
		SphereCode=-1
		GROUP=Dimension
		END_GROUP=Dimension
		GROUP=DataField
			OBJECT=DataField_1
				DataFieldName="NDVI"
				DataType=DFNT_INT16
				DimList=("YDim","XDim")
			END_OBJECT=DataField_1
			OBJECT=DataField_2
				DataFieldName="Quality"
				DataType=DFNT_UINT8
				DimList=("YDim","XDim")
			END_OBJECT=DataField_2
		END_GROUP=DataField
		GROUP=MergedFields
		END_GROUP=MergedFields
	END_GROUP=GRID_1
END_GROUP=GridStructure
END
"""


def vegetation(path: Path) -> None:
    """HDF4 as NASA's land products are: a tile of the sinusoidal grid, compressed, and a table of stations."""
    from pyhdf.HDF import HC, HDF
    from pyhdf.SD import SD, SDC
    from pyhdf.V import V  # noqa: F401
    from pyhdf.VS import VS  # noqa: F401

    size = 120
    y, x = np.mgrid[0:size, 0:size] / size
    index = np.round(1e4 * (0.45 + 0.4 * np.sin(5 * x + 2 * y) * np.cos(4 * y) + 0.05 * noise(size, size)))
    water = (x - 0.6) ** 2 + (y - 0.4) ** 2 < 0.02
    ndvi = np.where(water, -3000, np.clip(index, -2000, 10000)).astype("i2")
    quality = np.where(water, 3, np.where(noise(size, size) > 0.9, 1, 0)).astype("u1")
    file = SD(str(path), SDC.WRITE | SDC.CREATE | SDC.TRUNC)
    file.attr("HDFEOSVersion").set(SDC.CHAR, "HDFEOS_V2.19")
    file.attr("StructMetadata.0").set(SDC.CHAR, TILE_STRUCTURE.format(size=size))
    refs = []
    for name, values, kind, attributes in [
        ("NDVI", ndvi, SDC.INT16, {"long_name": "vegetation index", "units": "1", "scale_factor": 0.0001, "add_offset": 0.0}),
        ("Quality", quality, SDC.UINT8, {"long_name": "pixel reliability"}),
    ]:
        sds = file.create(name, kind, values.shape)
        for axis, dimension in enumerate(("YDim", "XDim")):
            sds.dim(axis).setname(f"{dimension}:Vegetation")
        if name == "NDVI":
            sds.setfillvalue(-3000)
            sds.attr("valid_range").set(SDC.INT16, [-2000, 10000])
        for key, value in attributes.items():
            sds.attr(key).set(SDC.CHAR if isinstance(value, str) else SDC.FLOAT64, value)
        sds.setcompress(SDC.COMP_DEFLATE, 6)
        sds[:] = values
        refs.append(sds.ref())
        sds.endaccess()
    file.end()
    both = HDF(str(path), HC.WRITE)
    groups, tables = both.vgstart(), both.vstart()
    grid, fields = groups.create("Vegetation"), groups.create("Data Fields")
    grid._class, fields._class = "GRID", "GRID Vgroup"
    for ref in refs:
        fields.add(HC.DFTAG_NDG, ref)
    grid.insert(fields)
    stations = tables.create("stations", [("name", HC.CHAR8, 8), ("row", HC.INT16, 1), ("height", HC.FLOAT32, 1)])
    stations.write([[name.ljust(8), row, height] for name, row, height in [("Alder", 12, 210.5), ("Birch", 44, 95.0), ("Cedar", 101, 640.25)]])
    for one in (stations, fields, grid):
        one.detach()
    tables.end()
    groups.end()
    both.close()


def forecast(path: Path) -> None:
    """GRIB 2 as weather services publish it: a message each for parameters, levels and steps; each packing in use once at least."""
    import eccodes

    columns, rows, west, north = 63, 43, -20, 72
    x, y = np.meshgrid(np.linspace(0, 1, columns), np.linspace(0, 1, rows))
    noises = noise(24, rows, columns)
    fields = [
        ("2t", "heightAboveGround", (2,), "grid_ccsds", lambda t, _: 288 - 25 * (1 - y) + 6 * np.sin(9 * x + t)),
        ("msl", "meanSea", (0,), "grid_simple", lambda t, _: 101300 + 2500 * np.sin(5 * x + t / 2) * np.cos(4 * y)),
        ("sd", "surface", (0,), "grid_simple", lambda t, _: np.where((x - 0.5) ** 2 + (y - 0.2) ** 2 < 0.05, 0.4 + 0.1 * x + 0.02 * t, np.nan)),
        ("t", "isobaricInhPa", (850, 500), "grid_complex_spatial_differencing", lambda t, p: 250 + p / 20 - 20 * (1 - y) + 4 * np.sin(7 * x + t)),
    ]
    messages = []
    for short, kind, levels, packing, values_of in fields:
        for step, level in ((step, level) for step in (0, 6, 12, 18) for level in levels):
            message = eccodes.codes_grib_new_from_samples("regular_ll_sfc_grib2")
            keys = {
                "centre": 255, "dataDate": 20240315, "dataTime": 0, "Ni": columns, "Nj": rows,
                "latitudeOfFirstGridPointInDegrees": north, "latitudeOfLastGridPointInDegrees": north - rows + 1,
                "longitudeOfFirstGridPointInDegrees": west % 360, "longitudeOfLastGridPointInDegrees": (west + columns - 1) % 360,
                "iDirectionIncrementInDegrees": 1, "jDirectionIncrementInDegrees": 1,
                "shortName": short, "typeOfLevel": kind, "level": level, "step": step,
            }
            for key, value in keys.items():
                eccodes.codes_set(message, key, value)
            values = (values_of(step / 6, level) + 0.3 * noises[len(messages) % 24]).ravel()
            eccodes.codes_set(message, "missingValue", 1e30)
            eccodes.codes_set(message, "bitmapPresent", int(np.isnan(values).any()))
            values = np.where(np.isnan(values), 1e30, values)
            eccodes.codes_set_values(message, values)
            eccodes.codes_set(message, "packingType", packing)
            eccodes.codes_set(message, "bitsPerValue", 10)
            eccodes.codes_set_values(message, values)
            messages.append(eccodes.codes_get_message(message))
            eccodes.codes_release(message)
    path.write_bytes(b"".join(messages))


def rain(path: Path) -> None:
    """CDF-1: a year of daily rain in monthly files, whose packing and missing value change twice, each counting from its own month."""
    sources = {"template": "rain/rain_2023{month:02}.nc", "month": "1..12"}
    path.write_text(json.dumps({"virtual_zarr": "join/1", "sources": sources, "along": "time"}, indent=2) + "\n")
    folder = path.with_suffix("")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    lat, lon = grid(9, 18)
    first_day = 0
    for month, days in enumerate([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], 1):
        scale, offset, missing = [(0.1, 0.0, -32768), (0.2, 0.0, -32768), (0.1, 100.0, -999)][(month - 1) // 4]
        with netCDF4.Dataset(folder / f"rain_2023{month:02d}.nc", "w", format="NETCDF3_CLASSIC") as nc:
            nc.setncatts({"Conventions": "CF-1.8", "title": f"Invented rain of 2023-{month:02d}", "history": "scripts/make-examples.py"})
            add_grid(nc, 9, 18)
            nc.createDimension("time", None)
            time = nc.createVariable("time", "i4", ("time",))
            time.setncatts({"units": f"days since 2023-{month:02d}-01", "calendar": "standard", "standard_name": "time"})
            variable = nc.createVariable("rain", "i2", ("time", "lat", "lon"), fill_value=np.int16(missing))
            variable.setncatts({"long_name": "daily rain", "units": "mm", "scale_factor": scale, "add_offset": offset})
            variable.set_auto_maskandscale(False)
            time[:] = np.arange(days)
            wet = noise(365, 9, 18)[first_day : first_day + days] + 0.6 * np.cos(np.deg2rad(2 * lat))[None, :, None]
            tenths = 2 * np.rint(100 * np.maximum(wet, 0)).astype("i4")
            packed = np.rint((tenths / 10 - offset) / scale).astype("i2")
            variable[:] = np.where(wet < -1.45, np.int16(missing), packed)
        first_day += days


def cog(path: Path, bands: np.ndarray, corner: tuple[float, float], pixel: float, nodata: float, block: int = 64) -> None:
    """A COG in UTM, with overviews as far as they are of use."""
    count, rows, columns = bands.shape
    profile = {"driver": "GTiff", "dtype": bands.dtype, "count": count, "height": rows, "width": columns, "nodata": nodata, "crs": "EPSG:32633"}
    with rasterio.MemoryFile() as memory:
        with memory.open(**profile, transform=rasterio.transform.from_origin(*corner, pixel, pixel)) as tiff:
            tiff.write(bands)
        rasterio.shutil.copy(memory.name, path, driver="COG", blocksize=block, compress="DEFLATE", predictor=2, overviews="AUTO")


def coast(path: Path) -> None:
    """A mosaic of four COGs of a depth, which overlap in strips where one or the other has no data; some lies in none of them."""
    folder = path.with_suffix("")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    y, x = np.mgrid[0:320, 0:384]
    depth = np.round(40 * np.sin(x / 70 + np.sin(y / 50)) + 25 * np.cos(y / 61) + 2 * noise(320, 384)).astype("int16")
    # Each survey is off by a little of its own, so that one sees which of them counts.
    surveys = {"north": (0, 0, 0), "east": (64, 192, 1), "south": (160, 0, 2), "islet": (192, 128, 3)}
    for name, (top, left, off) in surveys.items():
        own = depth[top : top + 128 + 32 * (off == 1), left : left + 192 + 32 * (off == 0)] + np.int16(off)
        rows, columns = np.mgrid[0 : own.shape[0], 0 : own.shape[1]]
        # Ships turn where they like: the edges are ragged.
        lost = (columns < 8 + 6 * np.sin(rows / 9)) | (rows < 6 + 5 * np.sin(columns / 11))
        cog(folder / f"{name}.tif", np.where(lost, np.int16(-32768), own)[None], (410000 + 50 * left, 5990000 - 50 * top), 50, -32768)
    document = {"virtual_zarr": "join/1", "sources": [f"coast/{name}.tif" for name in surveys], "along": ["y", "x"]}
    path.write_text(json.dumps(document, indent=2) + "\n")


def meadow(path: Path) -> None:
    """A STAC Item whose bands have two resolutions, with scales that only the document says, and a picture of three bands."""
    folder = path.with_suffix("")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    y, x = np.mgrid[0:192, 0:192]
    green = np.sin(x / 31 + np.sin(y / 27)) * np.cos(y / 37)
    water = ((x - 120) / 50) ** 2 + ((y - 70) / 30) ** 2 < 1
    corner = (600000, 5400000)
    clouds = (x + y < 60)[None]
    bands = {"red": np.where(water, 300, 900 - 500 * green), "nir": np.where(water, 150, 2600 + 1500 * green)}
    said = {"data_type": "uint16", "nodata": 0, "raster:scale": 0.0001, "raster:offset": -0.1}
    assets = {}
    for name, reflectance in bands.items():
        values = np.where(clouds, 0, 1000 + np.round(reflectance / 20) * 20).astype("uint16")
        cog(folder / f"{name}.tif", values, corner, 10, 0)
        assets[name] = {"title": {"red": "Red (band 4)", "nir": "NIR (band 8)"}[name], "bands": [{"name": name, "eo:common_name": name, **said}]}
    coarse = np.where(clouds, 0, 1000 + np.round((1500 - 800 * green) / 20) * 20)[:, ::2, ::2].astype("uint16")
    cog(folder / "swir.tif", coarse, corner, 20, 0)
    assets["swir"] = {"title": "SWIR 1 (band 11)", "bands": [{"name": "swir", "eo:common_name": "swir16", **said}]}
    kinds = np.where(clouds, 9, np.where(water, 6, 4))[:, ::2, ::2].astype("uint8")
    cog(folder / "scl.tif", kinds, corner, 20, 0)
    assets["scl"] = {"title": "Scene classification", "bands": [{"name": "scl", "data_type": "uint8", "nodata": 0}]}
    for name, asset in assets.items():
        asset.update(href=f"./meadow/{name}.tif", type="image/tiff; application=geotiff; profile=cloud-optimized", roles=["data"])
    item = {
        "type": "Feature",
        "stac_version": "1.1.0",
        "stac_extensions": [f"https://stac-extensions.github.io/{name}/schema.json" for name in ["eo/v2.0.0", "raster/v2.0.0", "projection/v2.0.0"]],
        "id": "meadow-2024-06-21",
        "geometry": {"type": "Polygon", "coordinates": [[[16.36, 48.73], [16.39, 48.73], [16.39, 48.75], [16.36, 48.75], [16.36, 48.73]]]},
        "bbox": [16.36, 48.73, 16.39, 48.75],
        "properties": {"datetime": "2024-06-21T10:00:31Z", "platform": "invented-2a", "eo:cloud_cover": 5, "proj:code": "EPSG:32633"},
        "links": [],
        "assets": assets,
    }
    path.write_text(json.dumps(item, indent=2) + "\n")


def tides(path: Path) -> None:
    """Icechunk: a month of four gauges, a second month appended, a gauge corrected; the first month is a tag."""
    import icechunk

    def level(first: int, last: int) -> np.ndarray:
        hours, phase = np.arange(first, last), np.array([0.0, 0.7, 1.9, 2.6])
        swing = np.array([1.4, 2.1, 0.6, 3.2])
        return (swing * np.sin(2 * np.pi * hours[:, None] / 12.42 + phase) * (1 + 0.3 * np.cos(2 * np.pi * hours[:, None] / 354))).astype("f4")

    storage = icechunk.local_filesystem_storage(str(path))
    repository = icechunk.Repository.create(storage, icechunk.RepositoryConfig(inline_chunk_threshold_bytes=2048))
    session = repository.writable_session("main")
    root = zarr.create_group(session.store, attributes={"Conventions": "CF-1.8", "title": "Invented tide gauges"})
    gauges = root.create_array("gauge", shape=4, dtype="i4", dimension_names=["gauge"], attributes={"long_name": "number of the gauge"})
    gauges[:] = [11, 12, 27, 31]
    time = root.create_array("time", shape=744, chunks=372, dtype="i4", dimension_names=["time"], attributes={"units": "hours since 2024-05-01", "calendar": "standard"})
    time[:] = np.arange(744)
    attributes = {"units": "m", "standard_name": "sea_surface_height_above_mean_sea_level", "coordinates": "time gauge"}
    height = root.create_array("height", shape=(744, 4), chunks=(124, 4), dtype="f4", fill_value=np.nan, dimension_names=["time", "gauge"], attributes=attributes)
    height[:] = level(0, 744)
    height[620:, 3] = np.nan
    repository.create_tag("may", snapshot_id=session.commit("May"))
    session = repository.writable_session("main")
    root = zarr.open_group(session.store)
    root["time"].resize(1464)
    root["height"].resize((1464, 4))
    root["time"][744:] = np.arange(744, 1464)
    root["height"][744:] = level(744, 1464)
    session.commit("June")
    session = repository.writable_session("main")
    zarr.open_group(session.store)["height"][620:744, 3] = level(620, 744)[:, 3]
    session.commit("the last days of May at gauge 31")


def main() -> None:
    OUT.mkdir(exist_ok=True)
    makers = {
        "sea-surface.nc": sea_surface, "buoy.nc": buoy, "relief.nc": relief,
        "chlorophyll.zarr": chlorophyll, "forest.zarr": forest, "rivers.zarr.zip": rivers,
        "harvest.tif": harvest, "currents.nc.dmrpp": currents, "nebula.fits": nebula, "atmosphere.nc": atmosphere,
        "storms.json": storms, "vegetation.hdf": vegetation, "forecast.grib2": forecast, "rain.json": rain, "coast.json": coast, "meadow.json": meadow,
        "tides.icechunk": tides,
    }
    for name, make in makers.items():
        path = OUT / name
        shutil.rmtree(path, ignore_errors=True)
        path.unlink(missing_ok=True)
        make(path)


if __name__ == "__main__":
    main()
