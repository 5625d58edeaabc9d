"""Writes hdf5.jsonl with h5py (libhdf5) and hdf5plugin, which share no code with this project.

Run by hand: node_modules/.cache/hdf5-venv/bin/python test/codecs/vectors/make-hdf5.py
Each vector: how HDF5's reader names the codecs, the model's data type, shape, the chunk as stored and what it decodes to.
"""
import base64, hashlib, json, pathlib
import blosc2, h5py, hdf5plugin, numpy as np
from h5py import h5d, h5p, h5s, h5t

b64 = lambda b: base64.b64encode(bytes(b)).decode()
rng = np.random.default_rng(11)
vectors = []
content = lambda b: {'length': len(b), 'sha256': hashlib.sha256(b).hexdigest()}


def model_type(dtype):
    dtype = np.dtype(dtype)
    kinds = {'i': 'int', 'u': 'uint', 'f': 'float', 'c': 'complex'}
    if dtype.kind in kinds: return {'kind': kinds[dtype.kind], 'bits': dtype.itemsize * 8}
    if dtype.kind == 'V' and dtype.names:
        def field(name):
            base, shape = dtype[name].base, dtype[name].shape
            return {'name': name, 'type': model_type(base), **({'shape': list(shape)} if shape else {})}
        return {'kind': 'structured', 'fields': [field(name) for name in dtype.names]}
    if dtype.kind == 'S': return {'kind': 'fixed-text', 'encoding': 'bytes', 'length': dtype.itemsize}
    raise ValueError(dtype)


def byte_codec(id, data, size):
    if id == 1: return 'numcodecs.zlib', {'level': data[0]}
    if id == 2: return 'numcodecs.shuffle', {'elementsize': data[0]}
    if id == 3: return 'numcodecs.fletcher32', {}
    if id == 4: return 'vz.szip', dict(zip(['mask', 'pixelsPerBlock', 'bitsPerPixel', 'pixelsPerScanline'], data))
    if id == 5: return 'vz.nbit', {'clientData': data}
    if id == 6: return 'vz.scaleoffset', {'clientData': data}
    if id == 307: return 'numcodecs.bz2', {'level': data[0]}
    if id == 32000: return 'vz.lzf', {}
    if id == 32001: return 'blosc', {}
    if id == 32004: return 'vz.lz4-hdf5', {}
    if id == 32008:
        compression = {0: 'none', 2: 'lz4', 3: 'zstd'}[data[4] if len(data) > 4 else 0]
        return 'vz.bitshuffle', {'elementsize': data[2], 'blocksize': data[3], 'compression': compression}
    if id == 32013: return 'vz.zfp', {'clientData': data}
    if id == 32015: return 'zstd', {}
    if id == 32026: return 'vz.blosc2', {}
    raise LookupError(id)


def head_codecs(type_id):
    """What comes before the filters: the byte order, or bits within bytes."""
    order = {h5t.ORDER_LE: 'little', h5t.ORDER_BE: 'big'}.get(type_id.get_order() if hasattr(type_id, 'get_order') else 0, 'little')
    if isinstance(type_id, h5t.TypeIntegerID) and type_id.get_precision() != 8 * type_id.get_size():
        field = {'size': type_id.get_size(), 'precision': type_id.get_precision(), 'offset': type_id.get_offset(),
                 'signed': type_id.get_sign() == h5t.SGN_2, 'order': order}
        return [['vz.bit-field', field], ['bytes', {'endian': 'little'}]]
    if isinstance(type_id, h5t.TypeFloatID):
        sign, exponent, exponent_size, mantissa, mantissa_size = type_id.get_fields()
        bits = 8 * type_id.get_size()
        plain = {(16, 5, 10), (32, 8, 23), (64, 11, 52)}
        if (bits, exponent_size, mantissa_size) not in plain or mantissa != 0 or type_id.get_precision() != bits:
            field = {'class': 'float', 'size': bits // 8, 'precision': type_id.get_precision(), 'offset': type_id.get_offset(),
                     'order': order, 'signBit': sign, 'exponentBit': exponent, 'exponentSize': exponent_size,
                     'mantissaBit': mantissa, 'mantissaSize': mantissa_size, 'exponentBias': type_id.get_ebias(),
                     'isImplied': type_id.get_norm() == h5t.NORM_IMPLIED}
            return [['vz.bit-field', field], ['bytes', {'endian': 'little'}]]
    return [['bytes', {'endian': order}]]


