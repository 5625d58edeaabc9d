import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { zarr } from '../../../src/formats/zarr/index.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { arrayAt, at, groupAt, leaves, memoryStore, v2Array, v3Array } from './memory-store.ts'
import { readValues } from './read-values.ts'

const GROUP2 = { zarr_format: 2 }
const group3 = (members: object = {}) => ({ zarr_format: 3, node_type: 'group', attributes: {}, ...members })
const inline = (metadata: object) => ({ consolidated_metadata: { kind: 'inline', must_understand: false, metadata } })
const zmetadata = (metadata: object) => ({ zarr_consolidated_format: 1, metadata })

const bytes = (text: string) => new TextEncoder().encode(text)

test('recognises zip archives anywhere, and JSON under the name of a metadata document', () => {
  const anywhere = new URL('https://data.example/a.bin')
  assert.equal(zarr.recognises(bytes('PK\u0003\u0004'), anywhere), true)
  assert.equal(zarr.recognises(bytes('PK\u0005\u0006'), anywhere), true)
  assert.equal(zarr.recognises(bytes('PK\u0007\u0008'), anywhere), false)
  for (const name of ['zarr.json', '.zmetadata', '.zgroup', '.zarray']) {
    assert.equal(zarr.recognises(bytes(' \n{'), new URL(`https://data.example/s/${name}?x=1`)), true)
    assert.equal(zarr.recognises(bytes('<html>'), new URL(`https://data.example/s/${name}`)), false)
  }
  assert.equal(zarr.recognises(bytes('{'), new URL('https://data.example/s/.zattrs')), false)
  assert.equal(zarr.recognises(new Uint8Array(), anywhere), false)
})

test('a consolidated v2 store costs no request besides its document', async () => {
  const store = memoryStore({
    '.zmetadata': zmetadata({
      '.zgroup': GROUP2,
      '.zattrs': { title: 't' },
      'a/b/.zarray': v2Array(),
      'a/b/.zattrs': { units: 'K' },
    }),
  })
  const root = await store.open('.zmetadata')
  assert.deepEqual(store.requests, [])
  assert.equal(groupAt(root, '').attributes.get('title'), 't')
  assert.equal(arrayAt(root, 'a/b').attributes.get('units'), 'K')
})

test('a consolidated v3 store costs no request besides its document, flat or nested', async () => {
  for (const metadata of [
    { g: group3(), 'g/x': v3Array() },
    { g: group3(inline({ x: v3Array() })) },
    { 'g/x': v3Array() },
  ]) {
    const store = memoryStore({ 'zarr.json': group3(inline(metadata)) })
    assert.deepEqual(leaves(await store.open('zarr.json')), ['g/x'])
    assert.deepEqual(store.requests, [])
  }
})

test('chunks are objects below the array’s folder, by arithmetic', async () => {
  const store = memoryStore({
    'zarr.json': group3(
      inline({
        'some dir/x': v3Array(),
        dotted: v3Array({ chunk_key_encoding: { name: 'default', configuration: { separator: '.' } } }),
        v2keys: v3Array({ chunk_key_encoding: { name: 'v2' } }),
        scalar: v3Array({ shape: [], chunk_grid: { name: 'regular', configuration: { chunk_shape: [] } } }),
      }),
    ),
  })
  const root = await store.open('zarr.json')
  const url = async (path: string, coords: number[]) => {
    const ref = await asStored(arrayAt(root, path)).chunks.at(coords)
    assert.ok(ref.kind === 'object')
    return `${store.references[ref.source]}${ref.key}`
  }
  assert.equal(await url('some dir/x', [1, 0]), 'https://data.example/some/store/some%20dir/x/c/1/0')
  assert.equal(await url('dotted', [1, 0]), 'https://data.example/some/store/dotted/c.1.0')
  assert.equal(await url('v2keys', [1, 0]), 'https://data.example/some/store/v2keys/1.0')
  assert.equal(await url('scalar', []), 'https://data.example/some/store/scalar/c')
  assert.deepEqual(asStored(arrayAt(root, 'dotted')).chunks.gridShape, [2, 2])
  assert.equal(asStored(arrayAt(root, 'dotted')).chunks.isComplete, undefined)
  assert.deepEqual(store.requests, [])
})

test('an array alone is the root, with the attributes beside it', async () => {
  const v2 = memoryStore({ '.zarray': v2Array(), '.zattrs': { units: 'K' } })
  const array = await v2.open('.zarray')
  assert.ok(array.kind === 'array')
  assert.equal(array.attributes.get('units'), 'K')
  assert.deepEqual(v2.requests, ['.zattrs'])
  const ref = await asStored(array).chunks.at([1, 1])
  assert.ok(ref.kind === 'object' && ref.key === '1.1')
  assert.deepEqual(v2.references, ['https://data.example/some/store/'])
  const v3 = memoryStore({ 'zarr.json': v3Array() })
  assert.equal((await v3.open('zarr.json')).kind, 'array')
  assert.deepEqual(v3.requests, [])
})

