"""Random views of random files, read by zarr-python, against numpy and xarray on what was written.

views_check.py SERVICE FOLDER SEED COUNT [ONLY]: files are written into FOLDER, which the service may read."""

import base64
import pathlib
import sys
import warnings

import netCDF4
import numpy as np
import rasterio
import xarray as xr
import zarr
from rasterio.transform import from_origin

warnings.simplefilter("ignore")
SERVICE, FOLDER, SEED, COUNT = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
ONLY = int(sys.argv[5]) if len(sys.argv) > 5 else None
PROFILES = ["portable", "portable", "native", "raw"]


class Case:
    """One file: its values, what marks missing ones, and how they are packed."""

    def __init__(self, rng, number):
        self.rng = rng
        self.kind = str(rng.choice(["tiff", "tiff", "netcdf4", "netcdf3", "zarr2", "zarr3"]))
        types = {"netcdf3": ["i1", "i2", "i4", "f4", "f8"], "tiff": ["u1", "u2", "i2", "i4", "f4", "f8", "u4"]}
        self.dtype = np.dtype(str(rng.choice(types.get(self.kind, ["u1", "i2", "u2", "i4", "f4", "f8", "i8", "u8"]))))
        self.isLarge = bool(rng.random() < 0.5)
        plane = [int(n) for n in (rng.integers(900, 2300, 2) if self.isLarge else rng.integers(5, 90, 2))]
        if self.isLarge and max(plane) <= 1024:
            plane[0] += 1024
        self.shape = (*([int(rng.integers(2, 4))] if rng.random() < 0.4 else []), *plane)
        self.dims = ("band" if self.kind == "tiff" else "time", "y", "x")[-len(self.shape):]
        self.values = self.make_values()
        self.sentinel = self.pick_sentinel()
        self.scale, self.offset = (0.5, 10.0) if self.kind != "tiff" and rng.random() < 0.3 else (None, None)
        if self.dtype.kind == "f":
            self.scale = self.offset = None
        self.flags = bool(self.kind != "tiff" and self.dtype.kind in "iu" and self.scale is None and rng.random() < 0.2)
        self.path = FOLDER / f"case{number}.{dict(tiff='tif', netcdf4='nc', netcdf3='nc').get(self.kind, 'zarr')}"
        getattr(self, f"write_{self.kind}")()

    def make_values(self):
        if self.dtype.kind == "f":
            values = (self.rng.normal(size=self.shape) * 100).astype(self.dtype)
            values[self.rng.random(self.shape) < 0.05] = np.nan
            return values
        info = np.iinfo(self.dtype)
        low, high = (info.min, info.max) if self.rng.random() < 0.3 else (0, 40)
        return self.rng.integers(low, high, self.shape, dtype=self.dtype, endpoint=True)

    def pick_sentinel(self):
        if self.rng.random() < 0.4:
            return None
        sentinel = self.dtype.type(-9 if self.dtype.kind == "f" else self.values.flat[int(self.rng.integers(self.values.size))])
        self.values[self.rng.random(self.shape) < 0.3] = sentinel
        self.values[..., : self.shape[-2] // 2, : self.shape[-1] // 3] = sentinel
        return sentinel

    def chunks(self):
        return tuple(int(self.rng.integers(1, n + 1)) if n < 100 else int(self.rng.integers(n // 9, n + 1)) for n in self.shape)

    def attributes(self):
        named = {} if self.scale is None else {"scale_factor": self.scale, "add_offset": self.offset}
        return {**named, **({"flag_meanings": "a b"} if self.flags else {})}

    def write_tiff(self):
        bands = self.values if self.values.ndim == 3 else self.values[None]
        tiled = self.rng.random() < 0.5
        layout = {"tiled": True, "blockxsize": 16 * int(self.rng.integers(1, 30)), "blockysize": 16 * int(self.rng.integers(1, 30))} if tiled else {"blockysize": int(self.rng.integers(1, 70))}
        compress = str(self.rng.choice(["none", "deflate", "lzw", "zstd"]))
        interleave = str(self.rng.choice(["pixel", "band"]))
        self.transform = from_origin(500000, 4000000, 10, 10)
        with rasterio.open(self.path, "w", driver="GTiff", width=self.shape[-1], height=self.shape[-2], count=len(bands), dtype=self.dtype.name,
                           nodata=None if self.sentinel is None else self.sentinel.item(), compress=compress, interleave=interleave, crs="EPSG:32633", transform=self.transform, **layout) as f:
            f.write(bands)
        self.variable = "band_data"

    def write_netcdf(self, format, **how):
        with netCDF4.Dataset(self.path, "w", format=format) as f:
            f.set_auto_maskandscale(False)
            for name, length in zip(self.dims, self.shape):
                f.createDimension(name, length)
                v = f.createVariable(name, "f8", (name,))
                v[:] = np.arange(length) * 2.0 + 1
            v = f.createVariable("v", self.dtype, self.dims, fill_value=self.sentinel, **how)
            v.set_auto_maskandscale(False)
            v.setncatts(self.attributes())
            v[:] = self.values
        self.variable = "v"

    def write_netcdf4(self):
        self.write_netcdf("NETCDF4", chunksizes=self.chunks(), zlib=bool(self.rng.random() < 0.6), shuffle=bool(self.rng.random() < 0.5))

    def write_netcdf3(self):
        self.write_netcdf("NETCDF3_64BIT_OFFSET")

    def write_zarr(self, version):
        attributes = self.attributes()
        if self.sentinel is not None:
            attributes["missing_value"] = self.sentinel.item()
        group = zarr.open_group(self.path, mode="w", zarr_format=version)
        named = {"dimension_names": self.dims} if version == 3 else {"attributes": {"_ARRAY_DIMENSIONS": list(self.dims)}}
        v = group.create_array("v", shape=self.shape, chunks=self.chunks(), dtype=self.dtype, fill_value=0, **named)
        v.attrs.update(attributes)
        v[...] = self.values
        zarr.consolidate_metadata(self.path)
        self.variable = "v"

    def write_zarr2(self):
        self.write_zarr(2)

    def write_zarr3(self):
        self.write_zarr(3)

    def url(self, options):
        href = self.path.resolve().as_uri() + ("/" if self.kind.startswith("zarr") else "")
        name = base64.urlsafe_b64encode(href.encode()).decode().rstrip("=")
        return f"{SERVICE}zarr/~{name}" + "".join(f";{key}={value}" for key, value in options.items())

    def is_missing(self, values):
        missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(values.shape, bool)
        return missing if self.sentinel is None else missing | (values == self.sentinel)

    def decoded(self, values):
        if self.sentinel is None and self.scale is None:
            return values
        if self.scale is None and values.dtype.kind in "iu" and values.dtype.itemsize == 8:
            return values
        small = self.offset is None and (values.dtype.itemsize <= 2 or values.dtype == "f4")
        physical = values.astype("f8") * (self.scale or 1) + (self.offset or 0)
        physical[self.is_missing(values)] = np.nan
        return physical.astype("f4" if small else "f8")


def halved(values, missing, fill, how):
    """The next level: means of 2 x 2 points, the missing ones left out; edges are padded."""
    if how == "nearest":
        return values[..., ::2, ::2]
    pad = [(0, 0)] * (values.ndim - 2) + [(0, n % 2) for n in values.shape[-2:]]
    wide = values.dtype.itemsize == 8 and values.dtype.kind in "iu"
    valid = np.pad(~missing, pad, constant_values=False)
    padded = np.pad(values.astype(object if wide else "f8"), pad, constant_values=0)
    corners = [(padded[..., i::2, j::2], valid[..., i::2, j::2]) for i in (0, 1) for j in (0, 1)]
    total = sum(np.where(ok, v, 0) for v, ok in corners)
    count = sum(ok.astype(int) for _, ok in corners)
    some = count > 0
    if wide:
        mean = np.array([nearest_even(int(t), int(n)) if n else 0 for t, n in zip(total.flat, count.flat)], object).reshape(total.shape)
    else:
        mean = np.divide(total, count, out=np.zeros_like(total), where=some)
        mean = np.rint(mean) if values.dtype.kind in "iu" else mean
    if fill is not None:
        mean = np.where(some & (mean.astype(values.dtype) == fill), next_number(fill, values.dtype), mean)
    empty = np.nan if values.dtype.kind == "f" and fill is None else (fill if fill is not None else 0)
    return np.where(some, mean, empty).astype(values.dtype)


def next_number(fill, dtype):
    """What GDAL's overviews have in place of a mean that equals nodata."""
    if dtype.kind == "f":
        return np.nextafter(dtype.type(fill), dtype.type(np.inf))
    return int(fill) + (1 if int(fill) < np.iinfo(dtype).max else -1)


def nearest_even(total, count):
    low, rest = divmod(total, count)
    return low + (1 if 2 * rest > count or (2 * rest == count and low % 2) else 0)


def random_options(case, rng):
    # Zarr's own fill is no missing value here.
    options = {"migrate_fill": "never"} if case.kind == "zarr2" else {}
    if rng.random() < 0.8:
        options["codecs"] = str(rng.choice(PROFILES))
    if rng.random() < 0.5:
        parts = {}
        for name, length in zip(case.dims, case.shape):
            if rng.random() < 0.6:
                low = int(rng.integers(0, length)) if rng.random() < 0.7 else 0
                high = int(rng.integers(low + 1, length + 1))
                parts[name] = (low, high)
        if parts:
            options["select"] = ",".join(f"{k}:{a if a or rng.random() < 0.5 else ''}..{b}" for k, (a, b) in parts.items())
            options["_select"] = parts
    if rng.random() < 0.5:
        names = [n for n in case.dims if rng.random() < 0.6]
        if names:
            lengths = {n: int(rng.integers(1, 60)) if not case.isLarge else int(rng.integers(100, 1500)) for n in names}
            options["chunks"] = ",".join(f"{k}:{n}" for k, n in lengths.items())
    if rng.random() < (0.8 if case.isLarge else 0.1):
        options["pyramid"] = str(rng.choice(["auto", "auto", "mean", "nearest"]))
    if rng.random() < 0.3:
        options["packing"] = "decoded"
    return options


def same(got, wanted, place):
    assert got.shape == wanted.shape, f"{place}: shape {got.shape}, expected {wanted.shape}"
    assert got.dtype == wanted.dtype, f"{place}: {got.dtype}, expected {wanted.dtype}"
    if got.dtype.kind == "f":
        wrong = ~np.isclose(got, wanted, rtol=3e-7 if got.dtype.itemsize == 4 else 1e-14, atol=0, equal_nan=True)
    else:
        wrong = got != wanted
    if wrong.any():
        at = tuple(int(i[0]) for i in np.nonzero(wrong))
        raise AssertionError(f"{place}: {wrong.sum()} of {wrong.size} differ, first at {at}: {got[at]}, expected {wanted[at]}")


def check(number):
    rng = np.random.default_rng([SEED, number])
    case = Case(rng, number)
    for _ in range(3):
        options = random_options(case, rng)
        ranges = options.pop("_select", {})
        text = ";".join(f"{k}={v}" for k, v in options.items())
        place = f"case {number} {case.kind} {case.dtype} {case.shape} sentinel={case.sentinel} scale={case.scale} [{text}]"
        try:
            checked_view(case, options, ranges, place)
        except AssertionError:
            raise
        except Exception as error:
            raise AssertionError(f"{place}: {type(error).__name__}: {error}") from error


def checked_view(case, options, ranges, place):
    root = zarr.open_group(case.url(options), mode="r")
    cut = tuple(slice(*ranges.get(name, (None, None))) for name in case.dims)
    wanted = case.values[cut]
    if options.get("packing") == "decoded":
        wanted = case.decoded(wanted)
    array = root[case.variable]
    same(array[...], wanted, f"{place} level 0")
    for name, length in (item.split(":") for item in options.get("chunks", "").split(",") if item):
        axis = case.dims.index(name)
        assert min(array.chunks[axis], array.shape[axis]) == min(int(length), array.shape[axis]), f"{place}: chunks {array.chunks}"
    levels = [entry["asset"] for entry in root.attrs.get("multiscales", {}).get("layout", [])]
    is_large = max(wanted.shape[-2:]) > 1024
    assert (len(levels) > 1) == ("pyramid" in options and is_large), f"{place}: levels {levels}"
    how = {"auto": "nearest" if case.flags and wanted.dtype.kind in "iu" else "mean"}.get(options.get("pyramid"), options.get("pyramid"))
    fill = case.sentinel if wanted.dtype == case.dtype and options.get("packing") != "decoded" or wanted.dtype.kind in "iu" else None
    if case.kind == "tiff":
        check_place(case, root, cut, wanted.shape, place)
    for level in levels[1:]:
        missing = np.isnan(wanted) if wanted.dtype.kind == "f" else np.zeros(wanted.shape, bool)
        if fill is not None:
            missing |= wanted == fill
        wanted = halved(wanted, missing, fill, how)
        same(root[f"{level}/{case.variable}"][...], wanted, f"{place} level {level}")
    if levels[1:]:
        # What clients see: coordinates of the right lengths, and one dataset a level.
        with xr.open_dataset(case.url(options), engine="zarr", group=levels[-1], decode_cf=False, consolidated=False) as ds:
            assert ds[case.variable].shape == wanted.shape, place


def check_place(case, root, cut, shape, place):
    row, column = (part.start or 0 for part in cut[-2:])
    a, _, c, _, e, f = case.transform[:6]
    at = [c + a * column, a, 0, f + e * row, 0, e]
    text = [float(number) for number in root["spatial_ref"].attrs["GeoTransform"].split()]
    assert np.allclose(text, at), f"{place}: GeoTransform {text}, expected {at}"
    transform = root.attrs["spatial:transform"]
    assert np.allclose(transform, [a, 0, at[0], 0, e, at[3]]), f"{place}: {transform}"
    bbox = [at[0], at[3] + e * shape[-2], at[0] + a * shape[-1], at[3]]
    assert np.allclose(root.attrs["spatial:bbox"], bbox), f"{place}: {root.attrs['spatial:bbox']} {bbox}"
    assert np.allclose(root["x"][...], at[0] + a / 2 + a * np.arange(shape[-1])), place
    assert np.allclose(root["y"][...], at[3] + e / 2 + e * np.arange(shape[-2])), place


failed = 0
for number in range(COUNT) if ONLY is None else [ONLY]:
    try:
        check(number)
    except AssertionError as error:
        failed += 1
        print(f"FAILED {error}", flush=True)
print(f"compared {COUNT} files, {failed} failed")
sys.exit(1 if failed else 0)
