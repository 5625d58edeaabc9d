import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { Float } from '../../../src/json/json.ts'
import { parseJson } from '../../../src/json/parse.ts'
import type { VirtualGroup } from '../../../src/model/virtual-store.ts'
import { list, member, object } from '../../corpus/golden.ts'
import { hashOf } from '../../corpus/values.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { arrayAt } from '../../helpers/members.ts'
import { processorMilliseconds } from '../../helpers/processor-time.ts'
import { readWithZarrita } from '../../helpers/read-with-zarrita.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { type BuiltField, buildTiff, dataStart, greyFields } from './build.ts'
import { parseTiff } from './parse.ts'
import { type FolderStores, numbersOf, storesOf } from './store.ts'

const FOLDER = new URL('../../fixtures/tiff-stacks/', import.meta.url)
const golden = object(member(parseJson(readFileSync(new URL('golden.json', FOLDER), 'utf8')), 'files'))

let stores: FolderStores
before(() => {
  stores = storesOf(FOLDER)
})
after(() => stores.close())

describe('TEST-1: stacks of OME-TIFF and ImageJ are one array, as tifffile reads them', () => {
  for (const [file, entry] of Object.entries(golden)) {
    for (const codecs of ['portable', 'native', 'raw']) {
      test(`${file} in ${codecs}`, async () => {
        const store = stores.open(file, { codecs })
        for (const [path, expected] of Object.entries(object(member(entry, 'arrays')))) {
          const document = await store.document(path)
          assert.deepEqual(document['dimension_names'], list(member(expected, 'dimensions')), path)
          assert.deepEqual(document['shape'], list(member(expected, 'shape')), path)
          assert.equal(document['data_type'], member(expected, 'dtype'), path)
          const bytes = await numbersOf(store, path)
          assert.equal(hashOf({ kind: 'fixed', bytes }), member(expected, 'sha256'), `values of ${path}`)
          const values = codecs === 'native' ? undefined : await readWithZarrita(store, path)
          if (values !== undefined) assert.equal(hashOf(values), member(expected, 'sha256'), `${path} in zarrita`)
        }
      })
    }
  }
})

test('layout=levels has the same stacks, one group further down, and no array beside groups', async () => {
  for (const [file, entry] of Object.entries(golden)) {
    const store = stores.open(file, { layout: 'levels' })
    for (const [path, expected] of Object.entries(object(member(entry, 'arrays')))) {
      const groups = path.split('/').slice(0, -1)
      if (!/^\d+$/.test(groups.at(-1) ?? '')) groups.push('0')
      const bytes = await numbersOf(store, [...groups, path.split('/').at(-1)].join('/'))
      assert.equal(hashOf({ kind: 'fixed', bytes }), member(expected, 'sha256'), `${file}: ${path}`)
    }
    const { nodes } = (await store.describe()).store
    for (const [path, node] of nodes) {
      if (node.kind !== 'array' || path.includes('/')) continue
      assert.fail(`${file} has the array ${path} at its root`)
    }
  }
})

interface StackOptions {
  readonly description: string
  readonly count: number
  /** Fields of a directory, by its number. */
  readonly fields?: (number: number) => readonly BuiltField[]
}

const SIDE = 4
const IMAGE_BYTES = SIDE * SIDE

/** Directories of grey images that lie one after the other; image `n` holds `n` everywhere. */
function stackFile({ description, count, fields = () => [] }: StackOptions): Uint8Array {
  const data = Uint8Array.from({ length: count * IMAGE_BYTES }, (_, i) => Math.floor(i / IMAGE_BYTES))
  const ifds = Array.from({ length: count }, (_, n) => ({
    fields: greyFields(SIDE, SIDE, [
      ...(n === 0 ? [{ tag: 270, type: 2, values: description }] : []),
      { tag: 273, type: 4, values: [dataStart() + n * IMAGE_BYTES] },
      { tag: 279, type: 4, values: [IMAGE_BYTES] },
      ...fields(n),
    ]).toSorted((a, b) => a.tag - b.tag),
  }))
  return buildTiff(ifds, { data })
}

