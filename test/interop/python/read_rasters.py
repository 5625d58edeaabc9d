"""What rasterio reads of files: `read_rasters.py JOB`, a file of JSON: {"folder": ..., "names": [...], "write": [...]}.

`write` are rasters to be made first: {name, dtype, values (rows of columns, or bands of them), nodata, mask, ...}.
"""

import base64
import json
import os
import sys
import tempfile

import numpy as np
import rasterio

FLOATS = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}


def array(values, dtype):
    def number(value):
        if isinstance(value, list):
            return [number(one) for one in value]
        return FLOATS.get(value, value)

    return np.asarray(number(values)).astype(dtype)


def write(folder, raster):
    values = array(raster["values"], raster["dtype"])
    values = values[None] if values.ndim == 2 else values
    count, height, width = values.shape
    path = os.path.join(folder, raster["name"])
    transform = raster.get("transform")
    options = {} if transform is None else {"transform": rasterio.Affine(*transform), "crs": "EPSG:32633"}
    nodata = raster.get("nodata")
    options["nodata"] = FLOATS.get(nodata, nodata)
    options.update(raster.get("options", {}))
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True):
        with rasterio.open(path, "w", driver="GTiff", height=height, width=width, count=count, dtype=raster["dtype"], **options) as file:
            file.write(values)
            if "mask" in raster:
                file.write_mask(np.asarray(raster["mask"], "u1") * 255)
            if "scales" in raster:
                file.scales = raster["scales"]
            if "offsets" in raster:
                file.offsets = raster["offsets"]


def number(value):
    """As JSON has it; a float that is no number as its name."""
    if value is None:
        return None
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, complex):
        return [number(value.real), number(value.imag)]
    if isinstance(value, float):
        return repr(value)
    return str(value)


def text(value):
    return value if value else None


def band(file, at):
    values = file.read(at)
    flags = [flag.name for flag in file.mask_flag_enums[at - 1]]
    return {
        "dtype": str(values.dtype),
        "bytes": base64.b64encode(np.ascontiguousarray(values).tobytes()).decode(),
        "nodata": number(file.nodatavals[at - 1]),
        "scale": file.scales[at - 1],
        "offset": file.offsets[at - 1],
        "units": text(file.units[at - 1]),
        "description": text(file.descriptions[at - 1]),
        "color": file.colorinterp[at - 1].name,
        "mask": base64.b64encode((file.read_masks(at) > 0).astype("u1").tobytes()).decode(),
        "flags": flags,
        "tags": file.tags(at),
    }


def read(path):
    try:
        with rasterio.open(path) as file:
            return {
                "width": file.width,
                "height": file.height,
                "transform": None if file.transform.is_identity else list(file.transform)[:6],
                "crs": None if file.crs is None else file.crs.to_epsg() or file.crs.to_wkt(),
                "tags": file.tags(),
                "bands": [band(file, at + 1) for at in range(file.count)],
            }
    except Exception as error:  # noqa: BLE001
        return {"error": f"{type(error).__name__}: {error} {error.__cause__ or ''}"[:300]}


def read_all(paths):
    """Some documents crash GDAL itself: a process of its own reads them, and another one goes on after a crash."""
    rasters = []
    while len(rasters) < len(paths):
        with tempfile.TemporaryFile("w+") as lines:
            child = os.fork()
            if child == 0:
                for path in paths[len(rasters) :]:
                    lines.write(json.dumps(read(path)) + "\n")
                    lines.flush()
                os._exit(0)
            _pid, status = os.waitpid(child, 0)
            lines.seek(0)
            rasters += [json.loads(line) for line in lines if line.endswith("\n")]
        if status != 0:
            rasters.append({"error": f"the reader crashed: signal {os.waitstatus_to_exitcode(status)}"})
    return rasters


def main(job):
    with open(job) as file:
        job = json.load(file)
    for raster in job.get("write", []):
        write(job["folder"], raster)
    rasters = read_all([os.path.join(job["folder"], name) for name in job["names"]])
    print(json.dumps({"version": f"rasterio {rasterio.__version__}, GDAL {rasterio.__gdal_version__}", "rasters": rasters}))


if __name__ == "__main__":
    main(sys.argv[1])
