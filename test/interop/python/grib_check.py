"""Compares the store of a GRIB file with what cfgrib made of it: `grib_check.py JOB`, a file with {"url": store URL, "golden": path, "example": {"url", "golden"},
"models": {"urls": {name: URL}, "golden"}}.

Prints {"failures": […], "hashes": {url: {path: sha256 of float32}}}: xarray opens every group; zarr-python, tensorstore and zarrs read every array
of the first two.
"""

import hashlib
import json
import sys
import warnings

import numpy as np
import tensorstore
import xarray as xr
import zarr

warnings.simplefilter("ignore")


def comparable(values):
    data = np.asarray(values)
    if data.dtype.kind == "M":
        return data.astype("datetime64[s]").astype(str).tolist()
    if data.dtype.kind == "m":
        return data.astype("timedelta64[s]").astype(int).tolist()
    return [None if np.isnan(value) else value for value in data.astype(float).ravel().tolist()]


def flat(values):
    return values if isinstance(values, str) else np.asarray(values, dtype=object).ravel().tolist()


def is_close(values, golden):
    """Projections end in other bits."""
    one, two = np.ravel(comparable(values)).tolist(), np.ravel(flat(golden["values"])).tolist()
    if any(isinstance(value, str) for value in two):
        return one == two
    numbers = [np.array([np.nan if value is None else value for value in side], dtype=float) for side in (one, two)]
    return numbers[0].shape == numbers[1].shape and np.allclose(*numbers, rtol=1e-14, atol=1e-9, equal_nan=True)


def variable_problems(what, variable, golden):
    if list(variable.dims) != golden["dims"]:
        yield f"{what}: dimensions {variable.dims}, expected {golden['dims']}"
    if str(variable.dtype) != golden["dtype"]:
        yield f"{what}: {variable.dtype}, expected {golden['dtype']}"
    for name, value in golden["attrs"].items():
        if variable.attrs.get(name) != value:
            yield f"{what}: {name} is {variable.attrs.get(name)}, expected {value}"
    if not is_close(variable.values, golden):
        yield f"{what}: other values"


def readers(url, path):
    spec = {"driver": "zarr3", "kvstore": {"driver": "http", "base_url": f"{url}{path}/"}}
    yield "zarr-python", lambda: zarr.open_group(url, mode="r")[path][...]
    yield "tensorstore", lambda: tensorstore.open(spec, open=True, read=True).result().read().result()

    def with_zarrs():
        with zarr.config.set({"codec_pipeline.path": "zarrs.ZarrsCodecPipeline"}):
            return zarr.open_group(url, mode="r")[path][...]

    yield "zarrs", with_zarrs


def hash_of(values):
    data = np.where(np.isnan(values), np.float32("nan"), values).astype("<f4")
    return hashlib.sha256(data.tobytes()).hexdigest()


def array_problems(url, group, name, golden, hashes):
    for client, read in readers(url, f"{group}{name}"):
        values = read()
        if comparable(values) != flat(golden["values"]):
            yield f"{group}{name}: other values in {client}"
        hashes[f"{group}{name}"] = hash_of(values)


def example_problems(url, arrays):
    served = xr.open_dataset(url, engine="zarr")
    for name, golden in arrays.items():
        for client, read in [*readers(url, name), ("xarray", lambda name=name: served[name].values)]:
            values = read()
            if list(values.shape) != golden["shape"] or hash_of(values) != golden["sha256"]:
                yield f"{name} of the example: other values in {client}"
    if str(served["valid_time"].values[2])[:13] != "2024-03-15T12":
        yield f"the example is about {served['valid_time'].values}"


def has_coordinates(served, dataset):
    for name, golden in dataset["coords"].items():
        if name not in served.coords or not is_close(served.coords[name].values, golden):
            return False
    return True


def problems(url, datasets, hashes=None):
    groups = {node.path.strip("/"): node.to_dataset(inherit=True) for node in xr.open_datatree(url, engine="zarr").subtree}
    for dataset in datasets:
        names = set(dataset["data"])
        fitting = [path for path, served in groups.items() if names <= set(served.data_vars) and has_coordinates(served, dataset)]
        if not fitting:
            yield f"no group with {sorted(names)}: {[(path, sorted(served.variables)) for path, served in groups.items()]}"
            continue
        # Fields that differ in their kind of step alone lie in groups that look alike.
        yield from min((list(group_problems(url, path, groups[path], dataset, hashes)) for path in fitting), key=len)


def group_problems(url, path, served, dataset, hashes):
    for name, value in dataset["attrs"].items():
        if name != "history" and served.attrs.get(name) != value:
            yield f"{path}: {name} is {served.attrs.get(name)}, expected {value}"
    for name, variable in {**dataset["coords"], **dataset["data"]}.items():
        yield from variable_problems(f"{path}/{name}", served[name], variable)
    for name, variable in dataset["data"].items() if hashes is not None else ():
        yield from array_problems(url, f"{path}/" if path else "", name, variable, hashes)


def main():
    with open(sys.argv[1]) as file:
        job = json.load(file)
    with open(job["golden"]) as file:
        golden = json.load(file)
    with open(job["example"]["golden"]) as file:
        arrays = json.load(file)
    hashes, example = {}, job["example"]["url"]
    failures = [*problems(job["url"], golden["datasets"], hashes), *example_problems(example, arrays)]
    with open(job["models"]["golden"]) as file:
        models = json.load(file)["files"]
    for name, url in job["models"]["urls"].items():
        failures += [f"{name}: {problem}" for problem in problems(url, models[name])]
    golden_hashes = {name: array["sha256"] for name, array in arrays.items()}
    print(json.dumps({"failures": failures, "hashes": {job["url"]: hashes, example: golden_hashes}}))


main()