function omeXml(pixels: string, content = '<TiffData/>', around = ''): string {
  const sizes = `SizeX="${SIDE}" SizeY="${SIDE}" DimensionOrder="XYZCT" Type="uint8" ${pixels}`
  return `<?xml version="1.0"?>${around}<OME><Image><Pixels ${sizes}>${content}</Pixels></Image></OME>`
}

async function firstBytes(
  root: VirtualGroup,
  file: Uint8Array,
  coords: readonly number[],
): Promise<number | 'missing'> {
  const ref = await asStored(arrayAt(root, 'band_data')).chunks.at(coords)
  if (ref.kind === 'missing') return 'missing'
  assert.ok(ref.kind === 'range')
  return file[ref.offset] ?? -1
}

describe('planes are where the description says', () => {
  test('without a word they are the directories in their order', async () => {
    const file = stackFile({ description: omeXml('SizeZ="2" SizeC="3" SizeT="1"'), count: 6 })
    const { root, diagnostics } = await parseTiff(file)
    const array = arrayAt(root, 'band_data')
    assert.deepEqual(
      [array.dimensionNames, array.shape],
      [
        ['c', 'z', 'y', 'x'],
        [3, 2, SIDE, SIDE],
      ],
    )
    assert.equal(await firstBytes(root, file, [2, 1, 0, 0]), 5)
    assert.equal(await firstBytes(root, file, [1, 0, 0, 0]), 2)
    assert.deepEqual(diagnostics, [])
  })

  test('TiffData names single planes and runs of them; what none names was never written', async () => {
    const data =
      '<TiffData IFD="3" FirstZ="0"/><TiffData FirstZ="1" IFD="0" PlaneCount="2"/><TiffData FirstZ="9" IFD="1"/>'
    const file = stackFile({ description: omeXml('SizeZ="4" SizeC="1" SizeT="1"', data), count: 4 })
    const { root } = await parseTiff(file)
    const planes = await Promise.all([0, 1, 2, 3].map((z) => firstBytes(root, file, [z, 0, 0])))
    assert.deepEqual(planes, [3, 0, 1, 'missing'])
    assert.equal(await asStored(arrayAt(root, 'band_data')).chunks.isComplete?.(), false)
  })

  test('GEN-3: a stack of 3,000 directories is described by the first, and one chunk costs the way to it once', async () => {
    const file = stackFile({ description: omeXml('SizeZ="1" SizeC="1" SizeT="3000"'), count: 3000 })
    const source = countingSource(file)
    const { root } = await parseTiff(source)
    assert.ok(source.reads.length < 10, `${source.reads.length} reads`)
    const { chunks } = asStored(arrayAt(root, 'band_data'))
    const ref = await chunks.at([2999, 0, 0])
    assert.deepEqual(ref, {
      kind: 'range',
      source: 0,
      offset: dataStart() + 2999 * IMAGE_BYTES,
      length: 16,
      encoding: 0,
    })
    source.reads.length = 0
    await chunks.at([1500, 0, 0])
    assert.ok(source.reads.length < 10, `${source.reads.length} reads for a directory that was passed`)
    source.reads.length = 0
    assert.ok(!(chunks.at([2999, 0, 0]) instanceof Promise))
    assert.ok(chunks.weight() < 100_000)
  })

  test('several images are groups, each with its own directories', async () => {
    const image = (data: string) =>
      `<Image Name="one"><Pixels DimensionOrder="XYZCT" SizeX="4" SizeY="4" SizeZ="1" SizeC="1" SizeT="2">${data}</Pixels></Image>`
    const description = `<OME>${image('<TiffData IFD="0" PlaneCount="2"/>')}${image('<TiffData IFD="2" PlaneCount="2"/>')}</OME>`
    const { root } = await parseTiff(stackFile({ description, count: 4 }))
    assert.deepEqual(arrayAt(root, 'image_1/band_data').shape, [2, 4, 4])
    assert.equal(root.attributes.get('name'), 'one')
  })

  test('images that ImageJ describes once lie one after the other', async () => {
    const description = 'ImageJ=1.54\nimages=6\nchannels=2\nslices=3\nhyperstack=true\n'
    const many = stackFile({ description, count: 6 })
    const file = many.slice()
    // The first directory says that it is the last.
    const { root: all } = await parseTiff(many)
    const view = new DataView(file.buffer)
    const first = view.getUint32(4, true)
    view.setUint32(first + 2 + 12 * view.getUint16(first, true), 0, true)
    const { root } = await parseTiff(file)
    for (const [c, z, n] of [
      [0, 0, 0],
      [1, 0, 1],
      [0, 2, 4],
      [1, 2, 5],
    ] as const) {
      assert.equal(await firstBytes(root, file, [c, z, 0, 0]), n)
      assert.equal(await firstBytes(all, many, [c, z, 0, 0]), n)
    }
  })
})

