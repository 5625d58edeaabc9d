"""Values that GDAL's Zarr driver reads of arrays below groups with blanks in their names: `gdal_blanks_check.py STORE_URL PATH...`."""

import json
import sys

import rasterio

store, *paths = sys.argv[1:]
values = {}
for path in paths:
    with rasterio.open(f'ZARR:"/vsicurl/{store}":/{path}') as dataset:
        values[path] = dataset.read(1).tolist()
json.dump({"gdal": rasterio.__gdal_version__, "values": values}, sys.stdout)