def codecs_of(dataset):
    plist, type_id = dataset.id.get_create_plist(), dataset.id.get_type()
    codecs = head_codecs(type_id)
    for i in range(plist.get_nfilters()):
        id, _, data, _ = plist.get_filter(i)
        codecs.append(list(byte_codec(id, [int(word) for word in data], type_id.get_size())))
    return codecs


def record(id, codecs, array, stored):
    array = np.ascontiguousarray(array)
    little = array.astype(array.dtype.newbyteorder('<'))
    if little.dtype.itemsize == 16 and little.dtype.kind == 'f': little = little.astype('<f8')
    vectors.append({'id': id, 'codecs': [{'name': n, 'configuration': c} for n, c in codecs],
                    'dataType': model_type(little.dtype), 'shape': list(array.shape), 'stored': b64(stored), **content(little.tobytes())})


def add(id, array, type_id=None, setup=None, fill=None, lossy=False, trust_input=False, **options):
    """One dataset of one chunk, written and read by libhdf5."""
    with h5py.File('memory', 'w', driver='core', backing_store=False) as file:
        if type_id is None and setup is None:
            dataset = file.create_dataset('d', data=array, chunks=array.shape, fillvalue=fill, **options)
        else:
            plist = h5p.create(h5p.DATASET_CREATE)
            plist.set_chunk(array.shape)
            if fill is not None: plist.set_fill_value(np.array(fill, array.dtype))
            if setup is not None: setup(plist)
            type_id = type_id or h5t.py_create(array.dtype)
            dataset = h5py.Dataset(h5d.create(file.id, b'd', type_id, h5s.create_simple(array.shape), plist))
            dataset.write_direct(np.ascontiguousarray(array))
        file.flush()
        mask, stored = dataset.id.read_direct_chunk((0,) * array.ndim)
        if mask != 0: return print('stored as it is:', id)
        value = np.empty(array.shape, array.dtype)
        dataset.id.read(h5s.ALL, h5s.ALL, value)
        if trust_input: value = array
        elif not lossy: np.testing.assert_array_equal(value, array, err_msg=id)
        record(id, codecs_of(dataset), value, stored)


def integer(base, precision, offset):
    type_id = base.copy()
    type_id.set_precision(precision)
    type_id.set_offset(offset)
    return type_id


