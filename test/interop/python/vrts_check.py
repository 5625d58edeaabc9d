"""VRTs as GDAL reads them itself, through rasterio: `make FOLDER`, then `check FOLDER SERVER`."""

import base64
import glob
import hashlib
import json
import os
import sys

import clients
import numpy as np
import rasterio
import rioxarray  # noqa: F401
import rasterio.shutil
import xarray as xr
from mosaics_check import TILED, image, save, store
from rasterio.transform import from_origin

WKT = rasterio.crs.CRS.from_epsg(32633).to_wkt()


def band(number, sources, dtype="Byte", extra=""):
    return f'<VRTRasterBand dataType="{dtype}" band="{number}">{extra}{"".join(sources)}</VRTRasterBand>'


def simple(name, size, to, start=(0, 0), number="1", kind="SimpleSource", extra="", relative=1, out=None):
    width, height = size
    return (
        f'<{kind}><SourceFilename relativeToVRT="{relative}">{name}</SourceFilename><SourceBand>{number}</SourceBand>'
        f'<SrcRect xOff="{start[0]}" yOff="{start[1]}" xSize="{width}" ySize="{height}"/>'
        f'<DstRect xOff="{to[0]}" yOff="{to[1]}" xSize="{(out or size)[0]}" ySize="{(out or size)[1]}"/>{extra}</{kind}>'
    )


def write(folder, name, size, bands, extra="", sub=""):
    head = f"<SRS>{WKT}</SRS><GeoTransform>500000, 10, 0, 5000000, 0, -10</GeoTransform>"
    text = f'<VRTDataset rasterXSize="{size[0]}" rasterYSize="{size[1]}"{sub}>{head}{extra}{"".join(bands)}</VRTDataset>'
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


def make(folder):
    where = from_origin(500000, 5000000, 10, 10)
    os.makedirs(os.path.join(folder, "sub"), exist_ok=True)
    for seed in range(3):
        data = image((64, 96), "uint8", seed)
        data[20:30, 10:50] = 0
        save(folder, f"plain_{seed}.tif", data, where, **TILED)
        save(folder, f"zero_{seed}.tif", data, where, nodata=0, **TILED)
    save(folder, "sub/deep.tif", image((64, 96), "uint8", 30), where, **TILED)
    save(folder, "pixel.tif", image((3, 64, 96), "uint8", 4), where, interleave="pixel", **TILED)
    save(folder, "bands.tif", image((4, 64, 96), "int16", 5, -300, 300), where, interleave="band", **TILED)
    save(folder, "strips.tif", image((3, 64, 96), "uint16", 6), where, compress="lzw", interleave="pixel")
    save(folder, "float.tif", np.where(image((64, 96), "uint8", 7) < 80, np.nan, image((64, 96), "float32", 8)), where, nodata=np.nan, **TILED)
    save(folder, "mask.tif", image((3, 64, 96), "uint8", 9), where, mask=image((64, 96), "uint8", 10) > 90, **TILED)
    alpha = image((4, 64, 96), "uint8", 11)
    alpha[3] = np.where(image((64, 96), "uint8", 12) > 90, 255, 0)
    save(folder, "alpha.tif", alpha, where, photometric="RGB", alpha="yes", **TILED)
    save(folder, "sparse.tif", np.zeros((64, 96), "uint8"), where, sparse_ok=True, nodata=3, **TILED)
    make_hand(folder)
    make_gdal(folder)
    make_refused(folder)