test('a v3 group without consolidated metadata is listed, folder by folder', async () => {
  const store = memoryStore({
    'zarr.json': group3(),
    'g/zarr.json': group3({ attributes: { deep: 1 } }),
    'g/x/zarr.json': v3Array(),
    'g/x/c/0/0': 'a chunk',
    'y/zarr.json': v3Array(),
    'h/zarr.json': group3(inline({ z: v3Array() })),
    'junk/file': '',
  })
  const root = await store.open('zarr.json')
  assert.deepEqual(leaves(root).sort(), ['g/x', 'h/z', 'y'])
  assert.equal(groupAt(root, 'g').attributes.get('deep'), 1)
  assert.deepEqual(
    store.warnings.filter((code) => code.startsWith('folder')),
    ['folder-without-metadata junk'],
  )
  // Arrays are not listed: their folders may hold a million chunks.
  assert.deepEqual(
    store.requests.filter((request) => request.startsWith('list')),
    ['list ', 'list g/'],
  )
})

test('a v2 group without consolidated metadata is listed, and asked for what listings hide', async () => {
  const store = memoryStore({
    '.zgroup': GROUP2,
    '.zattrs': { title: 't' },
    'g/.zgroup': GROUP2,
    'g/x y/.zarray': v2Array(),
    'g/x y/.zattrs': { units: 'K' },
    'g/x y/0.0': 'a chunk',
  })
  const root = await store.open('.zgroup')
  assert.deepEqual(leaves(root), ['g/x y'])
  assert.equal(groupAt(root, '').attributes.get('title'), 't')
  assert.equal(arrayAt(root, 'g/x y').attributes.get('units'), 'K')
  assert.deepEqual(
    store.requests.filter((request) => request.startsWith('list')),
    ['list ', 'list g/'],
  )
})

test('a URL of .zgroup finds the consolidated metadata beside it', async () => {
  const store = memoryStore(
    { '.zgroup': GROUP2, '.zmetadata': zmetadata({ 'x/.zarray': v2Array() }) },
    { lists: false },
  )
  assert.deepEqual(leaves(await store.open('.zgroup')), ['x'])
})

test('without a listing the answer names consolidation', async () => {
  for (const [key, document] of [
    ['zarr.json', group3()],
    ['.zgroup', GROUP2],
  ] as const) {
    await assert.rejects(memoryStore({ [key]: document }, { lists: false }).open(key), (error) => {
      return isVirtualZarrError(error, 'unsupported-feature') && /consolidat/.test(error.message)
    })
  }
})

test('one bad array is skipped with its reason, the others are served', async () => {
  const metadata = {
    '.zgroup': GROUP2,
    'good/.zarray': v2Array(),
    'quad/.zarray': v2Array({ dtype: '<f16' }),
    'text/.zarray': v2Array({ dtype: '!b1' }),
    'list/.zarray': [],
    'shape/.zarray': v2Array({ shape: [4, -5] }),
  }
  const store = memoryStore({ '.zmetadata': zmetadata(metadata) })
  const root = await store.open('.zmetadata')
  const codeOf = (path: string) => {
    const member = at(root, path)
    return member.kind === 'skipped' ? member.code : member.kind
  }
  assert.deepEqual(['good', 'quad', 'text', 'list', 'shape'].map(codeOf), [
    'array',
    'unsupported-feature',
    'malformed-source',
    'malformed-source',
    'malformed-source',
  ])
  assert.equal(store.warnings.filter((code) => code.startsWith('array-skipped')).length, 4)
})

test('a broken document in a folder is one skipped array', async () => {
  const store = memoryStore({ 'zarr.json': group3(), 'x/zarr.json': '{"zarr_format": 3,', 'y/zarr.json': v3Array() })
  const root = await store.open('zarr.json')
  assert.equal(at(root, 'x').kind, 'skipped')
  assert.equal(at(root, 'y').kind, 'array')
})

test('a broken root is an error', async () => {
  for (const document of ['{', '[]', '{}', '{"zarr_format":2,"node_type":"array"}', '\xff']) {
    await assert.rejects(memoryStore({ 'zarr.json': document }).open('zarr.json'), (error) => isVirtualZarrError(error))
  }
})

test('paths that lead out of the store are refused', async () => {
  for (const path of ['../x', 'a/../../x', '/x', 'a//x', './x', 'a\0b', '\ud800']) {
    const v2 = memoryStore({ '.zmetadata': zmetadata({ [`${path}/.zarray`]: v2Array() }) })
    await assert.rejects(v2.open('.zmetadata'), (error) => isVirtualZarrError(error, 'malformed-source'), path)
    const v3 = memoryStore({ 'zarr.json': group3(inline({ [path]: v3Array() })) })
    await assert.rejects(v3.open('zarr.json'), (error) => isVirtualZarrError(error, 'malformed-source'), path)
  }
})

