import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { isVirtualZarrError } from '../../../src/errors.ts'
import type { VirtualArray, VirtualNode } from '../../../src/model/virtual-store.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { buildZip, type ZipEntry, type ZipSettings } from './build-zip.ts'
import { arrayAt, at, leaves, type MemoryStore, memoryStore, v2Array, v3Array } from './memory-store.ts'

const GROUP = { zarr_format: 3, node_type: 'group', attributes: { title: 'zipped' } }

function chunk(value: number): Uint8Array {
  return new Uint8Array(24).fill(value)
}

const entries: readonly ZipEntry[] = [
  { name: 'zarr.json', content: GROUP, deflated: true },
  { name: 'a/zarr.json', content: v3Array() },
  { name: 'a/c/0/0', content: chunk(1) },
  { name: 'a/c/1/1', content: chunk(2), localExtra: 9 },
  { name: 'b/zarr.json', content: v3Array() },
  { name: 'b/c/0/1', content: chunk(3), deflated: true },
]

async function openZip(
  list: readonly ZipEntry[],
  settings?: ZipSettings,
): Promise<{ root: VirtualNode; store: MemoryStore }> {
  const store = memoryStore({ 'data.zip': buildZip(list, settings) })
  return { root: await store.open('data.zip'), store }
}

/** The stored bytes of a chunk, with what the archive did to them undone. */
async function chunkBytes(
  array: VirtualArray,
  coords: readonly number[],
  zip: Uint8Array,
): Promise<Uint8Array | undefined> {
  const ref = await asStored(array).chunks.at(coords)
  if (ref.kind === 'missing') return undefined
  assert.ok(ref.kind === 'range' && ref.source === 0)
  const bytes = zip.subarray(ref.offset, ref.offset + ref.length)
  const isDeflated = asStored(array).encodings[ref.encoding]?.at(-1)?.name === 'vz.deflate-raw'
  return isDeflated ? new Uint8Array(inflateRawSync(bytes)) : bytes
}

for (const settings of [
  {},
  { comment: 'a comment PK\u0005\u0006 with a signature' },
  { zip64: true },
  { prefix: 1000 },
]) {
  test(`chunks of a zip archive are found by its directory (${JSON.stringify(settings)})`, async () => {
    const { root, store } = await openZip(entries, settings)
    const zip = store.files.get('data.zip') as Uint8Array
    assert.deepEqual(leaves(root), ['a', 'b'])
    const a = arrayAt(root, 'a')
    assert.deepEqual(await chunkBytes(a, [0, 0], zip), chunk(1))
    assert.deepEqual(await chunkBytes(a, [1, 1], zip), chunk(2))
    assert.equal(await chunkBytes(a, [0, 1], zip), undefined)
    assert.deepEqual(await chunkBytes(arrayAt(root, 'b'), [0, 1], zip), chunk(3))
  })
}

test('a stored member is the range of the document’s own codecs, a deflated one has a codec more', async () => {
  const { root } = await openZip(entries)
  const bytes = { name: 'bytes', configuration: { endian: 'little' } }
  assert.deepEqual(structuredClone(asStored(arrayAt(root, 'a')).encodings), [[bytes]])
  assert.deepEqual(structuredClone(asStored(arrayAt(root, 'b')).encodings), [
    [bytes],
    [bytes, { name: 'vz.deflate-raw', configuration: { size: 24 } }],
  ])
})

test('an array may have members of both sorts', async () => {
  const mixed = [...entries, { name: 'a/c/0/1', content: chunk(9), deflated: true }]
  const { root, store } = await openZip(mixed)
  const a = arrayAt(root, 'a')
  assert.deepEqual(
    asStored(a).encodings.map((encoding) => encoding.length),
    [1, 2],
  )
  assert.deepEqual(await chunkBytes(a, [0, 1], store.files.get('data.zip') as Uint8Array), chunk(9))
})

test('of members with the same name the last one counts', async () => {
  const { root, store } = await openZip([...entries, { name: 'a/c/0/0', content: chunk(7) }])
  const a = arrayAt(root, 'a')
  assert.deepEqual(await chunkBytes(a, [0, 0], store.files.get('data.zip') as Uint8Array), chunk(7))
})