def make_hand(folder):
    full = (96, 64)
    nodata = "<NODATA>0</NODATA>"
    write(folder, "v_one.vrt", full, [band(1, [simple("plain_0.tif", full, (0, 0))])])
    write(folder, "v_gap.vrt", (200, 130), [band(1, [simple("plain_0.tif", full, (0, 0)), simple("plain_1.tif", full, (104, 66))])])
    overlap = [simple("plain_0.tif", full, (0, 0)), simple("plain_1.tif", full, (32, 32)), simple("plain_2.tif", full, (17, 5))]
    write(folder, "v_over.vrt", (128, 96), [band(1, overlap, extra="<NoDataValue>7</NoDataValue>")])
    through = [simple(f"zero_{n}.tif", full, at, kind="ComplexSource", extra=nodata) for n, at in enumerate([(0, 0), (32, 32), (17, 5)])]
    write(folder, "v_through.vrt", (128, 96), [band(1, through, extra="<NoDataValue>0</NoDataValue>")])
    write(folder, "v_through_plain.vrt", (128, 96), [band(1, through)])
    windows = [simple("plain_0.tif", (40, 30), (5, 7), (11, 13)), simple("plain_1.tif", (32, 32), (32, 32), (32, 32))]
    write(folder, "v_window.vrt", (80, 70), [band(1, windows)])
    outside = [simple("plain_0.tif", full, (-20, -10)), simple("plain_1.tif", full, (50, 40))]
    write(folder, "v_outside.vrt", (100, 80), [band(1, outside)])
    for name, count, kind in [("pixel", 3, "Byte"), ("bands", 4, "Int16"), ("strips", 3, "UInt16")]:
        order = [band(at + 1, [simple(f"{name}.tif", full, (0, 0), number=count - at)], kind) for at in range(count)]
        write(folder, f"v_{name}.vrt", full, order)
        write(folder, f"v_{name}_one.vrt", full, [band(1, [simple(f"{name}.tif", full, (0, 0), number=2)], kind)])
        parts = [band(at + 1, [simple(f"{name}.tif", (50, 41), (9, 3), (30, 20), number=at + 1)], kind) for at in range(count)]
        write(folder, f"v_{name}_part.vrt", full, parts)
    mixed = [band(1, [simple("plain_0.tif", full, (0, 0))]), band(2, [simple("float.tif", full, (0, 0))], "Float32", "<NoDataValue>nan</NoDataValue>")]
    write(folder, "v_mixed.vrt", full, mixed)
    write(folder, "v_wider.vrt", full, [band(1, [simple("plain_0.tif", full, (0, 0))], "Float32"), band(2, [simple("bands.tif", full, (0, 0), number=2)], "Float32")])
    scaled = "<ScaleOffset>-3.7</ScaleOffset><ScaleRatio>0.25</ScaleRatio>"
    write(folder, "v_scaled.vrt", (110, 80), [band(1, [simple("plain_0.tif", full, (3, 3), kind="ComplexSource", extra=scaled)], "Float32")])
    both = [simple("plain_1.tif", full, (0, 0)), simple("zero_0.tif", full, (3, 3), kind="ComplexSource", extra=scaled + nodata)]
    write(folder, "v_scaled_nodata.vrt", (110, 80), [band(1, both, "Float64", "<NoDataValue>-99</NoDataValue>")])
    nans = [simple("plain_1.tif", full, (0, 0)), simple("float.tif", full, (10, 10), kind="ComplexSource", extra="<NODATA>nan</NODATA>")]
    write(folder, "v_nan.vrt", (110, 80), [band(1, nans, "Float32")])
    nans[1] = nans[1].replace("<NODATA>nan</NODATA>", "<NODATA>-9</NODATA>")
    write(folder, "v_nan_painted.vrt", (110, 80), [band(1, nans, "Float32")])
    use = "<UseMaskBand>true</UseMaskBand>"
    for name in ["mask", "alpha", "zero_0", "plain_0"]:
        over = [simple("plain_1.tif", full, (0, 0)), simple(f"{name}.tif", full, (10, 10), kind="ComplexSource", extra=use)]
        write(folder, f"v_use_{name}.vrt", (110, 80), [band(1, over)])
    own = f'<MaskBand>{band(1, [simple("mask.tif", full, (0, 0), number="mask,1")])}</MaskBand>'
    write(folder, "v_maskband.vrt", full, [band(n, [simple("mask.tif", full, (0, 0), number=n)]) for n in (1, 2, 3)], own)
    write(folder, "v_sparse.vrt", (110, 80), [band(1, [simple("plain_0.tif", full, (0, 0)), simple("sparse.tif", full, (5, 5))])])
    write(folder, "v_empty.vrt", (30, 20), [band(1, [], extra="<NoDataValue>9</NoDataValue>")])
    write(folder, "v_nested.vrt", (150, 110), [band(1, [simple("v_over.vrt", (128, 96), (10, 8)), simple("sub/inner.vrt", (60, 40), (90, 70))])])
    write(folder, "sub/inner.vrt", (60, 40), [band(1, [simple("deep.tif", (60, 40), (0, 0), (20, 10))])])
    write(folder, "v_nested_bands.vrt", full, [band(n, [simple("v_pixel.vrt", (70, 50), (4, 5), (6, 7), number=n)]) for n in (1, 2, 3)])
    absolute = simple(os.path.join(folder, "plain_0.tif"), full, (0, 0), relative=0)
    write(folder, "v_absolute.vrt", full, [band(1, [absolute])])
    whole = '<SimpleSource><SourceFilename relativeToVRT="1">plain_2.tif</SourceFilename><SourceBand>1</SourceBand></SimpleSource>'
    write(folder, "v_whole.vrt", full, [band(1, [whole])])


def make_gdal(folder):
    """What GDAL itself writes: translated copies of files."""
    for name in ["pixel", "bands", "strips", "float", "mask", "zero_0"]:
        rasterio.shutil.copy(os.path.join(folder, f"{name}.tif"), os.path.join(folder, f"g_{name}.vrt"), driver="VRT")