test('names that mean something in a URL or to JavaScript are only names', async () => {
  const store = memoryStore({
    'zarr.json': `{"zarr_format":3,"node_type":"group","consolidated_metadata":{"kind":"inline","metadata":{"__proto__":${JSON.stringify(v3Array())},"a?b#c%2f..":${JSON.stringify(v3Array())}}}}`,
  })
  const root = await store.open('zarr.json')
  assert.deepEqual(leaves(root), ['__proto__', 'a?b#c%2f..'])
  assert.deepEqual(store.references, [
    'https://data.example/some/store/__proto__/',
    'https://data.example/some/store/a%3Fb%23c%252f../',
  ])
})

test('a node below an array is passed over and reported', async () => {
  const store = memoryStore({ 'zarr.json': group3(inline({ a: v3Array(), 'a/b': v3Array() })) })
  assert.deepEqual(leaves(await store.open('zarr.json')), ['a'])
  assert.ok(store.warnings.includes('node-below-array a/b'))
})

test('an endless hierarchy ends with an error', async () => {
  const deep = Array.from({ length: 100 }, () => 'a').join('/')
  const store = memoryStore({ 'zarr.json': group3(inline({ [deep]: v3Array() })) })
  await assert.rejects(store.open('zarr.json'), (error) => isVirtualZarrError(error, 'malformed-source'))
})

test('a query of the document’s URL does not follow its chunks', async () => {
  const store = memoryStore({ 'zarr.json?sig=secret': v3Array() })
  await store.open('zarr.json?sig=secret')
  assert.deepEqual(store.references, ['https://data.example/some/store/'])
})

test('a damaged document is an error of ours, whatever byte was changed', async () => {
  const metadata = {
    '.zgroup': GROUP2,
    'x/.zarray': v2Array({ filters: [{ id: 'delta', dtype: '<f4' }], compressor: { id: 'blosc', shuffle: -1 } }),
    'x/.zattrs': { _ARRAY_DIMENSIONS: ['y', 'x'], _FillValue: 1 },
  }
  const documents = [
    ['.zmetadata', JSON.stringify(zmetadata(metadata))],
    [
      'zarr.json',
      JSON.stringify(
        group3(
          inline({
            x: v3Array({
              codecs: [
                {
                  name: 'sharding_indexed',
                  configuration: { chunk_shape: [1, 1], codecs: ['bytes'], index_codecs: ['bytes', 'crc32c'] },
                },
              ],
            }),
          }),
        ),
      ),
    ],
  ] as const
  let state = 11
  const random = (below: number) => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return state % below
  }
  const pieces = ['0', '-1', '1e999', 'null', '"', '[', '{}', '9007199254740993', 'NaN', '"F"', '[[]]', ',']
  for (let round = 0; round < 4000; round++) {
    const [key, text] = documents[round % 2] ?? documents[0]
    const position = random(text.length)
    const damaged = text.slice(0, position) + pieces[random(pieces.length)] + text.slice(position + random(8))
    try {
      const root = await memoryStore({ [key]: damaged }, { lists: false }).open(key)
      for (const path of leaves(root)) {
        const member = at(root, path)
        if (member.kind === 'array') await asStored(member).chunks.at(asStored(member).chunks.gridShape.map(() => 0))
      }
    } catch (error) {
      assert.ok(isVirtualZarrError(error), `${damaged}: ${error instanceof Error ? error.stack : error}`)
    }
  }
})

test('a filter of another type than its array works on the bits, as numcodecs does', async () => {
  const values = Float64Array.of(-2, 0.1, 3, -1e300)
  const bits = new BigInt64Array(values.buffer)
  const differences = bits.map((value, at) => BigInt.asIntN(64, value - (at === 0 ? 0n : (bits[at - 1] ?? 0n))))
  const halves = new Int32Array(values.buffer)
  const steps = halves.map((value, at) => (value - (at === 0 ? 0 : (halves[at - 1] ?? 0))) | 0)
  const zarray = (dtype: string, filter: string) =>
    v2Array({ shape: [4], chunks: [4], dtype, fill_value: 0, filters: [{ id: 'delta', dtype: filter }] })
  const store = memoryStore({
    '.zgroup': GROUP2,
    'a/.zarray': zarray('<f8', '<i8'),
    'a/0': new Uint8Array(differences.buffer),
    'b/.zarray': zarray('<f8', '<i4'),
    'b/0': new Uint8Array(steps.buffer),
    'c/.zarray': zarray('>f8', '>i8'),
    'c/0': Buffer.from(new Uint8Array(differences.buffer)).swap64(),
  })
  const root = await store.open('.zgroup')
  for (const path of ['a', 'b', 'c']) {
    const read = await readValues(arrayAt(root, path), store)
    assert.ok(read.kind === 'fixed')
    assert.deepEqual(Buffer.from(read.bytes), Buffer.from(values.buffer), path)
  }
})
