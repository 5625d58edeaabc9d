import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { tiffVectors } from '../../codecs/tiff/vectors.ts'
import { hashOf } from '../../corpus/values.ts'
import { memberAt } from '../../helpers/members.ts'
import { type BuiltField, buildTiff, dataStart, greyFields } from './build.ts'
import { parseTiff } from './parse.ts'
import { type FolderStores, numbersOf, storesOf } from './store.ts'

const WIDTH = 45
const HEIGHT = 35
const START = dataStart()
const FACTORS: Readonly<Record<string, readonly number[]>> = { '444': [1, 1], '422': [2, 1], '420': [2, 2] }
/** Where each component's quantization and Huffman tables are among the segments of their kind. */
const OF_COMPONENT = [0, 1, 1]

/** A picture as GDAL reads it from a file of old JPEG: all before its data, and the data. */
function picture(subsampling: string) {
  const vector = tiffVectors().find(({ id }) => id === `old jpeg ${subsampling}`)
  const header = vector?.codecs[0]?.configuration['header']
  assert.ok(vector !== undefined && typeof header === 'string')
  return { header: Buffer.from(header, 'base64'), data: Buffer.from(vector.stored), sha256: vector.sha256 }
}

function file(data: Uint8Array, strip: readonly [offset: number, length: number], fields: readonly BuiltField[]) {
  const all: readonly BuiltField[] = [
    { tag: 258, type: 3, values: [8, 8, 8] },
    { tag: 259, type: 3, values: [6] },
    { tag: 262, type: 3, values: [6] },
    { tag: 273, type: 4, values: [strip[0]] },
    { tag: 277, type: 3, values: [3] },
    { tag: 279, type: 4, values: [strip[1]] },
    ...fields,
  ]
  return buildTiff([{ fields: greyFields(WIDTH, HEIGHT, all) }], { data })
}

/** The tables of a header as old JPEG has them: without the markers, each by itself. */
function tablesOf(header: Buffer) {
  const found: Record<'quantization' | 'dc' | 'ac', Buffer[]> = { quantization: [], dc: [], ac: [] }
  for (let at = 2; at < header.length; ) {
    const content = header.subarray(at + 4, at + 2 + header.readUInt16BE(at + 2))
    if (header[at + 1] === 0xdb) found.quantization.push(content.subarray(1, 65))
    if (header[at + 1] === 0xc4) found[(content[0] ?? 0) >> 4 === 0 ? 'dc' : 'ac'].push(content.subarray(1))
    at += 4 + content.length
  }
  return found
}

describe('old JPEG (TIFF 6.0 section 22), as GDAL reads it', () => {
  let folder: string
  let stores: FolderStores
  let written = 0
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'tiff-old-jpeg-'))
    stores = storesOf(pathToFileURL(`${folder}/`))
  })
  after(async () => {
    await stores.close()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const [subsampling, factors] of Object.entries(FACTORS)) {
    const { header, data, sha256 } = picture(subsampling)
    const chroma = { tag: 530, type: 3, values: factors }
    const stream = Buffer.concat([header, data, Buffer.of(0xff, 0xd9)])
    const interchange = [chroma, { tag: 513, type: 4, values: [START] }, { tag: 514, type: 4, values: [stream.length] }]

    test(`${subsampling}: a stream whose data is the strip`, async () => {
      await readsAs(file(stream, [START + header.length, data.length], interchange), sha256)
    })

    test(`${subsampling}: a stream that is the strip`, async () => {
      await readsAs(file(stream, [START, stream.length], interchange), sha256)
      await readsAs(file(stream, [START, stream.length], [chroma]), sha256)
    })

    test(`${subsampling}: tables one by one, without a stream`, async () => {
      const tables = tablesOf(header)
      let bytes: Buffer = data
      const placed = (parts: readonly Buffer[]) =>
        OF_COMPONENT.map((i) => {
          const offset = START + bytes.length
          bytes = Buffer.concat([bytes, parts[i] ?? parts[0] ?? Buffer.alloc(0)])
          return offset
        })
      const fields = [
        { tag: 519, type: 4, values: placed(tables.quantization) },
        { tag: 520, type: 4, values: placed(tables.dc) },
        { tag: 521, type: 4, values: placed(tables.ac) },
      ]
      await readsAs(file(bytes, [START, data.length], [chroma, ...fields]), sha256)
    })
  }

  async function readsAs(content: Uint8Array, expected: string): Promise<void> {
    const name = `${++written}.tif`
    writeFileSync(join(folder, name), content)
    const bands = await numbersOf(stores.open(name), 'band_data')
    const pixels = WIDTH * HEIGHT
    const interleaved = Uint8Array.from(
      { length: bands.length },
      (_, i) => bands[(i % 3) * pixels + Math.floor(i / 3)] ?? 0,
    )
    assert.equal(hashOf({ kind: 'fixed', bytes: interleaved }), expected)
  }
})

test('old JPEG without its tables is an error of its blocks, kinds that nobody reads are refused by name', async () => {
  const strip = [START, 8] as const
  const nothing = file(new Uint8Array(8), strip, [{ tag: 519, type: 4, values: [1e9, 1e9, 1e9] }])
  assert.equal(memberAt((await parseTiff(nothing)).root, 'band_data')?.kind, 'array')
  await assert.rejects(parseTiff(file(new Uint8Array(8), strip, [{ tag: 512, type: 3, values: [14] }])), {
    code: 'unsupported-feature',
  })
})