def main():
    smooth = (np.sin(np.arange(420) / 9) * 1000).reshape(20, 21)
    bumpy = np.cumsum(rng.integers(-3, 4, 600)).reshape(24, 25)
    noise = rng.random((12, 13))
    types = ['<i1', '<u1', '<i2', '>u2', '<i4', '>i4', '<u8', '<f4', '>f4', '<f8', '>f8']

    for type in types:
        add(f'lzf {type}', bumpy.astype(type), compression='lzf')
    add('lzf of a long run', np.zeros((70, 70), '<i4'), compression='lzf')
    add('lzf behind a shuffle', smooth.astype('<f4'), compression='lzf', shuffle=True)
    add('lzf behind a shuffle, with a checksum', bumpy.astype('<i4'), compression='lzf', shuffle=True, fletcher32=True)

    for type in types:
        for coding, block in (('nn', 8), ('ec', 32)):
            add(f'szip {coding} {block} {type}', bumpy.astype(type), compression='szip', compression_opts=(coding, block))
    for shape in ((7,), (3, 5), (1, 33), (300,), (5, 64), (2, 1100)):
        values = np.cumsum(rng.integers(-2, 3, shape)).reshape(shape)
        for block in (2, 16):
            if block > values.size: continue
            add(f'szip of shape {shape} by {block}', values.astype('<i2'), compression='szip', compression_opts=('nn', block))
    for coding in ('nn', 'ec'):
        add(f'szip {coding} of zeros', np.zeros((40, 90), '<i2'), compression='szip', compression_opts=(coding, 16))
        mostly = np.zeros(9000, '<u2'); mostly[[5, 3000, 8999]] = [1, 60000, 3]
        add(f'szip {coding} of mostly zeros', mostly, compression='szip', compression_opts=(coding, 8))
        add(f'szip {coding} of noise', rng.integers(0, 65536, (20, 30)).astype('<u2'), compression='szip', compression_opts=(coding, 16))
        add(f'szip {coding} of extremes', np.tile(np.array([0, 255, 0, 254, 1, 128, 127, 3], 'u1'), 40), compression='szip', compression_opts=(coding, 8))

    nbit = lambda plist: plist.set_filter(5, 0, ())
    signed, unsigned = rng.integers(-60, 60, (9, 11)), rng.integers(0, 120, (9, 11))
    for base, values, name in ((h5t.STD_I32LE, signed, 'i4le'), (h5t.STD_I32BE, signed, 'i4be'), (h5t.STD_U32LE, unsigned, 'u4le'),
                               (h5t.STD_I16BE, signed, 'i2be'), (h5t.STD_U16LE, unsigned, 'u2le'), (h5t.STD_I64LE, signed, 'i8le'),
                               (h5t.STD_U64BE, unsigned, 'u8be'), (h5t.STD_I8LE, signed, 'i1')):
        size = base.get_size()
        kind = ('u' if base.get_sign() == h5t.SGN_NONE else 'i') + str(size)
        for precision, offset in ((4 * size + 4, 0), (8 * size - 1, 1), (5 * size + 2, size)):
            if size == 1: precision, offset = 7, offset % 2  # libhdf5 refuses types that leave more than half of their bits unused
            type_id = integer(base, precision, offset)
            # libhdf5 2.0 does not extend the sign of big-endian integers whose unused bits are the highest.
            forgets_sign = name.endswith('be') and kind[0] == 'i' and offset == 0
            add(f'nbit {name} {precision} from {offset}', values.astype(kind), type_id, nbit, trust_input=forgets_sign)
            if offset == size: add(f'{precision} bits from {offset} of {name}', values.astype(kind), type_id, lambda plist: plist.set_deflate(1))
    add('nbit where all bits are in use', signed.astype('<i4'), None, nbit)
    narrow = integer(h5t.STD_I16LE, 12, 0)
    odd = h5t.IEEE_F32LE.copy()  # as in the reference manual: 20 bits from bit 7 on
    odd.set_fields(26, 20, 6, 7, 13); odd.set_offset(7); odd.set_precision(20); odd.set_ebias(31); odd.set_size(4)
    few = np.array([0, -0.0, 1, -2.5, 0.1, 1e-3, 100.25, 3e4, -7e4], 'f4')
    add('nbit of floats of 20 bits', few, odd, nbit, lossy=True)
    wide = np.array([0, 1, -1.5, 1e300, -1e-300, np.pi, 2.0 ** 60 + 1, 5e-324, np.nan, np.inf, -np.inf], 'f16')
    add_float('floats of 80 bits', wide, h5t.NATIVE_LDOUBLE)
    quad = h5t.IEEE_F64LE.copy()
    quad.set_size(16); quad.set_precision(128); quad.set_fields(127, 112, 15, 0, 112); quad.set_ebias(16383)
    add_float('floats of 128 bits', wide, quad)
    brain = h5t.IEEE_F32LE.copy()
    brain.set_fields(15, 7, 8, 0, 7); brain.set_precision(16); brain.set_size(2)
    add_float('floats of 16 bits, 8 of them exponent', np.array([0, 1, -3.5, 1e38, np.nan, np.inf, 1e-40], 'f4'), brain)
    array_type = h5t.array_create(narrow, (3,))
    inner = h5t.create(h5t.COMPOUND, 5)
    inner.insert(b'x', 0, integer(h5t.STD_U8LE, 5, 2)); inner.insert(b'y', 1, integer(h5t.STD_I32BE, 19, 3))
    compound = h5t.create(h5t.COMPOUND, 32)
    compound.insert(b'a', 0, integer(h5t.STD_I32LE, 13, 4)); compound.insert(b'b', 4, array_type)
    compound.insert(b'c', 10, inner); compound.insert(b's', 16, h5t.py_create(np.dtype('S4'))); compound.insert(b'd', 24, h5t.IEEE_F64LE)
    add_nbit_record(compound)

    for scale in (0, 5, 12):
        for type in ('<i1', '<u1', '<i2', '>i2', '<i4', '>u4', '<i8', '>i8', '<u8'):
            if scale == 12 and type[2] == '1': continue
            values = (rng.integers(0, 31, (10, 13)) + (0 if type[1] == 'u' else -7)).astype(type)
            add(f'scale-offset {scale} {type}', values, scaleoffset=scale)
    add('scale-offset of one value', np.full((5, 6), 77, '<i4'), scaleoffset=0)
    add('scale-offset of fill', np.full((5, 6), -9, '<i4'), fill=-9, scaleoffset=0)
    holes = bumpy.astype('<i4'); holes[::5, ::3] = -12345
    add('scale-offset with fill', holes, fill=-12345, scaleoffset=0)
    big = (bumpy.astype('<i8') * 2 ** 40 - 2 ** 62); big[3, 4] = 5
    add('scale-offset of long integers', big, scaleoffset=0)
    add('scale-offset with fill of long integers', big, fill=5, scaleoffset=0)
    add('scale-offset of all bits', np.array([-2 ** 63, 2 ** 63 - 1, 0, 5], '<i8'), scaleoffset=0)
    add('scale-offset of the full width', bumpy.astype('<i2'), scaleoffset=16)
    for digits in (0, 2, 4):
        for type in ('<f4', '>f4', '<f8', '>f8'):
            add(f'scale-offset {digits} digits {type}', (smooth / 7).astype(type), scaleoffset=digits, lossy=True)
    decimal = lambda digits: lambda plist: plist.set_scaleoffset(0, digits)
    gaps = (smooth / 3).astype('<f4'); gaps[2::7, 1::4] = np.float32(-99.9)
    for type in ('<f4', '>f4', '<f8', '>f8'):
        add(f'scale-offset with fill of {type}', gaps.astype(type), None, decimal(3), fill=np.float32(-99.9), lossy=True)
    add('scale-offset of floats far apart', np.array([1e30, -1e30, 0, 5], '<f4'), scaleoffset=3, lossy=True)

    for type in ('<i2', '>f4', '<f8', '<u1'):
        add(f'lz4 {type}', bumpy.astype(type), compression=hdf5plugin.LZ4())
        add(f'lz4 in blocks {type}', bumpy.astype(type), compression=hdf5plugin.LZ4(nbytes=256))
        for compression in ('none', 'lz4', 'zstd'):
            add(f'bitshuffle {compression} {type}', bumpy.astype(type), compression=hdf5plugin.Bitshuffle(nelems=0, cname=compression))
            add(f'bitshuffle {compression} {type} in blocks', bumpy.astype(type), compression=hdf5plugin.Bitshuffle(nelems=64, cname=compression))
            add(f'bitshuffle {compression} {type} of 5', bumpy.astype(type).ravel()[:5], compression=hdf5plugin.Bitshuffle(nelems=8, cname=compression))
    add('lz4 of noise', noise, compression=hdf5plugin.LZ4())
    add('bitshuffle of many blocks', np.arange(9001, dtype='<u2'), compression=hdf5plugin.Bitshuffle(cname='zstd'))
    add('bitshuffle of complex numbers', (bumpy + 1j * bumpy.T.reshape(24, 25)).astype('<c8'), compression=hdf5plugin.Bitshuffle(cname='lz4'))
    add('blosc', bumpy.astype('>i4'), compression=hdf5plugin.Blosc(cname='lz4', shuffle=2))
    add('zstd', bumpy.astype('>i4'), compression=hdf5plugin.Zstd())
    add('bz2', bumpy.astype('>i4'), compression=hdf5plugin.BZip2())

    for codec in ('blosclz', 'lz4', 'lz4hc', 'zlib', 'zstd'):
        for filter in (0, 1, 2, 3):
            add(f'blosc2 {codec} {filter}', bumpy.astype('<i4'), compression=hdf5plugin.Blosc2(cname=codec, clevel=5, filters=filter))
    add('blosc2 of doubles', (smooth * 2).round().astype('>f8'), compression=hdf5plugin.Blosc2())
    add('blosc2 of zeros', np.zeros((30, 30), '<f4'), compression=hdf5plugin.Blosc2())
    add('blosc2 of one value', np.full((30, 30), 7.5, '<f4'), compression=hdf5plugin.Blosc2())
    add('blosc2 of noise', noise, compression=hdf5plugin.Blosc2())
    add('blosc2 of many blocks', np.arange(100_000, dtype='<i8').reshape(100, 1000), compression=hdf5plugin.Blosc2(cname='zstd'))
    frames()
    floating_points()

    out = pathlib.Path(__file__).parent / 'hdf5.jsonl'
    out.write_text(''.join(json.dumps(vector) + '\n' for vector in vectors))
    print(len(vectors), 'vectors', out.stat().st_size, 'bytes')


