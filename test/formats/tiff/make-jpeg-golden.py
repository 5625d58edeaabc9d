"""Writes jpeg-golden.json beside itself: the SHA-256 of the values of each directory of JPEG or YCbCr in the shared corpus, as rasterio reads it.

The corpus' own values come from rasterio 1.4, whose libjpeg 9 brings colours of half the resolution to size otherwise than libjpeg-turbo, which
rasterio has since 1.5, and every distribution of GDAL (docs/decisions/0009-picture-decoders.md); its YCbCr without JPEG is as stored, where GDAL makes RGB of it.
The corpus can't be changed.

    python make-jpeg-golden.py ../shared/corpus/tiff        (rasterio 1.5.2, tifffile 2026.11.8)
"""

import hashlib
import json
import pathlib
import sys
import warnings

import numpy as np
import rasterio
import tifffile

warnings.simplefilter("ignore")
assert tuple(int(each) for each in rasterio.__version__.split(".")[:2]) >= (1, 5)
golden = json.loads(pathlib.Path(sys.argv[1], "golden.json").read_text())["files"]
found = {}
for name, file in golden.items():
    for index, array in (file.get("arrays") or {}).items():
        path = pathlib.Path(sys.argv[1], name)
        try:
            with tifffile.TiffFile(path) as tiff:
                page = tiff.pages[int(index)]
                if page.compression != 7 and page.photometric != 6:
                    continue
            with rasterio.open(f"GTIFF_DIR:{int(index) + 1}:{path}") as image:
                values = np.ascontiguousarray(image.read())
        except Exception as error:
            print(name, index, type(error).__name__, str(error)[:100])
            continue
        values = values.astype(values.dtype.newbyteorder("<"))
        found.setdefault(name, {})[index] = {"shape": list(values.shape), "sha256": hashlib.sha256(values.tobytes()).hexdigest()}
pathlib.Path(__file__).with_name("jpeg-golden.json").write_text(json.dumps(found, indent=1) + "\n")
print(sum(len(each) for each in found.values()), "directories of", len(found), "files")
