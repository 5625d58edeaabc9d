"""Writes COGs that are easy to judge on a map, and what they hold: `make_cogs.py FOLDER`.

Each one is a board of cells of one value each, so that overviews and interpolation keep the middle of a cell. Cells of nodata lie in no
symmetry: an image that is turned, mirrored or moved is seen. `expected.json` says what rasterio reads: hashes of all levels, and
values at known places.
"""

import hashlib
import json
import math
import sys
from pathlib import Path

import numpy as np
import rasterio
from rasterio.shutil import copy
from rasterio.transform import from_origin
from rasterio.warp import transform

CELL = 64
EMPTY = {(0, 0), (1, 0), (2, 0), (2, 1), (5, 6)}
PALETTE = [(230, 60, 60), (60, 200, 60), (60, 60, 230), (230, 200, 60), (60, 200, 220), (200, 60, 200), (240, 240, 240)]
MIDDLE = [(CELL / 2, CELL / 2)]
BORDERS = [(a, b) for a in (4, CELL - 4) for b in (4, CELL - 4)]
LOWEST = -3.4028234663852886e38

CASES = {
    'rgb': {'crs': 3857, 'origin': (1113200, 6446300), 'pixel': 300, 'dtype': 'uint8', 'rgb': True, 'compress': 'DEFLATE'},
    'rgb-nodata': {'crs': 32633, 'origin': (350000, 5400000), 'pixel': 300, 'dtype': 'uint8', 'rgb': True, 'nodata': 0, 'compress': 'LZW'},
    'photo': {'crs': 32719, 'origin': (300000, 6300000), 'pixel': 200, 'dtype': 'uint8', 'rgb': True, 'compress': 'JPEG'},
    'photo-masked': {'crs': 32633, 'origin': (350000, 5400000), 'pixel': 200, 'dtype': 'uint8', 'rgb': True, 'compress': 'JPEG', 'masked': True},
    'grey-masked': {'crs': 3857, 'origin': (1113200, 6446300), 'pixel': 300, 'dtype': 'uint16', 'compress': 'DEFLATE', 'range': (0, 6000), 'masked': True},
    'counts': {'crs': 4326, 'origin': (-60, 12), 'pixel': 0.01, 'dtype': 'uint16', 'nodata': 65535, 'compress': 'LZW', 'predictor': 2, 'range': (0, 6000)},
    'heights': {'crs': 32633, 'origin': (350000, 5400000), 'pixel': 400, 'dtype': 'float32', 'nodata': -9999, 'compress': 'ZSTD', 'predictor': 3, 'range': (100, 700), 'sparse': True},
    'lowest': {'crs': 3857, 'origin': (-8300000, 5000000), 'pixel': 500, 'dtype': 'float32', 'nodata': LOWEST, 'compress': 'DEFLATE', 'range': (-3, 3)},
    'not-a-number': {'crs': 4326, 'origin': (100, -20), 'pixel': 0.02, 'dtype': 'float32', 'nodata': math.nan, 'compress': 'NONE', 'range': (0, 1)},
    'odd-size': {'crs': 4326, 'origin': (10, 50), 'pixel': 0.005, 'dtype': 'uint8', 'nodata': 0, 'compress': 'DEFLATE', 'range': (10, 250), 'size': (500, 300)},
    'packed': {'crs': 3857, 'origin': (2000000, 1000000), 'pixel': 1000, 'dtype': 'int16', 'nodata': -32768, 'compress': 'DEFLATE', 'predictor': 2, 'range': (-200, 400), 'scale': 0.5, 'offset': 10},
}


def pixels(case):
    """The board: (bands, height, width)."""
    width, height = case.get('size', (512, 512))
    rows, columns = np.indices((height, width)) // CELL
    kinds = (rows * 3 + columns * 5 + rows * columns) % 7
    if case.get('rgb'):
        data = np.array(PALETTE, dtype='uint8')[kinds].transpose(2, 0, 1).copy()
    else:
        low, high = case['range']
        data = (low + (high - low) * kinds / 6).astype(case['dtype'])[np.newaxis]
    if 'nodata' in case:
        for row, column in EMPTY:
            data[:, row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL] = case['nodata']
    return data


def valid(height, width):
    """The same cells as those of nodata, which hold colours like all others."""
    mask = np.full((height, width), True)
    for row, column in EMPTY:
        mask[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL] = False
    return mask