def add_float(id, values, type_id):
    """Kept as float64, which holds all of these."""
    with h5py.File('memory', 'w', driver='core', backing_store=False) as file:
        dataset = h5py.Dataset(h5d.create(file.id, b'd', type_id, h5s.create_simple(values.shape), h5p.create(h5p.DATASET_CREATE)))
        dataset.write_direct(values)
        file.flush()
        offset = dataset.id.get_offset()
        image = file.id.get_file_image()
        stored = image[offset:offset + len(values) * type_id.get_size()]
        value = np.empty(values.shape, 'f8')
        dataset.id.read(h5s.ALL, h5s.ALL, value)
        value[np.isnan(value)] = np.nan  # payloads of NaN are not kept
        record(id, codecs_of(dataset), value, stored)


def add_nbit_record(type_id):
    """Records in one piece, then packed."""
    dtype = np.dtype([('a', '<i4'), ('b', '<i2', (3,)), ('c', [('x', 'u1'), ('y', '<i4')]), ('s', 'S4'), ('d', '<f8')])
    values = np.zeros(17, dtype)
    values['a'] = np.arange(17) * 37 - 300
    values['b'] = rng.integers(-2000, 2000, (17, 3))
    values['c']['x'] = np.arange(17)
    values['c']['y'] = np.arange(17) * 1001 - 9000
    values['s'] = [b'%d' % i for i in range(17)]
    values['d'] = np.sqrt(np.arange(17))
    plist = h5p.create(h5p.DATASET_CREATE)
    plist.set_chunk((17,)); plist.set_filter(5, 0, ())
    with h5py.File('memory', 'w', driver='core', backing_store=False) as file:
        dataset = h5py.Dataset(h5d.create(file.id, b'd', type_id, h5s.create_simple((17,)), plist))
        dataset.id.write(h5s.ALL, h5s.ALL, values, h5t.py_create(dtype))
        file.flush()
        mask, stored = dataset.id.read_direct_chunk((0,))
        # What the filter decodes to: the same records without a filter.
        plain = h5py.Dataset(h5d.create(file.id, b'p', type_id, h5s.create_simple((17,)), h5p.create(h5p.DATASET_CREATE)))
        plain.id.write(h5s.ALL, h5s.ALL, values, h5t.py_create(dtype))
        file.flush()
        offset = plain.id.get_offset()
        image = file.id.get_file_image()[offset:offset + 17 * 32]
        data = [int(word) for word in dataset.id.get_create_plist().get_filter(0)[2]]
        runs = [[24, 8, 1, 0], [16, 1, 4, 0]]
        kept = np.zeros(17, [('d', '<f8'), ('s', 'S4')])
        kept['d'], kept['s'] = values['d'], values['s']
        repack = ['vz.repack', {'recordSize': 32, 'runs': runs}]
        record('nbit of records', [repack, ['bytes', {'endian': 'little'}], ['vz.nbit', {'clientData': data}]], kept, stored)
        whole = {'kind': 'opaque', 'length': 32}
        vectors.append({'id': 'nbit of whole records', 'codecs': [{'name': 'bytes', 'configuration': {}}, {'name': 'vz.nbit', 'configuration': {'clientData': data}}],
                        'dataType': whole, 'shape': [17], 'stored': b64(stored), **content(image)})


