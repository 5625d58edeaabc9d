"""Points in, points out: each system of test/fixtures/tiff/crs, served and as rasterio reads the same file; prints a JSON report.

crs_check.py write FOLDER: a file for each case. crs_check.py compare FOLDER SERVICE ORIGIN: {"same", "without", "failures": [text]}.
"""

import base64
import json
import pathlib
import re
import sys
import warnings

import numpy as np
import rasterio
from pyproj import CRS, Transformer
from pyproj.exceptions import ProjError

ROOT = pathlib.Path(__file__).parents[2] / "fixtures/tiff/crs"
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT))

from geotiff import write_keys  # noqa: E402

CASES = json.loads((ROOT / "cases.json").read_text())["cases"]
MOST_DEGREES = 1e-6

# (name, reason): everything else that differs is a failure.
DOCUMENTED = [
    ("^a datum by name, of ArcGIS", "GDAL leaves out the code of the datum that the name stands for, and PROJ then shifts nothing: NAD27 is 150 m from WGS 84"),
    ("^EPSG:(9311|2163)", "rasterio passes systems on as WKT 1, which has no sphere for this one; GDAL itself reads it as it is served"),
    ("^ESRI:102113, by GDAL 3.6", "GDAL adds a way from the sphere of web Mercator to WGS 84 that moves it by 0.05 degrees"),
]


def main():
    warnings.simplefilter("ignore")
    mode, folder, *rest = sys.argv[1:]
    paths = [(case, pathlib.Path(folder) / f"{i}.tif") for i, case in enumerate(CASES)]
    if mode == "write":
        for case, path in paths:
            write_keys(path, case["keys"], case["minor"])
        return
    report = {"same": 0, "without": 0, "failures": []}
    for case, path in paths:
        compare(case, path, *rest, report)
    json.dump(report, sys.stdout)


def compare(case, path, service, origin, report):
    import xarray as xr

    source = base64.urlsafe_b64encode(f"{origin}{path.name}".encode()).decode().rstrip("=")
    with xr.open_dataset(f"{service}zarr/~{source}/", engine="zarr", chunks=None) as dataset:
        served = dataset["spatial_ref"].attrs.get("crs_wkt")
    native = native_crs(path)
    if served is None or native is None or not is_on_map(served):
        report["without"] += 1
        return
    far = farthest(served, native)
    if far <= MOST_DEGREES:
        report["same"] += 1
    elif not any(re.search(pattern, case["name"]) for pattern, _ in DOCUMENTED):
        report["failures"].append(f"{case['name']}: {far} degrees")


def native_crs(path):
    try:
        with rasterio.open(path) as file:
            text = None if file.crs is None else file.crs.to_wkt()
    except rasterio.errors.RasterioError:
        return None
    return text if text is not None and is_on_map(text) else None


def is_on_map(wkt):
    return re.match("PROJ|GEOGC|COMPD_CS", wkt) is not None


def horizontal(wkt):
    crs = CRS.from_user_input(wkt)
    crs = crs.sub_crs_list[0] if crs.is_compound else crs
    return crs


def farthest(served, native):
    """The largest distance in degrees between the places of one grid of coordinates, in WGS 84 and on the system's own ellipsoid."""
    ours, theirs = horizontal(served), horizontal(native)
    try:
        x, y = grid(theirs)
    except ProjError:
        # PROJ makes nothing of it, wherever it comes from: then both must say the same.
        return 0.0 if ours.equals(theirs, ignore_axis_order=True) else float("inf")
    assert len(x) > 0, "points"
    try:
        places = [[places_of(crs, x, y, own) for crs in (ours, theirs)] for own in (False, True)]
    except ProjError:
        return farthest_on_map(ours, theirs)
    return max(distance(*pair) for pair in places)


def farthest_on_map(ours, theirs):
    """For projections that PROJ has no way back from: metres on the map, as degrees of the equator."""
    lons, lats = (axis.ravel() for axis in np.meshgrid(np.linspace(-60, 60, 7), np.linspace(-60, 60, 7)))
    maps = []
    for crs in (ours, theirs):
        x, y = Transformer.from_crs(crs.geodetic_crs, crs, always_xy=True).transform(lons, lats)
        maps.append(np.array([x, y]) * crs.axis_info[0].unit_conversion_factor)
    return float(np.abs(maps[0] - maps[1]).max()) / 111_320


def grid(crs):
    plain = crs.source_crs if crs.is_bound else crs
    if plain.is_geographic:
        size = np.degrees(plain.axis_info[0].unit_conversion_factor)
        return [axis.ravel() / size for axis in np.meshgrid(np.linspace(-170, 170, 7), np.linspace(-80, 80, 7))]
    base = plain.geodetic_crs
    size = np.degrees(base.axis_info[0].unit_conversion_factor)
    angles = {p.name.lower(): p.value * size if "degree" not in p.unit_name else p.value for p in plain.coordinate_operation.params if p.value is not None}
    lon = next((v for n, v in angles.items() if "longitude" in n), 0)
    lat = next((v for n, v in angles.items() if "latitude" in n), 0)
    lons, lats = np.meshgrid(lon + np.array([-9, -4, -1, 0.5, 2, 7]), np.clip(lat + np.array([-8, -3, -0.7, 0.4, 2.5, 6]), -89, 89))
    x, y = Transformer.from_crs(base, plain, always_xy=True).transform(lons.ravel() / size, lats.ravel() / size)
    finite = np.isfinite(x) & np.isfinite(y)
    return x[finite], y[finite]


def places_of(crs, x, y, own):
    if not own:
        return np.array(Transformer.from_crs(crs, "EPSG:4326", always_xy=True).transform(x, y))
    plain = crs.source_crs if crs.is_bound else crs
    base = plain.geodetic_crs
    size = np.degrees(base.axis_info[0].unit_conversion_factor)
    meridian = base.prime_meridian.longitude * np.degrees(base.prime_meridian.unit_conversion_factor)
    lon, lat = Transformer.from_crs(plain, base, always_xy=True).transform(x, y)
    return np.array([np.asarray(lon) * size + meridian, np.asarray(lat) * size])


def distance(ours, theirs):
    known = np.isfinite(theirs).all(axis=0)
    if not np.isfinite(ours[:, known]).all():
        return float("inf")
    lon = np.abs((ours[0] - theirs[0] + 180) % 360 - 180)[known] * np.cos(np.radians(theirs[1][known]))
    lat = np.abs(ours[1] - theirs[1])[known]
    return float(max(lon.max(initial=0), lat.max(initial=0)))


main()