def write(path, case):
    """A COG with three overviews."""
    data = pixels(case)
    count, height, width = data.shape
    x, y = case['origin']
    profile = {
        'driver': 'GTiff', 'count': count, 'height': height, 'width': width, 'dtype': case['dtype'],
        'crs': f"EPSG:{case['crs']}", 'transform': from_origin(x, y, case['pixel'], case['pixel']),
    }  # fmt: skip
    if 'nodata' in case:
        profile['nodata'] = case['nodata']
    plain = path.with_suffix('.plain.tif')
    with rasterio.open(plain, 'w', **profile) as target:
        target.write(data)
        if case.get('masked'):
            target.write_mask(valid(height, width))
        if 'scale' in case:
            target.scales, target.offsets = [case['scale']] * count, [case['offset']] * count
    options = {'COMPRESS': case['compress'], 'BLOCKSIZE': 128, 'OVERVIEW_RESAMPLING': 'NEAREST', 'OVERVIEW_COUNT': 3}
    options |= {'PREDICTOR': case['predictor']} if 'predictor' in case else {}
    options |= {'SPARSE_OK': 'YES'} if case.get('sparse') else {}
    options |= {'QUALITY': 95} if case['compress'] == 'JPEG' else {}
    copy(plain, path, driver='COG', **options)
    plain.unlink()


def levels(path):
    """The size and the hash of every level."""
    found = []
    with rasterio.open(path) as dataset:
        count = len(dataset.overviews(1))
    for level in range(-1, count):
        with rasterio.open(path, **({} if level < 0 else {'overview_level': level})) as dataset:
            data = dataset.read().astype(dataset.dtypes[0])
        found.append({'height': data.shape[1], 'width': data.shape[2], 'sha256': hashlib.sha256(data.tobytes()).hexdigest()})
    return found


def probes(path, offsets):
    """Where these places of every whole cell lie on Earth, and what they hold; null for nodata."""
    with rasterio.open(path) as dataset:
        across, down = dataset.width // CELL, dataset.height // CELL
        points = [(c * CELL + dx, r * CELL + dy) for r in range(down) for c in range(across) for dx, dy in offsets]
        a, b, c, d, e, f = dataset.transform[:6]
        xs, ys = [a * x + b * y + c for x, y in points], [d * x + e * y + f for x, y in points]
        longitudes, latitudes = transform(dataset.crs, 'EPSG:4326', xs, ys)
        data = dataset.read(masked=True)
    listed = []
    for (column, row), longitude, latitude in zip(points, longitudes, latitudes):
        values = data[:, int(row), int(column)]
        missing = np.ma.getmaskarray(values).all() or bool(np.isnan(values.astype('float64').filled(0)).all())
        listed.append([longitude, latitude, None if missing else [float(value) for value in values]])
    return listed


def surroundings(path):
    """Points beside the image, and its corners."""
    with rasterio.open(path) as dataset:
        bounds = dataset.bounds
        w, h = (bounds.right - bounds.left) * 0.03, (bounds.top - bounds.bottom) * 0.03
        xs = [bounds.left - w, bounds.right + w, (bounds.left + bounds.right) / 2]
        ys = [(bounds.top + bounds.bottom) / 2, (bounds.top + bounds.bottom) / 2, bounds.top + h]
        beside = list(zip(*transform(dataset.crs, 'EPSG:4326', xs, ys)))
        xs = [bounds.left, bounds.right, bounds.left, bounds.right]
        ys = [bounds.top, bounds.top, bounds.bottom, bounds.bottom]
        return beside, list(zip(*transform(dataset.crs, 'EPSG:4326', xs, ys)))


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    expected = {}
    for name, case in CASES.items():
        path = folder / f'{name}.tif'
        write(path, case)
        beside, corners = surroundings(path)
        known = {'crs': f"EPSG:{case['crs']}", 'dtype': case['dtype'], 'levels': levels(path), 'bytes': path.stat().st_size}
        known |= {'range': case.get('range'), 'scale': case.get('scale'), 'offset': case.get('offset')}
        known |= {'centres': probes(path, MIDDLE), 'borders': probes(path, BORDERS), 'outside': beside, 'corners': corners}
        expected[name] = known
    (folder / 'expected.json').write_text(json.dumps(expected))


with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True):
    main(Path(sys.argv[1]))
