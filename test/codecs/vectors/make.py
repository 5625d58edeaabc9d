"""Writes vectors.json with numcodecs and zarr-python, which share no code with this project.

Run by hand: node_modules/.cache/interop-venv/bin/python test/codecs/vectors/make.py
Each vector: codecs as in a Zarr v3 document, the model's data type, shape, stored bytes and what they decode to.
"""
import asyncio, base64, json, lzma, pathlib, warnings
import numcodecs, numpy as np, zarr
from numcodecs import blosc as nblosc

warnings.simplefilter('ignore')
vectors = []
contents = {}  # what chunks decode to, once each
b64 = lambda b: base64.b64encode(bytes(b)).decode()
rng = np.random.default_rng(7)


def model_type(dtype):
    dtype = np.dtype(dtype)
    kinds = {'i': 'int', 'u': 'uint', 'f': 'float', 'c': 'complex'}
    if dtype.kind == 'b': return {'kind': 'bool'}
    if dtype.kind in kinds: return {'kind': kinds[dtype.kind], 'bits': dtype.itemsize * 8}
    if dtype.kind == 'M': return {'kind': 'datetime', 'unit': 's', 'scale': 1}
    if dtype.kind == 'U': return {'kind': 'fixed-text', 'encoding': 'utf-32', 'length': dtype.itemsize}
    raise ValueError(dtype)


def add(id, codecs, array, stored):
    if array.dtype.kind in 'OT':
        decoded, data_type = {'text': list(array.ravel())}, {'kind': 'string'}
    else:
        little = array.astype(array.dtype.newbyteorder('<'))
        content = b64(little.tobytes())
        name = contents.setdefault(content, f'content {len(contents)}')
        decoded, data_type = {'bytes': name}, model_type(array.dtype)
    vectors.append({'id': id, 'codecs': codecs, 'dataType': data_type, 'shape': list(array.shape), 'stored': b64(stored), **decoded})


BYTES = {'name': 'bytes', 'configuration': {'endian': 'little'}}
smooth = (np.sin(np.arange(24 * 25) / 9) * 1000).astype('<i2').reshape(24, 25)
smooth4 = (np.cumsum(rng.integers(-3, 4, 768)).astype('<i4')).reshape(16, 48)
noise = rng.integers(0, 256, 700).astype('u1')
runs = np.repeat(np.arange(9, dtype='u1'), 400)

# byte codecs, each on text-like, smooth, random and empty-looking input
def byte_codec(id, configuration, arrays, encode):
    for name, array in arrays.items():
        config = configuration
        add(f'{id} {json.dumps(config)} {name}', [BYTES, {'name': id, 'configuration': config}], array, encode(array))

INPUTS = {'smooth': smooth, 'noise': noise, 'runs': runs, 'one': np.array([5], 'u1')}
for id, make in {
    'numcodecs.zlib': lambda: (numcodecs.Zlib(4), {'level': 4}),
    'numcodecs.gzip': lambda: (numcodecs.GZip(4), {'level': 4}),
    'gzip': lambda: (numcodecs.GZip(4), {'level': 4}),
    'numcodecs.zstd': lambda: (numcodecs.Zstd(3), {'level': 3}),
    'zstd': lambda: (numcodecs.Zstd(3, checksum=True), {'level': 3, 'checksum': True}),
    'numcodecs.lz4': lambda: (numcodecs.LZ4(), {'acceleration': 1}),
    'numcodecs.bz2': lambda: (numcodecs.BZ2(9), {'level': 9}),
    'numcodecs.crc32': lambda: (numcodecs.CRC32(), {}),
    'numcodecs.crc32c': lambda: (numcodecs.checksum32.CRC32C(), {}),
    'numcodecs.adler32': lambda: (numcodecs.Adler32(), {}),
    'numcodecs.fletcher32': lambda: (numcodecs.Fletcher32(), {}),
    'numcodecs.jenkins_lookup3': lambda: (numcodecs.JenkinsLookup3(), {}),
}.items():
    codec, configuration = make()
    byte_codec(id, configuration, INPUTS, lambda a, codec=codec: codec.encode(np.ascontiguousarray(a).view('u1').ravel()))