def frames():
    """Frames that the filter doesn't write, but PyTables does, or that hold something special."""
    codecs = [['bytes', {'endian': 'little'}], ['vz.blosc2', {}]]
    for shape, chunks, blocks in (((30, 20), (30, 20), (8, 8)), ((7, 9, 11), (7, 9, 11), (3, 4, 5)), ((25, 25), (10, 8), (4, 8)), ((50,), (50,), (16,))):
        array = np.arange(np.prod(shape), dtype='<f4').reshape(shape)
        record(f'blosc2 array {shape} in {chunks} in {blocks}', codecs, array, blosc2.asarray(array, chunks=chunks, blocks=blocks).to_cframe())
    for kind, value in (('ZERO', 0), ('NAN', np.nan)):
        for type in ('<f4', '<f8'):
            schunk = blosc2.SChunk(chunksize=400 * np.dtype(type).itemsize, cparams={'typesize': np.dtype(type).itemsize})
            schunk.fill_special(1000, getattr(blosc2.SpecialValue, kind))
            record(f'blosc2 of special {kind} {type}', codecs, np.frombuffer(schunk[:], type), schunk.to_cframe())
    values = np.cumsum(rng.integers(-5, 6, 3000)).astype('<i4')
    for name, filters in (('delta', [blosc2.Filter.DELTA]), ('delta and shuffle', [blosc2.Filter.DELTA, blosc2.Filter.SHUFFLE]),
                          ('byte delta', [blosc2.Filter.SHUFFLE, blosc2.Filter.BYTEDELTA]), ('truncation', [blosc2.Filter.TRUNC_PREC, blosc2.Filter.SHUFFLE])):
        array = values.astype('<f4') if name == 'truncation' else values
        cparams = {'typesize': 4, 'filters': filters, 'filters_meta': [10 if f == blosc2.Filter.TRUNC_PREC else 4 if f == blosc2.Filter.BYTEDELTA else 0 for f in filters], 'blocksize': 1024}
        schunk = blosc2.SChunk(chunksize=5000, data=array.tobytes(), cparams=cparams)
        record(f'blosc2 with {name}', codecs, np.frombuffer(schunk[:], array.dtype), schunk.to_cframe())


