"""Reads stores of one array each with every Python client, and compares with the file `expected` beside each.

usage: check.py FOLDER...; prints {"<folder>": {"<client>": "ok" or what went wrong}} as JSON.
"""
import json, pathlib, sys, warnings

import numcodecs
import numpy as np
import tensorstore
import zarr
import zarrs  # noqa: F401 (registers its pipeline)

warnings.simplefilter('ignore')


def by_numcodecs(folder, document):
    data = (folder / 'c' / '0').read_bytes()
    for codec in reversed(document['codecs'][1:]):
        data = numcodecs.get_codec({'id': codec['name']}).decode(data)
    endian = '>' if document['codecs'][0]['configuration']['endian'] == 'big' else '<'
    return np.frombuffer(data, np.dtype(document['data_type']).newbyteorder(endian))


def by_zarr(folder, document):
    with zarr.config.set({'codec_pipeline.path': 'zarr.core.codec_pipeline.BatchedCodecPipeline'}):
        return zarr.open_array(str(folder), mode='r')[...]


def by_zarrs(folder, document):
    with zarr.config.set({'codec_pipeline.path': 'zarrs.ZarrsCodecPipeline', 'codec_pipeline.strict': True}):
        return zarr.open_array(str(folder), mode='r')[...]


def by_tensorstore(folder, document):
    spec = {'driver': 'zarr3', 'kvstore': {'driver': 'file', 'path': str(folder) + '/'}}
    return tensorstore.open(spec, read=True).result().read().result()


CLIENTS = {'numcodecs': by_numcodecs, 'zarr-python': by_zarr, 'zarrs': by_zarrs, 'tensorstore': by_tensorstore}
report = {}
for name in sys.stdin.read().split('\n'):
    if not name:
        continue
    folder = pathlib.Path(name)
    document = json.loads((folder / 'zarr.json').read_text())
    expected = (folder / 'expected').read_bytes()
    report[name] = {}
    for client, read in CLIENTS.items():
        try:
            values = np.asarray(read(folder, document))
            little = values.astype(values.dtype.newbyteorder('<')).tobytes()
            report[name][client] = 'ok' if little == expected else 'other values'
        except Exception as error:  # a client's failure is a row of the report
            report[name][client] = f'{type(error).__name__}: {error}'[:300]
print(json.dumps(report))