test('the local header of a chunk is read once, when the chunk is first asked for', async () => {
  const { root, store } = await openZip(entries)
  const a = arrayAt(root, 'a')
  const before = store.reads.length
  await asStored(a).chunks.at([0, 0])
  assert.equal(store.reads.length - before, 1)
  assert.equal(store.reads.at(-1)?.length, 30)
  const again = asStored(a).chunks.at([0, 0])
  assert.ok(!(again instanceof Promise))
  assert.equal(store.reads.length - before, 1)
})

test('an array knows whether all of its chunks are in the archive', async () => {
  const full = [0, 1].flatMap((y) => [0, 1].map((x) => ({ name: `a/c/${y}/${x}`, content: chunk(1) })))
  const { root } = await openZip([{ name: 'a/zarr.json', content: v3Array() }, ...full])
  assert.equal(asStored(arrayAt(root, 'a')).chunks.isComplete?.(), true)
  assert.equal(asStored(arrayAt((await openZip(entries)).root, 'a')).chunks.isComplete?.(), false)
})

test('a store in a folder of the archive keeps the folder in its paths', async () => {
  const { root, store } = await openZip([
    { name: 'data.zarr/.zgroup', content: { zarr_format: 2 } },
    { name: 'data.zarr/.zattrs', content: { title: 'below' } },
    { name: 'data.zarr/deep/x/.zarray', content: v2Array() },
    { name: 'data.zarr/deep/x/1.0', content: chunk(4) },
  ])
  assert.deepEqual(leaves(root), ['data.zarr/deep/x'])
  const x = arrayAt(root, 'data.zarr/deep/x')
  assert.deepEqual(await chunkBytes(x, [1, 0], store.files.get('data.zip') as Uint8Array), chunk(4))
})

test('an archive may hold one array at its root', async () => {
  const { root, store } = await openZip([
    { name: '.zarray', content: v2Array({ dimension_separator: '/' }) },
    { name: '0/1', content: chunk(5) },
  ])
  assert.ok(root.kind === 'array')
  assert.deepEqual(await chunkBytes(root, [0, 1], store.files.get('data.zip') as Uint8Array), chunk(5))
})

test('a consolidated document spares reads, but only what is in the archive is there', async () => {
  const metadata = { '.zgroup': { zarr_format: 2 }, 'x/.zarray': v2Array(), 'gone/.zarray': v2Array() }
  const { root, store } = await openZip([
    { name: '.zgroup', content: { zarr_format: 2 } },
    { name: '.zmetadata', content: { zarr_consolidated_format: 1, metadata } },
    { name: 'x/.zarray', content: v2Array() },
    { name: 'new/.zarray', content: v2Array() },
  ])
  assert.deepEqual(leaves(root), ['x', 'new'])
  assert.deepEqual(
    store.warnings.filter((code) => code.startsWith('zip')),
    ['zip-array-absent'],
  )
  // The head, the directory, .zmetadata and the one array that it doesn't know.
  assert.equal(store.reads.length, 4)
})

test('a v3 archive with inline consolidated metadata reads one document', async () => {
  const metadata = { a: v3Array() }
  const { root, store } = await openZip([
    {
      name: 'zarr.json',
      content: { ...GROUP, consolidated_metadata: { kind: 'inline', must_understand: false, metadata } },
    },
    { name: 'a/zarr.json', content: v3Array() },
  ])
  assert.deepEqual(leaves(root), ['a'])
  assert.equal(store.reads.length, 3)
})

test('names without the UTF-8 flag are code page 437', async () => {
  const name = Uint8Array.from([0x81, 0x2f, ...new TextEncoder().encode('zarr.json')])
  const { root } = await openZip([{ name: '', nameBytes: name, flags: 0, content: v3Array() }])
  assert.deepEqual(leaves(root), ['ü'])
})

test('an encrypted chunk or an unknown method skips its array and names the reason', async () => {
  const { root } = await openZip([
    { name: 'a/zarr.json', content: v3Array() },
    { name: 'a/c/0/0', content: chunk(1), flags: 0x801 },
    { name: 'b/zarr.json', content: v3Array() },
    { name: 'b/c/0/0', content: chunk(1), method: 93 },
    { name: 'c/zarr.json', content: v3Array() },
  ])
  assert.deepEqual(at(root, 'a'), {
    kind: 'skipped',
    code: 'unsupported-feature',
    reason: 'zip encryption is not served',
    dataDimensions: [],
  })
  assert.deepEqual(at(root, 'b'), {
    kind: 'skipped',
    code: 'unsupported-feature',
    reason: 'zip method 93 is not served',
    dataDimensions: [],
  })
  assert.equal(at(root, 'c').kind, 'array')
})