def floating_points():
    """zfp: every mode, type and number of dimensions."""
    Zfp = hdf5plugin.Zfp
    modes = {'reversible': Zfp(reversible=True), 'of a rate': Zfp(rate=9), 'of a precision': Zfp(precision=17),
             'of an accuracy': Zfp(accuracy=1e-3), 'of an expert': Zfp(minbits=30, maxbits=900, maxprec=40, minexp=-30)}
    for mode, options in modes.items():
        for type in ('<f4', '<f8', '<i4', '<i8'):
            if mode == 'of an accuracy' and type[1] == 'i': continue
            for shape in ((17,), (9, 10), (4, 4, 5), (4, 4, 4, 4)):
                size = int(np.prod(shape))
                values = np.cumsum(rng.normal(size=size)) * (1000 if type[1] == 'i' else 1)
                add(f'zfp {mode} {type} {shape}', values.reshape(shape).astype(type), compression=options, lossy=True)
    for name, values in (('zeros', np.zeros(40)), ('extremes', np.array([1e300, -1e-300, 0, 5e-324, 1, np.pi, -1e300, 7.0]))):
        add(f'zfp reversible of {name}', values, compression=Zfp(reversible=True))
        add(f'zfp of {name}', values, compression=Zfp(accuracy=1e-3), lossy=True)


if __name__ == '__main__': main()
