"""Writes jpeg.jsonl beside itself: small pictures by libjpeg-turbo (imagecodecs, Pillow) and by GDAL's libjpeg, with the SHA-256 of what these
read of them.

pip install rasterio==1.5.2 tifffile==2026.3.3 imagecodecs==2026.3.6 pillow==13.0.0 numpy==2.4.6; cjpeg 2.1.5 (libjpeg-turbo) for sampling factors that these do not write.
"""

import base64
import hashlib
import io
import json
import pathlib
import subprocess
import warnings

import imagecodecs
import numpy as np
import rasterio
import tifffile
from PIL import Image
from rasterio.io import MemoryFile

warnings.filterwarnings("ignore", category=rasterio.errors.NotGeoreferencedWarning)
RNG = np.random.default_rng(14)
TURBO = [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "imagecodecs_jpeg", "configuration": {}}]
LINES = []


def add(name, codecs, stored, values):
    values = np.ascontiguousarray(values)
    LINES.append(
        json.dumps(
            {
                "id": f"jpeg {name}",
                "codecs": codecs,
                "shape": list(values.shape),
                "dataType": {"kind": "uint", "bits": values.itemsize * 8},
                "stored": base64.b64encode(bytes(stored)).decode(),
                "sha256": hashlib.sha256(values.astype(values.dtype.newbyteorder("<")).tobytes()).hexdigest(),
            }
        )
    )


def picture(rows, columns, samples, noise):
    y, x = np.mgrid[:rows, :columns]
    bands = [128 + 90 * np.sin(y / 5 + band) * np.cos(x / (7 + band)) for band in range(samples)]
    values = np.stack(bands, -1) + RNG.normal(0, noise, (rows, columns, samples))
    return values.clip(0, 255).astype("u1")


def by_imagecodecs():
    for subsampling in ("444", "422", "420", "440", "411"):
        for rows, columns, level in ((5, 7, 90), (17, 2, 30), (33, 40, 75)):
            stored = imagecodecs.jpeg8_encode(picture(rows, columns, 3, 10), level=level, subsampling=subsampling)
            add(f"{subsampling} of {rows} x {columns}", TURBO, stored, imagecodecs.jpeg8_decode(stored))
    for level in (1, 50, 100):
        stored = imagecodecs.jpeg8_encode(RNG.integers(0, 2, (24, 24, 3)).astype("u1") * 255, level=level, subsampling="444")
        add(f"black and white, quality {level}", TURBO, stored, imagecodecs.jpeg8_decode(stored))
    for subsampling in ("444", "422", "420"):
        deep = picture(19, 21, 3, 5).astype("u2") * 16 + 5
        stored = imagecodecs.jpeg8_encode(deep, level=90, bitspersample=12, subsampling=subsampling)
        add(f"12 bits, {subsampling}", TURBO, stored, imagecodecs.jpeg8_decode(stored))
        for colours in ("CMYK", "YCCK"):
            stored = imagecodecs.jpeg8_encode(picture(18, 25, 4, 5), level=80, colorspace="CMYK", outcolorspace=colours, subsampling=subsampling)
            read = imagecodecs.jpeg8_decode(stored, colorspace=colours, outcolorspace="CMYK")
            add(f"{colours}, {subsampling}", TURBO, stored, read)


def by_cjpeg():
    for factors in ("4x2", "1x4", "3x1", "3x2", "1x3", "2x2,2x1,1x2", "2x2,1x1,2x2", "4x1,2x1,1x1", "1x1,2x2,2x2"):
        for options in ([], ["-progressive", "-restart", "1"]):
            values = picture(21, 34, 3, 6)
            plain = b"P6 34 21 255\n" + values.tobytes()
            stored = subprocess.run(["cjpeg", "-quality", "80", "-sample", factors, *options], input=plain, capture_output=True, check=True).stdout
            add(f"sampled {factors} {' '.join(options)}".rstrip(), TURBO, stored, imagecodecs.jpeg8_decode(stored))


def by_pillow():
    for progressive in (False, True):
        for subsampling in (0, 1, 2):
            for restarts in ({}, {"restart_marker_blocks": 3}, {"restart_marker_rows": 1}):
                buffer = io.BytesIO()
                options = {"quality": 85, "subsampling": subsampling, "progressive": progressive, **restarts}
                Image.fromarray(picture(29, 35, 3, 8)).save(buffer, "JPEG", **options)
                add(f"Pillow {options}", TURBO, buffer.getvalue(), np.asarray(Image.open(buffer)))
        buffer = io.BytesIO()
        Image.fromarray(picture(29, 35, 1, 8)[..., 0]).save(buffer, "JPEG", quality=85, progressive=progressive)
        add(f"Pillow grey {progressive}", TURBO, buffer.getvalue(), np.asarray(Image.open(buffer)))


def by_gdal():
    """Chroma of half the resolution. What is committed was written by rasterio 1.4.4 and read by 1.5.2 (reread-jpeg.py)."""
    for rows, columns in ((1, 1), (3, 50), (16, 16), (37, 44)):
        for quality in (20, 75, 95):
            values = np.moveaxis(picture(rows, columns, 3, 12), -1, 0)
            options = {"compress": "JPEG", "photometric": "YCBCR", "interleave": "pixel", "JPEG_QUALITY": quality, "blockysize": rows}
            with MemoryFile() as memory:
                with memory.open(driver="GTiff", height=rows, width=columns, count=3, dtype="u1", **options) as file:
                    file.write(values)
                with memory.open() as file:
                    read = np.moveaxis(file.read(), 0, -1)
                page = tifffile.TiffFile(memory).pages[0]
                memory.seek(page.dataoffsets[0])
                stored = memory.read(page.databytecounts[0])
            configuration = {"tables": base64.b64encode(page.jpegtables).decode(), "photometric": 6}
            add(f"GDAL {rows} x {columns}, quality {quality}", [{"name": "vz.tiff-jpeg", "configuration": configuration}], stored, read)


by_imagecodecs()
by_cjpeg()
by_pillow()
by_gdal()
path = pathlib.Path(__file__).with_name("jpeg.jsonl")
path.write_text("\n".join(LINES) + "\n")
print(len(LINES), path.stat().st_size)
