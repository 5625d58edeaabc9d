"""What the HTTP contract promises, as clients meet it. `contract.py make FOLDER` writes the files that it is asked about;
`contract.py names URL`, `groups URL FILE` and `gone URL FILE` read the running service and print one JSON report."""

import json
import os
import sys
import urllib.parse
import urllib.request
import warnings

import h5py
import numpy as np
import obstore
import tensorstore
import xarray as xr
import zarr
from obstore.store import HTTPStore
from zarr.storage import ObjectStore

import clients

# Blanks, escapes and what looks like them, what URLs and shells give a meaning, other scripts, keys of Zarr, leading dots, long ones.
NAMES = """plain|a b|a%b|a%20b|a%2Fb|a%252Fb|%41|100%|%%|%zz|%63|%2e%2e|%c3%a9|a+b|a&b|a=b|a==b|é|ü|temperature_°C|😀|👩‍🚀|温度|שלום|ﬁ|İ|ß
a'b|a"b|a<b|a>b|<script>|a[b|a]b|a[0]|a{b|a}b|a{b}|{a..b}|a^b|a~b|~a|~user|a`b|a;b|a;codecs=raw|a@b|a$b|$a|a,b|a(b|a)b|f(x)|a*b|*|a!b|!a
a:b|a::b|http:|a#b|#|a?b|?a=1|a\\b|...|....|.a|..a|a.|a..|a.b|.hidden|-a|--|_a|__a|___a|__proto__|constructor|C|c0|c.0|ZARR.JSON|zarr.json.
zarr.json|.zarray|.zgroup|.zattrs|.zmetadata|.gmac|00|-1|+1|1e5|null|NaN|index.html""".replace("\n", "|").split("|")
NAMES += [" a", "a ", "  ", "a", "\u00a0a", "a\u200bb", "\ufeffa", "e\u0301", "u\u0308", "a|b", "a\tb", "a\nb", "a\x7fb", "c", "0", "x" * 255, "é" * 100]


def make(folder):
    with h5py.File(os.path.join(folder, "names.h5"), "w") as file:
        for number, name in enumerate(NAMES):
            write(file, name, number)
        groups = file.create_group("groups")
        for number, name in enumerate(NAMES):
            group = groups.create_group(name)
            for member in dict.fromkeys(["v", "c", "0", name]):
                write(group, member, number)
    level = xr.Dataset(
        {"t": (("y", "x"), np.arange(12.0).reshape(3, 4), {"units": "K"})}, coords={"y": [1, 2, 3], "x": [10.0, 20.0, 30.0, 40.0]}
    )
    tree = {"/": level, "/one": level * 2, "/one/é b": level * 3, "/one/é b/deep": level[["t"]] * 4, "/two": level[["t"]]}
    for name in ("tree.nc", "gone.nc"):
        xr.DataTree.from_dict(tree).to_netcdf(os.path.join(folder, name))


def write(group, name, number):
    group.create_dataset(name, data=values(number), chunks=(4,), compression="gzip").attrs["number"] = number


def values(number):
    """Never the fill value, and those of no two names alike."""
    return np.arange(8, dtype="<i4") + 100 + number * 10


def names(url):
    root = json.load(urllib.request.urlopen(url + "zarr.json"))
    documents = root["consolidated_metadata"]["metadata"]
    numbers = {path: document["attributes"]["number"] for path, document in documents.items() if document["node_type"] == "array"}
    report = {"numbers": numbers, "clients": {}}
    for name, read in name_readers(url):
        row = report["clients"][name] = {"read": 0, "wrong": [], "errors": []}
        for path, number in numbers.items():
            try:
                if np.array_equal(read(path), values(number)):
                    row["read"] += 1
                else:
                    row["wrong"].append(path)
            except Exception as error:
                row["errors"].append(f"{path}: {error}"[:200])
    return report


def name_readers(url):
    for store in (clients.fsspec_store, clients.obstore_store):
        yield f"zarr-python ({store.__name__})", clients.ZarrPython(store(url)).read
        yield f"zarr-python ({store.__name__}, unconsolidated)", lambda path: zarr.open_array(store(url), path=path, mode="r")[...]
        with zarr.config.set(clients.ZARRS):
            yield f"zarrs-python ({store.__name__})", clients.ZarrPython(store(url)).read
    yield "tensorstore", clients.TensorStore(url).read
    yield "tensorstore (encoded)", lambda path: clients.TensorStore(url).read(urllib.parse.quote(path))


def groups(url, file):
    """Each group by its own URL: its dataset, and the tree below it; with and without consolidated metadata."""
    native = xr.open_datatree(file, engine="netcdf4")
    report = {"read": 0, "failures": []}
    for path, node in native.subtree_with_keys:
        place = "" if path == "." else path + "/"
        below = xr.DataTree.from_dict({key: member.to_dataset(inherit=False) for key, member in node.subtree_with_keys})
        for where in (url + place, url + urllib.parse.quote(place)):
            for name, store in (("fsspec", where), ("fsspec", where.rstrip("/")), ("obstore", clients.obstore_store(where))):
                for consolidated in (None, True, False):
                    try:
                        options = {"engine": "zarr", "consolidated": consolidated, "chunks": None}
                        dataset = xr.open_dataset(store, **options)
                        xr.testing.assert_equal(dataset.load(), node.to_dataset(inherit=False).load())
                        xr.testing.assert_equal(xr.open_datatree(store, **options).load(), below.load())
                        report["read"] += 1
                    except Exception as error:
                        report["failures"].append(f"{name} {where} {consolidated}: {type(error).__name__} {error}"[:500])
    return {**report, "listed": listed(url)}


def listed(url):
    """What obstore finds, with and without a delimiter, and what zarr-python makes of it without consolidated metadata."""
    http = HTTPStore.from_url(url, client_options={"allow_http": True})
    objects = [entry for batch in obstore.list(http) for entry in batch]
    lengths = [len(obstore.get(http, entry["path"]).bytes()) == entry["size"] for entry in objects]
    one = obstore.list_with_delimiter(http, "one")
    members = zarr.open_group(ObjectStore(http, read_only=True), mode="r", use_consolidated=False).members(max_depth=None)
    return {
        "objects": sorted(entry["path"] for entry in objects),
        "lengths": all(lengths),
        "folders": sorted(one["common_prefixes"]),
        "files": [entry["path"] for entry in one["objects"]],
        "members": sorted(path for path, _ in members),
    }


def gone(url, file):
    """A source that goes away behind an open store: each client's error."""
    readers = {
        "tensorstore": clients.TensorStore(url),
        "fsspec": clients.ZarrPython(clients.fsspec_store(url)),
        "obstore": clients.ZarrPython(clients.obstore_store(url)),
    }
    readers["tensorstore"].read("t")
    os.remove(file)
    report = {}
    for name, reader in readers.items():
        try:
            report[name] = {"values": np.asarray(reader.read("one/t")).tolist()}
        except Exception as error:
            report[name] = {"error": f"{type(error).__name__}: {error}"}
    return report


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    answer = {"make": make, "names": names, "groups": groups, "gone": gone}[sys.argv[1]](*sys.argv[2:])
    json.dump(answer, sys.stdout)
    sys.stdout.flush()
    # obstore's threads abort the process now and then when Python takes itself down under them.
    os._exit(0)
