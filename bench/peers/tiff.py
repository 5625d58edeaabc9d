"""One cold open of a TIFF by a peer, in a process of its own: tiff.py PEER WARM-UP-URL URL COLUMN,ROW

Prints {"ready": true} after the warm-up on another file, waits for a line, opens URL, then reads the one tile (its stored
bytes, or its pixels where the peer knows nothing else), and prints what both took.
"""

import asyncio
import json
import sys
import time
import warnings
from urllib.parse import urlsplit

warnings.simplefilter("ignore")
PEER, WARM_UP, URL, TILE = sys.argv[1:5]
COLUMN, ROW = (int(n) for n in TILE.split(","))


def store_of(url):
    from obstore.store import HTTPStore

    parts = urlsplit(url)
    origin = f"{parts.scheme}://{parts.netloc}"
    return origin, HTTPStore(origin, client_options={"allow_http": True}), parts.path.lstrip("/")


async def async_tiff(url):
    from async_tiff import TIFF

    _, store, path = store_of(url)
    tiff = await TIFF.open(path, store=store)
    return lambda column, row: tiff.fetch_tile(column, row, 0)


async def virtual_tiff(url):
    from obspec_utils.registry import ObjectStoreRegistry
    from virtual_tiff import VirtualTIFF

    origin, store, _ = store_of(url)
    manifests = await asyncio.to_thread(VirtualTIFF(ifd=0), url, ObjectStoreRegistry({origin: store}))
    manifest = next(iter(manifests._group.arrays.values())).manifest

    async def tile(column, row):
        at = (0,) * (manifest._offsets.ndim - 2) + (row, column)
        offset, length = int(manifest._offsets[at]), int(manifest._lengths[at])
        return await store.get_range_async(urlsplit(url).path.lstrip("/"), start=offset, length=length)

    return tile


async def gdal(url):
    import rasterio
    from rasterio.windows import Window

    options = {"GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR", "CPL_VSIL_CURL_ALLOWED_EXTENSIONS": ".tif"}
    with rasterio.Env(**options):
        file = rasterio.open(f"/vsicurl/{url}")

    async def tile(column, row):
        height, width = file.block_shapes[0]
        with rasterio.Env(**options):
            return file.read(1, window=Window(column * width, row * height, width, height))

    return tile


PEERS = {"async-tiff": async_tiff, "virtual-tiff": virtual_tiff, "GDAL": gdal}


async def run():
    start = time.perf_counter()
    tile = await PEERS[PEER](URL)
    opened = time.perf_counter()
    print(json.dumps({"milliseconds": (opened - start) * 1000}), flush=True)
    sys.stdin.readline()
    start = time.perf_counter()
    await tile(COLUMN, ROW)
    print(json.dumps({"milliseconds": (time.perf_counter() - start) * 1000}), flush=True)


async def warm_up():
    await (await PEERS[PEER](WARM_UP))(0, 0)


try:
    asyncio.run(warm_up())
except Exception:
    pass  # A peer that cannot read the warm-up has loaded its code all the same.
print(json.dumps({"ready": True}), flush=True)
sys.stdin.readline()
try:
    asyncio.run(run())
except BaseException as error:
    print(json.dumps({"error": f"{type(error).__name__}: {error}"[:300]}), flush=True)
