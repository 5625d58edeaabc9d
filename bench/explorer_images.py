"""Two images of 16384 x 16384 for `node bench/explorer.ts`: python explorer_images.py FOLDER. One has overviews, one has none."""

import shutil
import sys
from pathlib import Path

import numpy as np
import rasterio
from rasterio.enums import Resampling
from rasterio.transform import from_origin
from rasterio.windows import Window

SIDE, STRIPE = 16384, 1024
folder = Path(sys.argv[1])
plain, tiled = folder / "plain.tif", folder / "overviews.tif"
profile = {
    "driver": "GTiff", "width": SIDE, "height": SIDE, "count": 1, "dtype": "int16", "tiled": True, "blockxsize": 512,
    "blockysize": 512, "compress": "deflate", "zlevel": 1, "predictor": 2, "crs": "EPSG:32633", "nodata": -32768,
    "transform": from_origin(300000, 5900000, 10, 10), "num_threads": 2,
}
columns = np.arange(SIDE, dtype="float32")
with rasterio.open(plain, "w", **profile) as file:
    for top in range(0, SIDE, STRIPE):
        rows = np.arange(top, top + STRIPE, dtype="float32")[:, None]
        values = (1000 * np.sin(rows / 900) * np.cos(columns / 1300) + rows / 40).astype("int16")
        file.write(values, 1, window=Window(0, top, SIDE, STRIPE))
shutil.copy(plain, tiled)
with rasterio.open(tiled, "r+") as file:
    file.build_overviews([2, 4, 8, 16, 32], Resampling.average)
