import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Profile, Way } from '../../src/delivery/delivery.ts'
import { planDelivery } from '../../src/delivery/plan.ts'
import type { DataType } from '../../src/model/data-type.ts'
import type { Encoding, StoredCodec } from '../../src/model/encoding.ts'
import type { VirtualArray } from '../../src/model/virtual-store.ts'
import { asStored } from '../helpers/stored-array.ts'
import { BIG, codec, FLOAT32, INT16, LITTLE, virtualArray, ZLIB } from './world.ts'

const TEXT: DataType = { kind: 'string' }
const VLEN = codec('vlen-utf8')
const SHARDS = codec('sharding_indexed', {
  chunk_shape: [2, 2],
  codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
  index_codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'crc32c' }],
  index_location: 'end',
})

function plan(dataType: DataType, profile: Profile, ...encodings: (readonly StoredCodec[])[]) {
  const fields = { shape: [8, 8], chunkShape: [4, 4], dataType, encodings }
  return planned(virtualArray(fields, []), profile)
}

function planned(array: VirtualArray, profile: Profile) {
  const { codecs, ways } = planDelivery(array, profile)
  return {
    codecs: codecs.map(spelled).join(' '),
    ways: ways.map((way, place) => named(way, asStored(array).encodings[place] ?? [])).join(' '),
  }
}

function spelled({ name, configuration }: StoredCodec): string {
  if (name === 'bytes') return String(configuration['endian'])
  return name === 'transpose' ? `transpose(${String(configuration['order'])})` : name
}

function named(way: Way, encoding: Encoding): string {
  if (way.kind === 'peel') {
    const outer = 1 + encoding.findLastIndex(({ name }) => name === 'bytes' || name === 'vlen-utf8')
    return `peel(${encoding.slice(outer + way.kept).map(({ name }) => name)})`
  }
  if (way.kind === 'recode') return 'recode'
  const { leading, trailing } = way.cut
  const cut = leading + trailing === 0 ? '' : `-${leading}-${trailing}`
  return way.kind === 'pass' ? `pass${cut}` : `${way.frame.stream}${way.frame.shuffled ? '+shuffle' : ''}${cut}`
}

const shuffled = (size: number) => codec('numcodecs.shuffle', { elementsize: size })
const order = (...axes: number[]) => codec('transpose', { order: axes })