test('a member outside the hierarchy is passed over and reported', async () => {
  const { root, store } = await openZip([...entries, { name: '../evil/zarr.json', content: v3Array() }])
  assert.deepEqual(leaves(root), ['a', 'b'])
  assert.deepEqual(
    store.warnings.filter((code) => code.startsWith('zip')),
    ['zip-member-ignored'],
  )
})

const refused: readonly (readonly [string, string, () => Uint8Array])[] = [
  ['an empty archive', 'unknown-format', () => buildZip([])],
  ['an archive of something else', 'unknown-format', () => buildZip([{ name: 'word/document.xml', content: '<x/>' }])],
  ['an archive without its end', 'malformed-source', () => buildZip(entries).subarray(0, -30)],
  [
    'a checksum that is not the content’s',
    'malformed-source',
    () => buildZip([{ name: 'zarr.json', content: GROUP, claims: { crc: 1 } }]),
  ],
  [
    'a member that inflates to more than it says',
    'malformed-source',
    () =>
      buildZip([
        { name: 'zarr.json', content: { ...GROUP, big: 'x'.repeat(9999) }, deflated: true, claims: { size: 50 } },
      ]),
  ],
  [
    'a member beyond the archive',
    'malformed-source',
    () => buildZip([{ name: 'zarr.json', content: GROUP, claims: { offset: 9_999_999 } }]),
  ],
  [
    'a document of more than 64 MiB',
    'limit-exceeded',
    () => buildZip([{ name: 'zarr.json', content: GROUP, claims: { size: 2 ** 30 } }]),
  ],
  [
    'an encrypted root document',
    'unsupported-feature',
    () => buildZip([{ name: 'zarr.json', content: GROUP, flags: 1 }]),
  ],
]

for (const [what, code, zip] of refused) {
  test(`${what} is refused as ${code}`, async () => {
    await assert.rejects(memoryStore({ 'x.zip': zip() }).open('x.zip'), (error) =>
      isVirtualZarrError(error, code as 'malformed-source'),
    )
  })
}

test('overlapping members can’t make the server inflate without bound', async () => {
  const big = { name: 'zarr.json', content: { ...GROUP, filler: ' '.repeat(2 ** 20) }, deflated: true }
  const claims = { size: 60 * 2 ** 20 }
  const list = ['a', 'b', 'c'].map((name) => ({ ...big, name: `${name}/zarr.json`, claims }))
  await assert.rejects(openZip(list), (error) => isVirtualZarrError(error, 'limit-exceeded'))
})

test('a chunk takes at most 20 bytes of memory, whatever its name', async () => {
  const side = 1000
  const shape = [side, side]
  const document = v3Array({ shape, chunk_grid: { name: 'regular', configuration: { chunk_shape: [1, 1] } } })
  const list: ZipEntry[] = [{ name: 'a/zarr.json', content: document }]
  const content = new Uint8Array(1)
  for (let y = 0; y < side / 10; y++) for (let x = 0; x < side; x++) list.push({ name: `a/c/${y}/${x}`, content })
  const { root } = await openZip(list, { zip64: true })
  const { chunks } = asStored(arrayAt(root, 'a'))
  assert.ok(chunks.weight() / (list.length - 1) <= 20, `${chunks.weight()} bytes`)
  assert.equal((await chunks.at([99, 999])).kind, 'range')
  assert.equal((await chunks.at([100, 0])).kind, 'missing')
})

test('a damaged archive is an error of ours, whatever byte was changed', async () => {
  const zip = buildZip(entries, { zip64: true, comment: 'x' })
  let state = 7
  const random = (below: number) => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return state % below
  }
  for (let round = 0; round < 2000; round++) {
    const damaged = zip.slice(0, round % 3 === 0 ? 1 + random(zip.length) : zip.length)
    for (let change = 0; change <= random(4); change++) damaged[random(damaged.length)] = random(256)
    try {
      const root = await memoryStore({ 'x.zip': Buffer.concat([Buffer.from('PK\x03\x04'), damaged.subarray(4)]) }).open(
        'x.zip',
      )
      for (const path of leaves(root)) {
        const member = at(root, path)
        if (member.kind === 'array') await asStored(member).chunks.at(asStored(member).chunks.gridShape.map(() => 0))
      }
    } catch (error) {
      assert.ok(isVirtualZarrError(error), `round ${round}: ${error instanceof Error ? error.stack : error}`)
    }
  }
})
