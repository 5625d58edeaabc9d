"""Files of GRIB in all the ways that ecCodes can write, beside cfgrib: `grib_sweep.py STORES FOLDER FIRST COUNT`. STORES is the URL of a
running service that may read FOLDER; each file is made of a seed. Prints what differs. Needs: pip install cfgrib eccodes xarray zarr aiohttp."""

import base64
import os
import pathlib
import sys
import warnings

import cfgrib
import eccodes as ec
import numpy as np
import xarray as xr

warnings.simplefilter("ignore")
MISSING = 1e30
OTHER_ARRAYS, OTHER_SHAPES = "other arrays", "arrays of other shapes"
SURFACE = ["2t", "10u", "10v", "msl", "sp", "tp", "sd", "tcc"]
UPPER = ["t", "u", "v", "q", "r", "gh", "z"]
GRIDS = {
    "regular_ll": {},
    "regular_gg": {},
    "reduced_gg": {},
    "rotated_ll": {},
}
PACKINGS = {
    1: ["grid_simple", "grid_second_order", "grid_ieee"],
    2: ["grid_simple", "grid_complex", "grid_complex_spatial_differencing", "grid_ccsds", "grid_ieee", "grid_jpeg", "grid_png"],
}


def settable(handle, key, value):
    try:
        ec.codes_set(handle, key, value)
        return True
    except ec.CodesInternalError:
        return False


def message(random, edition, grid, keys, packing, bits, has_bitmap):
    handle = ec.codes_grib_new_from_samples(f"{grid}_pl_grib{edition}")
    for key, value in keys.items():
        settable(handle, key, value)
    count = ec.codes_get_size(handle, "values")
    values = np.sin(np.arange(count) / 50 + random.random()) * 40 + 250 + random.random(count)
    if has_bitmap:
        ec.codes_set(handle, "bitmapPresent", 1)
        ec.codes_set(handle, "missingValue", MISSING)
        values[random.random(count) < 0.2] = MISSING
    ec.codes_set_values(handle, values)
    try:
        ec.codes_set(handle, "packingType", packing)
        if packing not in ("grid_ieee", "grid_second_order"):
            ec.codes_set(handle, "bitsPerValue", bits)
        ec.codes_set_values(handle, values)
        ec.codes_get_values(handle)
    except ec.CodesInternalError:
        # What ecCodes can't write itself is nobody's to read.
        return message(random, edition, grid, keys, "grid_simple", bits, has_bitmap)
    return ec.codes_get_message(handle)