describe('physical sizes', () => {
  test('of OME are coordinates of the axes that have one, on every level', async () => {
    const store = stores.open('pyramid.ome.tif')
    const unit = async (path: string) => object((await store.document(path))['attributes'])['units']
    assert.equal(await unit('x'), 'µm')
    const numbers = async (path: string) =>
      [...new Float64Array((await numbersOf(store, path)).slice().buffer)].slice(0, 3)
    assert.deepEqual(await numbers('x'), [0, 0.5, 1])
    assert.deepEqual(await numbers('1/x'), [0.25, 1.25, 2.25])
    assert.deepEqual(await numbers('0/y'), [0, 0.5, 1])
  })

  for (const [file, entry] of Object.entries(golden)) {
    const coordinates = object(member(entry, 'coordinates'))
    if (Object.keys(coordinates).length === 0) continue
    test(`${file}: ${Object.keys(coordinates).join(', ')}`, async () => {
      const store = stores.open(file)
      for (const [name, expected] of Object.entries(coordinates)) {
        const values = await store.values(name)
        const [first, step, units] = list(expected)
        if (values.kind === 'text') assert.deepEqual(values.values, expected)
        else {
          const numbers = [
            ...new Float64Array(values.kind === 'fixed' ? values.bytes.slice().buffer : new ArrayBuffer(0)),
          ]
          const wanted = numbers.map((_, i) => plain(first) + i * plain(step))
          assert.ok(
            numbers.length > 1 && numbers.every((number, i) => Math.abs(number - (wanted[i] ?? 0)) < 1e-9),
            name,
          )
          assert.equal(object((await store.document(name))['attributes'])['units'], units)
        }
      }
    })
  }

  test('of a single plane are coordinates too', async () => {
    const description = omeXml(
      'SizeZ="1" SizeC="1" SizeT="1" PhysicalSizeX="0.5" PhysicalSizeY="0.25" PhysicalSizeYUnit="mm"',
    )
    const { root } = await parseTiff(stackFile({ description, count: 2 }))
    assert.deepEqual([...root.members.keys()], ['band_data', 'page_1', 'y', 'x'])
    assert.deepEqual(Object.fromEntries(arrayAt(root, 'y').attributes), { units: 'mm' })
  })
})

