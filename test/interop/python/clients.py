"""The clients: each opens a store by its URL and reads whole arrays as numpy arrays."""

import zarr
import tensorstore
from obstore.store import HTTPStore
from zarr.storage import FsspecStore, ObjectStore


class Refused(Exception):
    """A client said that it does not know a data type or codec."""


class ZarrPython:
    """zarr-python over any of its stores; opened by the consolidated root document."""

    def __init__(self, store):
        self.root = zarr.open(store, mode="r")

    def read(self, path):
        return (self.root[path] if path else self.root)[...]


class Zarrs(ZarrPython):
    """zarr-python with the pipeline of zarrs; strict: an error where zarrs itself can't, not zarr-python in its place."""

    def read(self, path):
        try:
            return super().read(path)
        except Exception as error:
            if type(error).__name__ == "UnsupportedDataTypeError":
                raise Refused(str(error)) from error
            raise


class TensorStore:
    def __init__(self, url):
        self.url = url

    def read(self, path):
        spec = {"driver": "zarr3", "kvstore": {"driver": "http", "base_url": self.url, "path": f"{path}/" if path else ""}}
        try:
            array = tensorstore.open(spec, read=True).result()
        except ValueError as error:
            if "is not one of the supported data types" in str(error):
                raise Refused(str(error)) from error
            raise
        return array.read().result()


def fsspec_store(url):
    return FsspecStore.from_url(url, read_only=True)


def obstore_store(url):
    return ObjectStore(HTTPStore.from_url(url, client_options={"allow_http": True}), read_only=True)


CLIENTS = {
    "zarr-python (fsspec)": lambda url: ZarrPython(fsspec_store(url)),
    "zarr-python (obstore)": lambda url: ZarrPython(obstore_store(url)),
    "tensorstore": TensorStore,
    "zarrs-python": lambda url: Zarrs(fsspec_store(url)),
}
ZARRS = {"codec_pipeline.path": "zarrs.ZarrsCodecPipeline", "codec_pipeline.strict": True}
