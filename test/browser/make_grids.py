"""Writes NetCDF files that are easy to judge on a map, and what they hold: `make_grids.py FOLDER`.

Boards of cells as those of make_cogs.py, on regular grids of coordinate variables. `expected.json` says what netCDF4 reads (stored values) at
known places, in the form that make_cogs.py has.
"""

import json
import sys
from pathlib import Path

import netCDF4
import numpy as np
import pyproj
from rasterio.warp import transform

CELL = 40
MOST_LATITUDE = 75
EMPTY = {(0, 0), (1, 0), (2, 0), (2, 1), (5, 6)}
GEOGRAPHIC = {'rows': 'lat', 'columns': 'lon', 'crs': 4326}
UTM = {'rows': 'y', 'columns': 'x', 'crs': 32633}

CASES = {
    # 0.01 and 0.3 are no powers of two: what zarr-layer makes of the missing value has no place in 32 bits.
    'packed': {**GEOGRAPHIC, 'first': (60, -10), 'step': (-0.05, 0.05), 'dtype': 'i2', 'fill': -32767, 'scale': 0.01, 'offset': 20.3, 'range': (-500, 700), 'times': 3},
    'heights': {**GEOGRAPHIC, 'first': (-10, 100), 'step': (-0.1, 0.1), 'dtype': 'f4', 'fill': -9999, 'range': (0, 600), 'format': 'NETCDF3_CLASSIC'},
    'zone': {**UTM, 'first': (5400000, 350000), 'step': (-500, 500), 'dtype': 'f8', 'fill': np.nan, 'range': (-3, 3)},
    'southern': {**GEOGRAPHIC, 'first': (-60, -10), 'step': (0.05, 0.05), 'dtype': 'f4', 'fill': -9999, 'range': (0, 600)},
    'world': {**GEOGRAPHIC, 'first': (89.4375, -179.4375), 'step': (-1.125, 1.125), 'dtype': 'u1', 'fill': 255, 'range': (0, 240), 'cells': (4, 8)},
}


def size(case):
    return [count * CELL for count in case.get('cells', (8, 8))]


def board(case):
    rows, columns = np.indices(size(case)) // CELL
    kinds = (rows * 3 + columns * 5 + rows * columns) % 7
    low, high = case['range']
    data = (low + (high - low) * kinds / 6).astype(case['dtype'])
    for row, column in EMPTY:
        data[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL] = case['fill']
    return data


def axes(case):
    return [first + step * np.arange(length) for first, step, length in zip(case['first'], case['step'], size(case))]


def write(path, case):
    data = board(case)
    with netCDF4.Dataset(path, 'w', format=case.get('format', 'NETCDF4')) as target:
        names = (case['rows'], case['columns'])
        for name, values in zip(names, axes(case)):
            target.createDimension(name, len(values))
            axis = target.createVariable(name, 'f8', (name,))
            axis[:] = values
            if case['crs'] == 4326:
                axis.units = {'lat': 'degrees_north', 'lon': 'degrees_east'}[name]
            else:
                axis.units, axis.standard_name = 'm', f'projection_{name}_coordinate'
        leading = ('time',) if 'times' in case else ()
        if leading:
            target.createDimension('time', case['times'])
        options = {'zlib': True, 'chunksizes': (1,) * len(leading) + (100, 128)} if 'format' not in case else {}
        value = target.createVariable('value', case['dtype'], (*leading, *names), fill_value=case['fill'], **options)
        value.set_auto_maskandscale(False)
        if 'scale' in case:
            value.scale_factor, value.add_offset = case['scale'], case['offset']
        if case['crs'] != 4326:
            value.grid_mapping = 'crs'
            target.createVariable('crs', 'i4').crs_wkt = pyproj.CRS(case['crs']).to_wkt()
        for time in range(case.get('times', 1)):
            # Other times hold nothing but missing values: an index that is not minded is seen.
            value[(time, ...) if leading else ...] = data if time == case.get('times', 1) - 1 else case['fill']


def places(case, columns, rows):
    """Where points of the grid lie on Earth, counted in pixels from the corner."""
    (y0, x0), (dy, dx) = case['first'], case['step']
    xs, ys = [x0 + (c - 0.5) * dx for c in columns], [y0 + (r - 0.5) * dy for r in rows]
    longitudes, latitudes = transform(f"EPSG:{case['crs']}", 'EPSG:4326', xs, ys)
    return [((longitude + 180) % 360 - 180, latitude) for longitude, latitude in zip(longitudes, latitudes)]


def probes(path, case, offsets):
    rows, columns = case.get('cells', (8, 8))
    points = [(c * CELL + dx, r * CELL + dy) for r in range(rows) for c in range(columns) for dx, dy in offsets]
    with netCDF4.Dataset(path) as source:
        source.set_auto_scale(False)
        data = np.ma.masked_invalid(source['value'][-1] if 'times' in case else source['value'][:])
    found = []
    for (x, y), place in zip(points, places(case, *zip(*points))):
        # Web Mercator has no poles.
        if abs(place[1]) > MOST_LATITUDE:
            continue
        value = data[int(y), int(x)]
        found.append([*place, None if value is np.ma.masked else [float(value)]])
    return found


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    expected = {}
    for name, case in CASES.items():
        path = folder / f'{name}.nc'
        write(path, case)
        height, width = size(case)
        known = {'crs': f"EPSG:{case['crs']}", 'dtype': np.dtype(case['dtype']).name, 'levels': [], 'range': case['range']}
        known |= {'scale': case.get('scale'), 'offset': case.get('offset'), 'fill': None if np.isnan(case['fill']) else case['fill']}
        known |= {'centres': probes(path, case, [(CELL / 2, CELL / 2)])}
        known |= {'borders': probes(path, case, [(a, b) for a in (4, CELL - 4) for b in (4, CELL - 4)])}
        known |= {'outside': places(case, [-5, width + 5, width / 2], [height / 2, height / 2, -5])}
        known |= {'corners': places(case, [0, width, 0, width], [0, 0, height, height])}
        if 'cells' in case:
            known |= {'outside': [], 'corners': [(x, y) for x in (-180, 180) for y in (MOST_LATITUDE, -MOST_LATITUDE)]}
        expected[name] = known
    (folder / 'expected.json').write_text(json.dumps(expected))


main(Path(sys.argv[1]))