const BOMB = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100)}">]>`
const CONTRADICTIONS: readonly (readonly [string, string, RegExp])[] = [
  ['a document type', omeXml('SizeZ="2" SizeC="1" SizeT="1"', '', BOMB), /document type/],
  ['no XML', omeXml('SizeZ="2" SizeC="1" SizeT="1"', '<TiffData>'), /./],
  ['a size that is none', omeXml('SizeZ="-2" SizeC="1" SizeT="1"'), /SizeZ is "-2"/],
  ['a size that is missing', omeXml('SizeC="1" SizeT="2"'), /SizeZ is missing/],
  ['more planes than are served', omeXml('SizeZ="99999" SizeC="99999" SizeT="99999"'), /planes, at most/],
  [
    'planes in another file',
    omeXml('SizeZ="2" SizeC="1" SizeT="1"', '<TiffData><UUID FileName="b.tif">urn:uuid:1</UUID></TiffData>'),
    /in other files/,
  ],
  ['its images in another file', '<OME><BinaryOnly MetadataFile="a" UUID="b"/></OME>', /BinaryOnly/],
  [
    'another size than the image',
    omeXml('SizeZ="2" SizeC="1" SizeT="1"').replace('SizeX="4"', 'SizeX="5"'),
    /4 x 4 x 1.*5 x 4 x 1/,
  ],
  ['an order that is none', omeXml('SizeZ="2" SizeC="1" SizeT="1"').replace('XYZCT', 'XYZ'), /DimensionOrder/],
  ['no place for any plane', omeXml('SizeZ="2" SizeC="1" SizeT="1"', '<TiffData IFD="0" FirstZ="7"/>'), /no planes/],
  [
    'a first plane behind the last directory',
    omeXml('SizeZ="2" SizeC="1" SizeT="1"', '<TiffData IFD="7" PlaneCount="2"/>'),
    /2 directories/,
  ],
  [
    'images without directories',
    `<OME>${'<Image><Pixels DimensionOrder="XYZCT" SizeX="4" SizeY="4" SizeZ="1" SizeC="1" SizeT="2"/></Image>'.repeat(2)}</OME>`,
    /which directories/,
  ],
  ['more images than axes', 'ImageJ=1\nimages=7\nslices=2\nframes=3\n', /images=7/],
  ['a count that is none', 'ImageJ=1\nimages=x\n', /images=x/],
]
test('GUARD-6: TiffData that name all planes again and again are refused at once', async () => {
  const data = '<TiffData IFD="0" PlaneCount="90000"/>'.repeat(50_000)
  const description = omeXml('SizeZ="90000" SizeC="1" SizeT="1"', data)
  const started = processorMilliseconds()
  const { diagnostics } = await parseTiff(stackFile({ description, count: 2 }))
  assert.match(diagnostics[0]?.message ?? '', /again and again/)
  assert.ok(processorMilliseconds() - started < 20_000)
})

for (const [what, description, reason] of CONTRADICTIONS) {
  test(`GEN-13: a description with ${what} leaves the images one by one, and says so`, async () => {
    const { root, diagnostics } = await parseTiff(stackFile({ description, count: 2 }))
    assert.deepEqual([...root.members.keys()], ['band_data', 'page_1'])
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['stack-not-read'],
    )
    assert.match(diagnostics[0]?.message ?? '', reason)
  })
}

describe('planes that are not what the first one says', () => {
  const description = omeXml('SizeZ="3" SizeC="1" SizeT="1"')
  const chunkOf = async (file: Uint8Array, z: number) => {
    const { root } = await parseTiff(file)
    return await asStored(arrayAt(root, 'band_data')).chunks.at([z, 0, 0])
  }

  test('another size or type is an error of that plane, never other values', async () => {
    const wider = (n: number) => (n === 1 ? [{ tag: 256, type: 4, values: [2] }] : [])
    await assert.rejects(
      chunkOf(stackFile({ description, count: 3, fields: wider }), 1),
      /directory 1 has an image of another size/,
    )
    const signed = (n: number) => (n === 2 ? [{ tag: 339, type: 3, values: [2] }] : [])
    const file = stackFile({ description, count: 3, fields: signed })
    assert.equal((await chunkOf(file, 1)).kind, 'range')
    await assert.rejects(chunkOf(file, 2), /directory 2 has an image of another/)
  })

  test('a chain that ends early, or comes back to itself, is an error of the planes behind its end', async () => {
    const file = stackFile({ description, count: 2 })
    assert.equal((await chunkOf(file, 1)).kind, 'range')
    await assert.rejects(chunkOf(file, 2), /the file has 2 directories, and directory 2 is asked for/)
    const view = new DataView(file.buffer)
    const first = view.getUint32(4, true)
    view.setUint32(first + 2 + 12 * view.getUint16(first, true), first, true)
    await assert.rejects(chunkOf(file, 1), /the file has 1 directories/)
  })

  test('layout=ifd serves them one by one', async () => {
    const { root } = await parseTiff(stackFile({ description, count: 3 }), { layout: 'ifd' })
    assert.deepEqual([...root.members.keys()], ['0', '1', '2'])
  })
})

function plain(value: unknown): number {
  return value instanceof Float ? value.value : Number(value)
}