def keys_of(random, edition):
    """Each choice is of what all messages of a file share, or of what varies in it."""
    ensemble = random.random() < 0.3
    unit = random.choice(["h", "h", "h", "m", "D", "3h", "6h"]) if edition == 2 else "h"
    steps = {"m": [0, 30, 90], "D": [0, 1, 5]}.get(unit, [0, 6, 12, 24])
    upper = random.random() < 0.5
    levels = random.choice(["isobaricInhPa", "hybrid"]) if upper else None
    for short in random.choice(UPPER if upper else SURFACE, 3, replace=False):
        for date in random.choice([20240101, 20231231, 20200229], 2, replace=False):
            for step in random.choice(steps, 2, replace=False):
                for number in (0, 3) if ensemble else (None,):
                    for level in random.choice([1, 10, 50, 500, 850, 1000] if levels == "isobaricInhPa" else [1, 20, 60], 2, replace=False) if upper else (None,):
                        keys = {"shortName": str(short), "dataDate": int(date), "dataTime": int(random.choice([0, 1200]))}
                        if levels is not None:
                            keys |= {"typeOfLevel": str(levels), "level": int(level)}
                        if number is not None:
                            keys |= {"productDefinitionTemplateNumber": 1, "perturbationNumber": number, "numberOfForecastsInEnsemble": 5} if edition == 2 else {"setLocalDefinition": 1, "localDefinitionNumber": 1, "marsType": "pf", "number": number}
                        if unit != "h":
                            keys |= {"indicatorOfUnitOfTimeRange": {"m": 0, "D": 2, "3h": 10, "6h": 11}[unit]}
                            keys |= {"forecastTime": int(step) // {"3h": 3, "6h": 6}.get(unit, 1)}
                        elif short == "tp":
                            keys |= {"stepRange": f"0-{step}"}
                        else:
                            keys |= {"step": int(step)}
                        yield keys


def make(seed, path):
    random = np.random.default_rng(seed)
    parts = []
    for edition in random.permutation([1, 2])[: 1 + int(random.random() < 0.2)]:
        edition = int(edition)
        grid = str(random.choice(list(GRIDS)))
        scanning = {}
        if grid == "regular_ll":
            scanning = {"jPointsAreConsecutive": int(random.random() < 0.3)}
            if random.random() < 0.3:
                scanning |= {"jScansPositively": 1, "latitudeOfFirstGridPointInDegrees": 0, "latitudeOfLastGridPointInDegrees": 60}
        holes = 0.3 if random.random() < 0.4 else 0
        for keys in keys_of(random, edition):
            if random.random() < holes:
                continue
            packing = str(random.choice(PACKINGS[edition]))
            bits = int(random.choice([8, 12, 16] if packing == "grid_jpeg" else [8, 12, 16, 20]))
            parts.append(message(random, edition, grid, {**keys, **scanning}, packing, bits, random.random() < 0.3))
    if random.random() < 0.3:
        random.shuffle(parts)
    path.write_bytes(b"".join(parts))
    return len(parts)


def same(own, other, tolerance=0):
    one, two = np.asarray(own), np.asarray(other)
    if one.shape != two.shape:
        return False
    if one.dtype.kind in "mM":
        # cfgrib counts hours: parts of them may lack nanoseconds.
        unit, most = "ns", 1000 if one.dtype.kind == "m" else 0
        return (abs((one.astype(f"{one.dtype.kind}8[{unit}]") - two.astype(f"{two.dtype.kind}8[{unit}]")).astype("i8")) <= most).all()
    return np.allclose(one.astype("f8"), two.astype("f8"), rtol=0, atol=tolerance, equal_nan=True)


def same_attribute(own, other):
    if own is None or isinstance(own, str) or isinstance(other, str):
        return isinstance(other, str) and own == other
    one, two = np.asarray(own, dtype="f8"), np.asarray(other, dtype="f8")
    return one.shape == two.shape and np.allclose(one, two, rtol=1e-12, atol=0)


def fits(served, dataset):
    if not set(dataset.data_vars) <= set(served.data_vars):
        return OTHER_ARRAYS
    if any(served[name].shape != variable.shape for name, variable in dataset.data_vars.items()):
        return OTHER_SHAPES
    grids = {variable.attrs.get("GRIB_gridType", "") for variable in dataset.data_vars.values()}
    # ecCodes rounds places of rotated grids, longitudes up to 360, to single precision on the way.
    tolerance = 2e-5 if any("rotated" in grid for grid in grids) else 1e-9
    for name in dataset.coords:
        if name not in served.variables:
            return f"no {name}"
        own, other = served[name].values, dataset[name].values
        if name == "longitude" and "lambert_azimuthal_equal_area" in grids:
            # ecCodes gives these from -180 to 180; ours are from 0 to 360, as those of other grids.
            other = np.where(other < 0, other + 360, other)
        if not same(own, other, tolerance):
            return f"{name} is {np.ravel(own)[:4]}, expected {np.ravel(other)[:4]}"
    return None


def value_problems(what, own, variable):
    try:
        expected = variable.values.astype("f4")
    except Exception as error:  # noqa: BLE001
        yield f"{what}: cfgrib: {type(error).__name__} {error}"
        return
    try:
        if variable.attrs.get("GRIB_jPointsAreConsecutive") == 1:
            # cfgrib leaves values that lie by columns as they are.
            rows, columns = expected.shape[-2:]
            expected = np.swapaxes(expected.reshape(*expected.shape[:-2], columns, rows), -1, -2)
        if not same(own.values, expected):
            yield f"{what}: other values"
    except Exception as error:  # noqa: BLE001
        yield f"{what}: {type(error).__name__} {error}"


def differences(groups, dataset):
    reasons = {path: fits(served, dataset) for path, served in groups.items()}
    fitting = [path for path, reason in reasons.items() if reason is None]
    if not fitting:
        grids = {variable.attrs.get("GRIB_gridType") for variable in dataset.data_vars.values()}
        near = {path: reason for path, reason in reasons.items() if reason not in (OTHER_ARRAYS, OTHER_SHAPES)}
        return [f"no group for {list(dataset.data_vars)} {dict(dataset.sizes)} {' '.join(map(str, grids))}: {near or reasons}"]
    # Fields that differ in their kind of step alone lie in groups that look alike.
    return min((list(differences_in(path, groups[path], dataset)) for path in fitting), key=len)


def differences_in(path, served, dataset):
    for name, value in dataset.attrs.items():
        if name != "history" and served.attrs.get(name) != value:
            yield f"{path}: {name} is {served.attrs.get(name)!r}, expected {value!r}"
    for name, variable in dataset.variables.items():
        own = served[name]
        if own.dims != variable.dims:
            yield f"{path}/{name}: dimensions {own.dims}, expected {variable.dims}"
        elif name in dataset.data_vars:
            yield from value_problems(f"{path}/{name}", own, variable)
        for key, value in variable.attrs.items():
            if not same_attribute(own.attrs.get(key), value):
                yield f"{path}/{name}: {key} is {own.attrs.get(key)!r}, expected {value!r}"


def main():
    stores, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    first, count = int(sys.argv[3]), int(sys.argv[4])
    arrays = differ = 0
    for seed in range(first, first + count):
        path = folder / f"sweep-{os.getpid()}-{seed}.grib"
        messages = make(seed, path)
        url = f"{stores}zarr/~{base64.urlsafe_b64encode(path.as_uri().encode()).decode().rstrip('=')}/"
        try:
            groups = {node.path.strip("/"): node.to_dataset(inherit=True) for node in xr.open_datatree(url, engine="zarr").subtree}
            datasets = cfgrib.open_datasets(str(path), backend_kwargs={"indexpath": ""})
        except Exception as error:  # noqa: BLE001
            print(f"{seed}: {messages} messages: {type(error).__name__} {str(error)[:300]}")
            differ += 1
            continue
        for dataset in datasets:
            arrays += len(dataset.data_vars)
            for difference in differences(groups, dataset):
                differ += 1
                print(f"{seed}: {difference[:500]}")
        if "--keep" not in sys.argv:
            path.unlink()
    print(f"{count} files, {arrays} arrays, {differ} differences")


if __name__ == "__main__":
    main()