const rows: readonly (readonly [
  string,
  DataType,
  readonly StoredCodec[],
  Record<Profile, readonly [string, string]>,
])[] = [
  ['raw', INT16, [LITTLE], { portable: ['little', 'pass'], native: ['little', 'pass'], raw: ['little', 'pass'] }],
  ['big-endian (DM-10)', INT16, [BIG], { portable: ['big', 'pass'], native: ['big', 'pass'], raw: ['big', 'pass'] }],
  [
    'zlib',
    INT16,
    [BIG, ZLIB],
    {
      portable: ['big blosc', 'zlib'],
      native: ['big numcodecs.zlib', 'pass'],
      raw: ['big', 'peel(numcodecs.zlib)'],
    },
  ],
  [
    'shuffle and zlib',
    INT16,
    [LITTLE, shuffled(2), ZLIB],
    {
      portable: ['little blosc', 'zlib+shuffle'],
      native: ['little numcodecs.shuffle numcodecs.zlib', 'pass'],
      raw: ['little', 'peel(numcodecs.shuffle,numcodecs.zlib)'],
    },
  ],
  [
    'shuffle, zlib and fletcher32 (DM-12)',
    INT16,
    [LITTLE, shuffled(2), ZLIB, codec('numcodecs.fletcher32')],
    {
      portable: ['little blosc', 'zlib+shuffle-0-4'],
      native: ['little numcodecs.shuffle numcodecs.zlib numcodecs.fletcher32', 'pass'],
      raw: ['little', 'peel(numcodecs.shuffle,numcodecs.zlib,numcodecs.fletcher32)'],
    },
  ],
  [
    'fletcher32 inside zlib',
    INT16,
    [LITTLE, codec('numcodecs.fletcher32'), ZLIB],
    {
      portable: ['little blosc', 'recode'],
      native: ['little numcodecs.fletcher32 numcodecs.zlib', 'pass'],
      raw: ['little', 'peel(numcodecs.fletcher32,numcodecs.zlib)'],
    },
  ],
  [
    'raw and crc32c',
    INT16,
    [LITTLE, codec('crc32c')],
    {
      portable: ['little', 'pass-0-4'],
      native: ['little crc32c', 'pass'],
      raw: ['little', 'pass-0-4'],
    },
  ],
  [
    'lz4',
    INT16,
    [LITTLE, codec('numcodecs.lz4')],
    {
      portable: ['little blosc', 'lz4-4-0'],
      native: ['little numcodecs.lz4', 'pass'],
      raw: ['little', 'peel(numcodecs.lz4)'],
    },
  ],
  [
    'gzip under its numcodecs name',
    INT16,
    [LITTLE, codec('numcodecs.gzip', { level: -1 })],
    {
      portable: ['little gzip', 'pass'],
      native: ['little gzip', 'pass'],
      raw: ['little', 'peel(numcodecs.gzip)'],
    },
  ],
  [
    'blosc with snappy',
    INT16,
    [LITTLE, codec('blosc', { cname: 'snappy' })],
    {
      portable: ['little blosc', 'recode'],
      native: ['little blosc', 'pass'],
      raw: ['little', 'peel(blosc)'],
    },
  ],
  [
    'bz2',
    INT16,
    [LITTLE, codec('numcodecs.bz2')],
    {
      portable: ['little blosc', 'recode'],
      native: ['little numcodecs.bz2', 'pass'],
      raw: ['little', 'peel(numcodecs.bz2)'],
    },
  ],
  [
    'delta',
    INT16,
    [codec('numcodecs.delta', { dtype: '<i2' }), LITTLE, ZLIB],
    {
      portable: ['little blosc', 'recode'],
      native: ['numcodecs.delta little numcodecs.zlib', 'pass'],
      raw: ['little', 'recode'],
    },
  ],
  [
    'a transpose that is its own inverse',
    INT16,
    [order(1, 0), BIG, ZLIB],
    {
      portable: ['transpose(1,0) big blosc', 'zlib'],
      native: ['transpose(1,0) big numcodecs.zlib', 'pass'],
      raw: ['little', 'recode'],
    },
  ],
  [
    'the deprecated F order',
    INT16,
    [codec('transpose', { order: 'F' }), LITTLE],
    {
      portable: ['transpose(1,0) little', 'pass'],
      native: ['transpose(1,0) little', 'pass'],
      raw: ['little', 'recode'],
    },
  ],
  [
    'shards',
    INT16,
    [SHARDS],
    {
      portable: ['sharding_indexed', 'pass'],
      native: ['sharding_indexed', 'pass'],
      raw: ['little', 'recode'],
    },
  ],
  [
    'text',
    TEXT,
    [VLEN],
    { portable: ['vlen-utf8', 'pass'], native: ['vlen-utf8', 'pass'], raw: ['vlen-utf8', 'pass'] },
  ],
  [
    'text in zlib',
    TEXT,
    [VLEN, ZLIB],
    {
      portable: ['vlen-utf8 zstd', 'recode'],
      native: ['vlen-utf8 numcodecs.zlib', 'pass'],
      raw: ['vlen-utf8', 'peel(numcodecs.zlib)'],
    },
  ],
  [
    'text of fixed length',
    TEXT,
    [codec('vz.text', { encoding: 'bytes', length: 5 }), LITTLE, ZLIB],
    {
      portable: ['vlen-utf8 zstd', 'recode'],
      native: ['vlen-utf8', 'recode'],
      raw: ['vlen-utf8', 'recode'],
    },
  ],
]

for (const [name, dataType, encoding, expected] of rows) {
  for (const profile of ['portable', 'native', 'raw'] as const) {
    test(`an array stored as ${name} is served ${profile} as ${expected[profile].join(', ')}`, () => {
      const { codecs, ways } = plan(dataType, profile, encoding)
      assert.deepEqual([codecs, ways], expected[profile])
    })
  }
}

test('an order that is not its own inverse is recoded in portable and declared in native', () => {
  const fields = { shape: [4, 4, 4], chunkShape: [4, 4, 4], dataType: INT16, encodings: [[order(1, 2, 0), LITTLE]] }
  const array = virtualArray(fields, [])
  assert.deepEqual(planned(array, 'portable'), { codecs: 'little blosc', ways: 'recode' })
  assert.deepEqual(planned(array, 'native'), { codecs: 'transpose(1,2,0) little', ways: 'pass' })
})