seeded = numcodecs.JenkinsLookup3(initval=5, prefix=np.arange(3, dtype='u1'))
byte_codec('numcodecs.jenkins_lookup3', {'initval': 5, 'prefix': [0, 1, 2]}, {'smooth': smooth}, lambda a: seeded.encode(a.tobytes()))
at_end = numcodecs.CRC32(location='end')
byte_codec('numcodecs.crc32', {'location': 'end'}, {'smooth': smooth}, lambda a: at_end.encode(a.tobytes()))
byte_codec('numcodecs.shuffle', {'elementsize': 4}, {'smooth4': smooth4}, lambda a: numcodecs.Shuffle(4).encode(a.tobytes()))
odd = np.arange(257, dtype='u1')
byte_codec('numcodecs.fletcher32', {}, {'odd': odd}, lambda a: numcodecs.Fletcher32().encode(a))

# lzma in all its forms
LZMA1 = [{'id': lzma.FILTER_LZMA1, 'dict_size': 65536, 'lc': 2, 'lp': 1, 'pb': 1}]
forms = [{}, {'format': 1, 'check': lzma.CHECK_CRC32}, {'format': 1, 'check': lzma.CHECK_SHA256}, {'format': 1, 'check': lzma.CHECK_NONE},
    {'format': 2}, {'format': 1, 'filters': [{'id': lzma.FILTER_DELTA, 'dist': 4}, {'id': lzma.FILTER_LZMA2, 'preset': 1}]},
    {'format': 3, 'filters': [{'id': lzma.FILTER_DELTA, 'dist': 2}, {'id': lzma.FILTER_LZMA2, 'preset': 6}]},
    {'format': 3, 'filters': LZMA1}]
for form in forms:
    byte_codec('numcodecs.lzma', form, INPUTS, lambda a: numcodecs.LZMA(**form).encode(a.tobytes()))

# blosc: every compressor, shuffle, and sizes around blocks and splits
for cname in nblosc.list_compressors():
    for shuffle in (0, 1, 2):
        for name, array, blocksize in (('smooth4', smooth4, 0), ('blocks', smooth4, 1024), ('short', smooth4[:1, :9], 0), ('noise', noise, 0), ('runs', runs, 512)):
            array = np.ascontiguousarray(array)
            frame = nblosc.compress(array, cname.encode(), 5, shuffle, blocksize)
            add(f'blosc {cname} {shuffle} {name}', [BYTES, {'name': 'blosc', 'configuration': {'cname': cname}}], array, frame)
wide = np.arange(90 * 24, dtype='u1').reshape(90, 24).view('S24').ravel()
for shuffle in (1, 2):
    frame = nblosc.compress(wide, b'lz4', 5, shuffle)
    add(f'blosc items of 24 bytes {shuffle}', [BYTES, {'name': 'blosc', 'configuration': {}}], wide.view('u1'), frame)

# array codecs of numcodecs
def array_codec(codec, array, stored_type=None):
    configuration = {k: v for k, v in codec.get_config().items() if k != 'id'}
    name = 'numcodecs.' + codec.codec_id
    encoded = np.ascontiguousarray(codec.encode(array.ravel()))
    decoded = codec.decode(encoded)
    decoded = decoded.astype(array.dtype) if array.dtype.kind != 'U' else decoded
    add(f'{name} {json.dumps(configuration)}', [{'name': name, 'configuration': configuration}, BYTES], decoded.reshape(array.shape), encoded.tobytes())

ints = rng.integers(-100, 100, (4, 6))
for dtype, astype in (('<i4', '<i2'), ('<i8', '<i4'), ('<u1', '<u1'), ('<i2', '<i2')):
    array_codec(numcodecs.Delta(dtype, astype), ints.astype(dtype))
array_codec(numcodecs.Delta('<f4'), (ints / 7).astype('<f4'))
array_codec(numcodecs.Delta('<f8', '<f4'), (ints / 7).astype('<f8'))
for dtype, astype in (('<f8', '<i2'), ('<f4', '<u1'), ('<f8', '<f4'), ('<f4', '<f4'), ('<i4', '<i1')):
    array_codec(numcodecs.FixedScaleOffset(offset=-3, scale=10.5, dtype=dtype, astype=astype), (ints / 19).astype(dtype))
array_codec(numcodecs.Quantize(2, '<f8', '<f4'), ints / 7)
array_codec(numcodecs.BitRound(5), (ints / 7).astype('<f4'))
array_codec(numcodecs.AsType('<f4', '<f8'), ints / 7)
array_codec(numcodecs.AsType('<i4', '<i8'), ints.astype('<i8'))
for count in (1, 7, 8, 24):
    array_codec(numcodecs.PackBits(), rng.random(count) > .5)
