"""One cold open of an HDF5 file by a peer, in a process of its own: hdf5.py PEER WARM-UP-URL URL DATASET

Prints {"ready": true} after the warm-up on another file, waits for a line, opens URL with all metadata and the place of
every chunk of DATASET (of every dataset where it is empty), and prints what that took.
"""

import asyncio
import json
import sys
import time
import warnings
from urllib.parse import urlsplit

warnings.simplefilter("ignore")
PEER, WARM_UP, URL, DATASET = sys.argv[1:5]


def store_of(url):
    from obstore.store import HTTPStore

    parts = urlsplit(url)
    return HTTPStore(f"{parts.scheme}://{parts.netloc}", client_options={"allow_http": True}), parts.path.lstrip("/")


async def async_hdf5(url, dataset):
    from async_hdf5 import HDF5File

    store, path = store_of(url)
    file = await HDF5File.open(path, store=store)
    group = await file.root_group()

    async def walk(group):
        found = [await group.dataset(name) for name in await group.dataset_names()]
        for name in await group.group_names():
            found += await walk(await group.group(name))
        return found

    datasets = [await group.dataset(dataset)] if dataset else await walk(group)
    chunked = [each for each in datasets if each.chunk_shape is not None]
    return sum([len(index) for index in await asyncio.gather(*(each.chunk_index() for each in chunked))])


async def virtualizarr(url, dataset):
    from obspec_utils.registry import ObjectStoreRegistry
    from virtualizarr.parsers import HDFParser

    parts = urlsplit(url)
    store, _ = store_of(url)
    registry = ObjectStoreRegistry({f"{parts.scheme}://{parts.netloc}": store})
    manifests = await asyncio.to_thread(HDFParser(), url, registry)

    def arrays(group):
        yield from group.arrays.values()
        for inner in group.groups.values():
            yield from arrays(inner)

    return sum(len(array.manifest.dict()) if array.manifest.shape_chunk_grid else 1 for array in arrays(manifests._group))


async def h5py_fsspec(url, dataset):
    import fsspec
    import h5py

    count = [0]

    def visit(name, node):
        dict(node.attrs)
        if isinstance(node, h5py.Dataset) and node.chunks and dataset in ("", name):
            node.id.chunk_iter(lambda info: count.__setitem__(0, count[0] + 1))

    def run():
        with fsspec.open(url, "rb") as stored, h5py.File(stored, "r") as file:
            file.visititems(visit)

    await asyncio.to_thread(run)
    return count[0]


PEERS = {"async-hdf5": async_hdf5, "VirtualiZarr": virtualizarr, "h5py + fsspec": h5py_fsspec}
try:
    asyncio.run(PEERS[PEER](WARM_UP, ""))
except Exception:
    pass  # A peer that cannot read the warm-up has loaded its code all the same.
print(json.dumps({"ready": True}), flush=True)
sys.stdin.readline()
start = time.perf_counter()
try:
    chunks = asyncio.run(PEERS[PEER](URL, DATASET))
    print(json.dumps({"milliseconds": (time.perf_counter() - start) * 1000, "chunks": chunks}), flush=True)
except BaseException as error:
    print(json.dumps({"error": f"{type(error).__name__}: {error}"[:300]}), flush=True)