test('the odd chunk never costs an array its pass-through', () => {
  const usual = [LITTLE, shuffled(2), ZLIB]
  assert.deepEqual(
    plan(INT16, 'portable', usual, [LITTLE, ZLIB], [LITTLE], [BIG, ZLIB], [LITTLE, codec('numcodecs.bz2')]),
    {
      codecs: 'little blosc',
      ways: 'zlib+shuffle zlib raw recode recode',
    },
  )
  assert.deepEqual(plan(INT16, 'native', usual, [LITTLE, ZLIB]), {
    codecs: 'little numcodecs.shuffle numcodecs.zlib',
    ways: 'pass recode',
  })
  assert.deepEqual(plan(INT16, 'portable', [LITTLE], [LITTLE, ZLIB]), { codecs: 'little blosc', ways: 'raw zlib' })
  assert.deepEqual(plan(INT16, 'portable', [LITTLE, codec('gzip')], [LITTLE]), {
    codecs: 'little gzip',
    ways: 'pass recode',
  })
})

test('what can not be written again is served uncompressed where an odd chunk needs writing', () => {
  assert.deepEqual(plan(INT16, 'native', [LITTLE, codec('numcodecs.bz2')], [LITTLE]), {
    codecs: 'little',
    ways: 'peel(numcodecs.bz2) pass',
  })
})

test('an array without stored chunks needs no codec', () => {
  assert.deepEqual(plan(FLOAT32, 'portable'), { codecs: 'little', ways: '' })
  assert.deepEqual(plan(TEXT, 'portable'), { codecs: 'vlen-utf8', ways: '' })
})

test('an unknown codec is named, and refused under every profile', () => {
  for (const profile of ['portable', 'native', 'raw'] as const) {
    assert.throws(
      () => plan(INT16, profile, [LITTLE], [LITTLE, codec('numcodecs.unheard-of')]),
      (error: Error) => {
        assert.match(error.message, /numcodecs\.unheard-of/)
        return 'code' in error && error.code === 'unsupported-feature'
      },
    )
  }
})

test('a type that not every client knows is refused in portable', () => {
  for (const type of [{ kind: 'bytes' }, { kind: 'opaque', length: 3 }] as const) {
    assert.throws(() => plan(type, 'portable'), { code: 'unsupported-feature' })
  }
})

test('items of more than 255 bytes are enveloped unshuffled, and recoded shuffled', () => {
  const wide: DataType = { kind: 'complex', bits: 128 }
  assert.equal(plan(wide, 'portable', [LITTLE, shuffled(300), ZLIB]).ways, 'recode')
  assert.equal(plan(wide, 'portable', [LITTLE, shuffled(16), ZLIB]).ways, 'zlib+shuffle')
})

test('chunks beyond what a Blosc block or the memory holds pass where they can, and are refused by name where not', () => {
  const side = 2 ** 15
  const huge = (encoding: readonly StoredCodec[]) =>
    virtualArray({ shape: [side, side], chunkShape: [side, side], dataType: INT16, encodings: [encoding] }, [])
  assert.deepEqual(planned(huge([LITTLE]), 'portable'), { codecs: 'little', ways: 'pass' })
  assert.deepEqual(planned(huge([LITTLE, ZLIB]), 'native'), { codecs: 'little numcodecs.zlib', ways: 'pass' })
  assert.throws(() => planned(huge([LITTLE, ZLIB]), 'portable'), { code: 'limit-exceeded' })
})

test('every codec has its configuration, spelled as all clients take it', () => {
  const codecs = (dataType: DataType, ...encoding: StoredCodec[]) =>
    planDelivery(virtualArray({ shape: [4], chunkShape: [4], dataType, encodings: [encoding] }, []), 'portable').codecs
  const byte: DataType = { kind: 'uint', bits: 8 }
  assert.deepEqual(codecs(byte, codec('bytes')), [{ name: 'bytes', configuration: { endian: 'little' } }])
  assert.deepEqual(codecs(INT16, LITTLE, codec('numcodecs.zstd', { level: 3 }))[1], {
    name: 'zstd',
    configuration: { level: 3, checksum: false },
  })
  assert.deepEqual(
    codecs(byte, codec('bytes'), codec('numcodecs.blosc', { cname: 'lz4', clevel: 5, shuffle: -1 }))[1],
    {
      name: 'blosc',
      configuration: { typesize: 1, cname: 'lz4', clevel: 5, shuffle: 'bitshuffle', blocksize: 0 },
    },
  )
  assert.deepEqual(codecs(FLOAT32, LITTLE, ZLIB)[1], {
    name: 'blosc',
    configuration: { typesize: 4, cname: 'zstd', clevel: 1, shuffle: 'shuffle', blocksize: 0 },
  })
})