array_codec(numcodecs.Categorize(['a', 'häß', 'zz'], '<U3'), np.array(['zz', 'a', 'no', 'häß', ''], '<U3'))


# whole pipelines, written by zarr-python
def pipeline(id, array, chunk, fill=0, **options):
    store = zarr.storage.MemoryStore()
    z = zarr.create_array(store, shape=array.shape, dtype=array.dtype, fill_value=fill, chunks=options.pop('chunks', chunk), **options)
    z[...] = array
    codecs = json.loads(asyncio.run(store.get('zarr.json', zarr.core.buffer.default_buffer_prototype())).to_bytes())['codecs']
    key = 'c' + '/0' * array.ndim
    stored = asyncio.run(store.get(key, zarr.core.buffer.default_buffer_prototype())).to_bytes()
    part = array[tuple(slice(0, n) for n in chunk)]
    add(id, codecs, part, stored)
    vectors[-1]['fill'] = fill if isinstance(fill, (int, str)) else float(fill)

cube = np.arange(4 * 6 * 8, dtype='<f4').reshape(4, 6, 8)
z = lambda **k: k
pipeline('big-endian', cube, (4, 6, 8), serializer=zarr.codecs.BytesCodec(endian='big'), compressors=None)
pipeline('transpose 2 0 1', cube, (4, 6, 8), filters=[zarr.codecs.TransposeCodec(order=(2, 0, 1))], compressors=None)
pipeline('transpose of one-byte items', cube.astype('u1'), (4, 6, 8), filters=[zarr.codecs.TransposeCodec(order=(1, 2, 0))])
pipeline('transpose of complex', cube.astype('c16'), (4, 6, 8), filters=[zarr.codecs.TransposeCodec(order=(2, 1, 0))], compressors=[zarr.codecs.GzipCodec()])
pipeline('crc32c', cube, (4, 6, 8), compressors=[zarr.codecs.ZstdCodec(), zarr.codecs.Crc32cCodec()])
holes = cube.copy(); holes[:2, :3] = -1
pipeline('shard with holes', holes, (4, 6, 8), -1.0, chunks=(2, 3, 4), shards=(4, 6, 8), compressors=[zarr.codecs.BloscCodec(cname='lz4')])
for location in ('start', 'end'):
    pipeline(f'shard, index at the {location}', holes, (4, 6, 8), 7.0, chunks=(4, 6, 8), compressors=None, serializer=zarr.codecs.ShardingCodec(
        chunk_shape=(2, 6, 8), index_location=location, codecs=[zarr.codecs.TransposeCodec(order=(1, 0, 2)), zarr.codecs.BytesCodec(endian='big'), zarr.codecs.Crc32cCodec()]))
pipeline('nested shards', holes, (4, 6, 8), -1.0, chunks=(4, 6, 8), compressors=None, serializer=zarr.codecs.ShardingCodec(
    chunk_shape=(2, 6, 8), codecs=[zarr.codecs.ShardingCodec(chunk_shape=(2, 3, 4), codecs=[zarr.codecs.BytesCodec(), zarr.codecs.GzipCodec()])]))
text = np.array([['', 'abc', 'ä€🙂'], ['x' * 40, 'NUL\0inside', ' ']], dtype=np.dtypes.StringDType())
pipeline('vlen-utf8', text, (2, 3), '')
pipeline('vlen-utf8 in shards', text, (2, 3), '', chunks=(1, 3), shards=(2, 3))
pipeline('vlen-utf8 raw', text, (2, 3), '', compressors=None)

out = pathlib.Path(__file__).with_name('vectors.json')
tools = {'numcodecs': numcodecs.__version__, 'zarr': zarr.__version__, 'numpy': np.__version__}
named = ',\n'.join(f'{json.dumps(v)}: {json.dumps(k)}' for k, v in contents.items())
lines = ',\n'.join(json.dumps(v, ensure_ascii=False) for v in vectors)
out.write_text('{"tools": ' + json.dumps(tools) + ',\n"contents": {\n' + named + '},\n"vectors": [\n' + lines + '\n]}\n')
print(len(vectors), out.stat().st_size)