def make_refused(folder):
    full = (96, 64)
    write(folder, "r_scaled.vrt", full, [band(1, [simple("plain_0.tif", (48, 32), (0, 0), out=full)])])
    write(folder, "r_between.vrt", full, [band(1, [simple("plain_0.tif", (48, 32), (0, 0), (0.5, 0))])])
    write(folder, "r_lut.vrt", full, [band(1, [simple("plain_0.tif", full, (0, 0), kind="ComplexSource", extra="<LUT>0:0,255:1</LUT>")])])
    write(folder, "r_average.vrt", full, [band(1, [simple("plain_0.tif", full, (0, 0), kind="AveragedSource")])])
    python = '<PixelFunctionType>f</PixelFunctionType><PixelFunctionLanguage>Python</PixelFunctionLanguage>'
    write(folder, "r_derived.vrt", full, [band(1, [], extra=python).replace("<VRTRasterBand", '<VRTRasterBand subClass="VRTDerivedRasterBand"')])
    write(folder, "r_warped.vrt", full, [band(1, [])], sub=' subClass="VRTWarpedDataset"')
    write(folder, "r_rounded.vrt", full, [band(1, [simple("float.tif", full, (0, 0))])])
    write(folder, "r_driver.vrt", full, [band(1, [simple("NETCDF:a.nc:t", full, (0, 0), relative=0)])])
    write(folder, "r_zip.vrt", full, [band(1, [simple("/vsizip/a.zip/b.tif", full, (0, 0), relative=0)])])
    write(folder, "r_self.vrt", full, [band(1, [simple("r_self.vrt", full, (0, 0))])])
    write(folder, "r_bomb.vrt", full, [band(1, [simple("plain_0.tif", full, (0, 0))])])
    with open(os.path.join(folder, "r_bomb.vrt")) as file:
        text = file.read()
    with open(os.path.join(folder, "r_bomb.vrt"), "w") as file:
        file.write('<!DOCTYPE x [<!ENTITY a "aaaa">]>' + text)


def check(folder, server):
    failures, read, hashes = [], 0, {}
    for path in sorted(glob.glob(os.path.join(folder, "[vg]_*.vrt"))):
        name = os.path.basename(path)
        try:
            with rasterio.open(path) as file:
                wanted = [file.read(n + 1) for n in range(file.count)]
                nodata, transform, crs = file.nodatavals, file.transform, file.crs
                masks = file.read_masks(1)
            url = store(server, f"file://{path}")
            raw = xr.open_zarr(url, chunks=None, mask_and_scale=False, decode_coords="all")
            names = [variable for variable in raw.data_vars if variable.startswith("band_")]
            found = []
            for variable in names:
                values = raw[variable].values
                found += list(values) if values.ndim == 3 else [values]
                for client in ["zarr-python (obstore)", "tensorstore"]:
                    np.testing.assert_array_equal(clients.CLIENTS[client](url).read(variable), values, err_msg=client)
                hashes[f"{name}/{variable}"] = hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()
                fill = raw[variable].attrs.get("_FillValue")
                if (fill is None) != (nodata[0] is None) and len(names) == 1:
                    raise AssertionError(f"_FillValue is {fill}, nodata {nodata[0]}")
            if len(found) != len(wanted):
                raise AssertionError(f"{len(found)} bands instead of {len(wanted)}")
            for number, (one, other) in enumerate(zip(wanted, found)):
                if one.dtype != other.dtype:
                    raise AssertionError(f"{other.dtype} instead of {one.dtype}")
                np.testing.assert_array_equal(other, one, err_msg=f"band {number + 1}")
            if name in ("v_maskband.vrt", "g_mask.vrt"):
                own = xr.open_zarr(url, group="mask", chunks=None)["band_data"].values
                # What is valid is not zero: 1 where the file has one bit, for which GDAL says 255.
                np.testing.assert_array_equal(own != 0, masks != 0, err_msg="mask")
            if not raw[names[0]].rio.transform().almost_equals(transform) or raw.rio.crs != crs:
                raise AssertionError(f"lies at {raw[names[0]].rio.transform()} instead of {transform}, in {raw.rio.crs}")
            if not raw[names[0]].rio.transform(recalc=True).almost_equals(transform, 1e-6):
                raise AssertionError("coordinates lie elsewhere")
            read += 1
        except Exception as error:  # noqa: BLE001
            failures.append(f"{name}: {type(error).__name__}: {str(error)[:600]}")
    print(json.dumps({"read": read, "failures": failures, "hashes": hashes}))


if __name__ == "__main__":
    {"make": make, "check": check}[sys.argv[1]](*sys.argv[2:])
