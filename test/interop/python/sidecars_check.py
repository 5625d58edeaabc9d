"""Compares TIFFs that files beside them place with rasterio: `sidecars_check.py JOB`; writes files to its folder first.

Prints [failure, ...]. A case: {"id", "source": path, "url": store URL}; a job without cases: {"folder"}. GDAL writes the PAM documents and
world files itself: its profile BASELINE puts nothing of its own into the TIFF.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import rasterio
import rioxarray  # noqa: F401
import xarray as xr
import zarr
from affine import Affine
from rasterio.control import GroundControlPoint
from rasterio.enums import MaskFlags
from rasterio.rpc import RPC

warnings.simplefilter("ignore")
UTM = Affine(30, 0, 500_000, 0, -30, 4_600_000)
ROTATED = Affine(30, 5, 500_000, 4, -30, 4_600_000)
DEGREES = Affine(0.1, 0, 5, 0, -0.2, 50)
SYSTEMS = {
    "utm": ("EPSG:32631", UTM),
    "rotated": ("EPSG:3035", ROTATED),
    "degrees": ("EPSG:4326", DEGREES),
    "compound": ("EPSG:4326+5773", DEGREES),
    "mollweide": ("ESRI:54009", UTM),
    "custom": ("+proj=laea +lat_0=10 +lon_0=20 +ellps=GRS80 +units=us-ft", UTM),
    "geostationary": ("+proj=geos +h=35785831 +sweep=x +lon_0=-75", UTM),
    "web": ("EPSG:3857", UTM),
    "nowhere": (None, UTM),
    "unplaced": ("EPSG:2056", None),
}


def write(folder):
    folder = Path(folder)
    for name, (crs, transform) in SYSTEMS.items():
        make(folder / f"{name}.tif", crs=crs, transform=transform)
    make(folder / "described.tif", describe, crs="EPSG:32631", transform=UTM, nodata=-9999)
    make(folder / "bands.tif", describe, count=3, crs="EPSG:32631", transform=UTM, nodata=-9999)
    make(folder / "nan.tif", dtype="float32", crs="EPSG:32631", transform=UTM, nodata=np.nan)
    make(folder / "small.tif", dtype="float32", crs="EPSG:32631", transform=UTM, nodata=-3.4028234663852886e38)
    make(folder / "points.tif", points)
    # GDAL writes this tag whatever the profile, and reads it from PAM: before the tag, and without one.
    for name, text, dtype, options in (
        ("only", "-32768", "int16", {}),
        ("other", "8", "int16", {"nodata": 7}),
        ("lowest", "-3.4028234663852886e+38", "float32", {}),
        ("none", "nan", "float64", {"nodata": 7}),
    ):
        make(folder / f"nodata-{name}.tif", dtype=dtype, count=2, **options)
        bands = "".join(f'<PAMRasterBand band="{band}"><NoDataValue>{text}</NoDataValue></PAMRasterBand>' for band in (1, 2))
        (folder / f"nodata-{name}.tif.aux.xml").write_text(f"<PAMDataset>{bands}</PAMDataset>")
    # Inside: place and system; beside: what GDAL still looks for.
    make(folder / "placed-pam.tif", crs="EPSG:32631", transform=UTM, baseline=False)
    text = "<NoDataValue>-32768</NoDataValue><Scale>0.25</Scale><Offset>5</Offset><UnitType>K</UnitType>"
    (folder / "placed-pam.tif.aux.xml").write_text(f'<PAMDataset><PAMRasterBand band="1">{text}</PAMRasterBand></PAMDataset>')
    for count in (1, 3):
        make(folder / f"placed-others-{count}.tif", others, crs="EPSG:32631", transform=UTM, baseline=False, count=count, nodata=7)
        with rasterio.Env(TIFF_USE_OVR=True), rasterio.open(folder / f"placed-others-{count}.tif", "r+") as file:
            file.build_overviews([2, 4])
    rpcs = RPC(50.5, 100, 45.25, 2, [0.25] * 20, [1.5] * 20, 19.5, 30, 7.75, 2.5, [1e-7] * 20, [4.0] * 20, 21, 22, 1.5, 0.5)
    make(folder / "placed-rpcs.tif", lambda file: setattr(file, "rpcs", rpcs), baseline=False)
    # Inside: the system only; beside: the place.
    for name, extension in (("first", "tfw"), ("second", "tifw"), ("third", "wld")):
        make(folder / f"{name}.tif", crs="EPSG:32631", baseline=False)
        (folder / f"{name}.{extension}").write_text("30\n4\n5\n-30\n500017.5\n4599987\n")
    make(folder / "both.tif", baseline=False)
    (folder / "both.tfw").write_text("30\n0\n0\n-30\n500015\n4599985\n")
    (folder / "both.wld").write_text("7\n0\n0\n-7\n1\n2\n")
    make(folder / "tfw.tif", crs="EPSG:32631", transform=UTM, TFW="YES")
    make(folder / "TFW.TIF", baseline=False)
    (folder / "TFW.TFW").write_text("30\n0\n0\n-30\n500015\n4599985\n")


def make(path, more=None, count=1, dtype="int16", baseline=True, **options):
    profile = {"PROFILE": "BASELINE"} if baseline else {}
    with rasterio.open(path, "w", driver="GTiff", width=40, height=30, count=count, dtype=dtype, **profile, **options) as file:
        file.write(np.arange(count * 1200).reshape(count, 30, 40).astype(dtype))
        if more is not None:
            more(file)


def describe(file):
    bands = range(1, file.count + 1)
    file.scales = [0.25] * file.count
    file.offsets = [10] * file.count
    for band in bands:
        file.set_band_description(band, f"name {band} <&> \u00e9")
        file.set_band_unit(band, "m/s")
        file.update_tags(band, kind="a <kind> & more")
    file.update_tags(title="of the \u201cwhole\u201d", AREA_OR_POINT="Point")
    file.update_tags(ns="SOME", key="of a domain")


def points(file):
    gcps = [GroundControlPoint(row, column, column * 3.5 + row, 50 - row * 2.25, 7) for row in (0, 29) for column in (0, 39)]
    file.gcps = (gcps, rasterio.CRS.from_epsg(4326))


def others(file):
    """A mask, which GDAL writes beside the file where nothing else is asked for."""
    file.write_mask(np.arange(1200).reshape(30, 40) % 7 > 2)


def problems_of_others(case):
    """Masks and overviews."""
    store = zarr.open_group(case["url"], mode="r")
    with rasterio.open(case["source"]) as file:
        if MaskFlags.per_dataset in file.mask_flag_enums[0]:
            yield from differing("mask", (store["mask/band_data"][:] > 0).tolist(), (file.dataset_mask() > 0).tolist())
        levels = len(file.overviews(1))
        yield from differing("levels", [name for name in ("1", "2", "3") if name in store], [str(level + 1) for level in range(levels)])
    for level in range(levels):
        with rasterio.open(case["source"], overview_level=level) as file:
            values = file.read()
        found = store[f"{level + 1}/band_data"]
        yield from differing(f"level {level + 1}", found[:].reshape(values.shape).tolist(), values.tolist())
        yield from differing(f"nodata of level {level + 1}", int(found.fill_value), int(file.nodata))


def problems(case):
    yield from problems_of_others(case)
    with rasterio.open(case["source"]) as file:
        dataset = xr.open_dataset(case["url"], engine="zarr", decode_coords="all", mask_and_scale=False, chunks=None)
        served = dataset.band_data
        gcps, points_crs = file.gcps
        yield from differing("crs", served.rio.crs, points_crs if gcps else file.crs)
        if not gcps and not served.rio.transform().almost_equals(file.transform, 1e-9):
            yield f"transform {served.rio.transform()} instead of {file.transform}"
        found = [(p.row, p.col, p.x, p.y, p.z) for p in served.rio.get_gcps() or []]
        yield from differing("gcps", found, [(p.row, p.col, p.x, p.y, p.z) for p in gcps])
        nodata = served.attrs.get("_FillValue")
        if not (nodata == file.nodata or (nodata is not None and file.nodata is not None and np.isnan(nodata) and np.isnan(file.nodata))):
            yield f"nodata {nodata} instead of {file.nodata}"
        yield from differing("scales", [served.attrs.get("scale_factor", 1)] * file.count, list(file.scales))
        yield from differing("offsets", [served.attrs.get("add_offset", 0)] * file.count, list(file.offsets))
        yield from differing("units", [served.attrs.get("units")] * file.count, [unit or None for unit in file.units])
        names = served.attrs.get("long_name")
        yield from differing("names", names if isinstance(names, list) else [names] * file.count, list(file.descriptions))
        for key, text in file.tags(ns="RPC").items():
            numbers = np.atleast_1d(served.attrs.get(f"RPC:{key}", np.nan)).tolist()
            yield from differing(f"RPC:{key}", numbers, [float(number) for number in text.split()])
        for domain, tags in (("", file.tags()), ("", file.tags(1)), ("SOME:", file.tags(ns="SOME"))):
            for key, text in tags.items():
                # GDAL says `Area` of every file that says nothing.
                if (key, text) != ("AREA_OR_POINT", "Area"):
                    yield from differing(f"{domain}{key}", served.attrs.get(f"{domain}{key}"), text)
        yield from differing("values", served.values.reshape(file.count, 30, 40).tolist(), file.read().tolist())


def differing(what, found, expected):
    if found != expected:
        yield f"{what} {found!r} instead of {expected!r}"[:400]


def main():
    job = json.load(open(sys.argv[1]))
    if "cases" not in job:
        write(job["folder"])
        return
    print(json.dumps([f"{case['id']}: {problem}" for case in job["cases"] for problem in problems(case)]))


main()
