import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { tiff } from '../../../src/formats/tiff/index.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { arrayAt, memberAt } from '../../helpers/members.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { type BuildOptions, buildTiff, dataStart, greyFields } from './build.ts'
import { parseTiff } from './parse.ts'

const PIXELS = Uint8Array.from({ length: 6 }, (_, i) => i + 1)

function grey(options: BuildOptions, ifds = 1): Uint8Array {
  const offset = { tag: 273, type: 4, values: [dataStart(options)] }
  const fields = greyFields(3, 2, [offset])
  return buildTiff(
    Array.from({ length: ifds }, () => ({ fields })),
    { ...options, data: PIXELS },
  )
}

async function refusal(bytes: Uint8Array): Promise<string> {
  try {
    await parseTiff(bytes)
  } catch (error) {
    assert.ok(isVirtualZarrError(error), String(error))
    return `${error.code}: ${error.message}`
  }
  return 'served'
}

describe('files of every kind', () => {
  for (const endian of ['little', 'big'] as const) {
    for (const big of [false, true]) {
      test(`${big ? 'BigTIFF' : 'TIFF'} in ${endian}-endian order`, async () => {
        const options = { endian, big }
        const bytes = grey(options)
        assert.ok(tiff.recognises(bytes.subarray(0, 16), new URL('file:///a')))
        const array = arrayAt((await parseTiff(bytes)).root, 'band_data')
        assert.deepEqual(array.shape, [2, 3])
        const place = { kind: 'range', source: 0, offset: dataStart(options), length: 6, encoding: 0 }
        assert.deepEqual(await asStored(array).chunks.at([0, 0]), place)
      })
    }
  }

  test('nothing else is recognised', () => {
    for (const head of ['', 'II', 'II*', 'MM\0+x', 'CDF\x01', 'PK\x03\x04']) {
      const isTiff = tiff.recognises(Buffer.from(head), new URL('file:///a.tif'))
      assert.equal(isTiff, head === 'MM\0+x', JSON.stringify(head))
    }
  })
})

describe('the chain of directories', () => {
  test('every directory is an image', async () => {
    const { root } = await parseTiff(grey({}, 3))
    assert.deepEqual([...root.members.keys()], ['band_data', 'page_1', 'page_2'])
  })

  test('a chain that comes back to itself ends there', async () => {
    const fields = greyFields(3, 2)
    const { root, diagnostics } = await parseTiff(buildTiff([{ fields, next: 14 }], { data: PIXELS }))
    assert.ok(arrayAt(root, 'band_data'))
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['chain-broken'],
    )
  })

  test('a chain that leads out of the file ends there', async () => {
    const fields = greyFields(3, 2)
    const { root, diagnostics } = await parseTiff(buildTiff([{ fields, next: 1e9 }], { data: PIXELS }))
    assert.deepEqual([...root.members.keys()], ['band_data'])
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['truncated-source'],
    )
    assert.match(
      diagnostics[0]?.message ?? '',
      /directory 2 at byte 1000000000 .* the last complete one is directory 1/,
    )
  })

  // libtiff 4.7 (rasterio 1.5): the same images, with a warning.
  for (const big of [false, true]) {
    test(`a ${big ? 'BigTIFF' : 'TIFF'} that is cut anywhere in its last directory says so`, async () => {
      const bytes = grey({ big }, 3)
      const view = new DataView(bytes.buffer)
      const next = (at: number) =>
        big ? Number(view.getBigUint64(at + 8 + 9 * 20, true)) : view.getUint32(at + 2 + 9 * 12, true)
      const last = next(next(big ? 22 : 14))
      const pointer = big ? 8 : 4
      for (let size = last; size < bytes.length - pointer; size++) {
        const { root, diagnostics } = await parseTiff(bytes.subarray(0, size))
        assert.deepEqual([...root.members.keys()], ['band_data', 'page_1'], `${size} bytes`)
        assert.deepEqual(
          diagnostics.map(({ code }) => code),
          ['truncated-source'],
        )
        assert.match(diagnostics[0]?.message ?? '', /the last complete one is directory 2/)
      }
    })
  }

  test('a garbled pointer to no directory is no truncation', async () => {
    const data = Buffer.concat([PIXELS, Buffer.alloc(600, 0xff)])
    const { diagnostics } = await parseTiff(buildTiff([{ fields: greyFields(3, 2), next: 20 }], { data }))
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['chain-broken'],
    )
  })

  test('a first directory that is not there refuses the file', async () => {
    const bytes = grey({})
    new DataView(bytes.buffer).setUint32(4, 1e9, true)
    assert.match(await refusal(bytes), /^malformed-source/)
    assert.match(await refusal(bytes.subarray(0, 6)), /^malformed-source/)
    assert.match(await refusal(bytes.subarray(0, bytes.length - 40)), /^malformed-source/)
  })

  test('SubIFDs may not lead back', async () => {
    const sub = { tag: 330, type: 4, values: [14] }
    const { root } = await parseTiff(buildTiff([{ fields: greyFields(3, 2, [sub]) }], { data: PIXELS }))
    assert.deepEqual([...root.members.keys()], ['band_data'])
  })
})

describe('counts that lie', () => {
  test('a directory of millions of entries is refused unread', async () => {
    const bytes = grey({ big: true })
    new DataView(bytes.buffer).setBigUint64(22, 2n ** 40n, true)
    const source = countingSource(bytes)
    await assert.rejects(parseTiff(source), /entries/)
    assert.ok(source.reads.every(({ length }) => length < 100))
  })

  test('tables that claim more entries than there are blocks are read as far as needed', async () => {
    const counts = { tag: 279, type: 4, values: [0, 0], count: 2 ** 31, position: 0 }
    const { root } = await parseTiff(buildTiff([{ fields: greyFields(3, 2, [counts]) }], { data: PIXELS }))
    const place = { kind: 'range', source: 0, offset: 8, length: 6, encoding: 0 }
    assert.deepEqual(await asStored(arrayAt(root, 'band_data')).chunks.at([0, 0]), place)
  })

  test('tables with fewer entries than blocks refuse the image', async () => {
    const rows = { tag: 278, type: 4, values: [1] }
    const bytes = buildTiff([{ fields: greyFields(3, 2, [rows]) }], { data: PIXELS })
    assert.match(await refusal(bytes), /malformed-source: the image has 2 blocks/)
  })

  test('a block whose length is not listed counts as never written, with a diagnostic', async () => {
    // rasterio 1.5.2 and GDAL 3.6.2 read zeros there.
    const fields = [
      { tag: 259, type: 3, values: [8] },
      { tag: 273, type: 4, values: [8, 11] },
      { tag: 278, type: 4, values: [1] },
      { tag: 279, type: 4, values: [3] },
    ]
    const { root, diagnostics } = await parseTiff(buildTiff([{ fields: greyFields(3, 2, fields) }], { data: PIXELS }))
    const listed =
      'blocks-not-listed: the file lists the lengths of 1 of 2 blocks: the others count as never written, as in GDAL'
    assert.ok(diagnostics.some(({ code, message }) => `${code}: ${message}` === listed))
    const { operation } = arrayAt(root, 'band_data')
    assert.ok(operation?.kind === 'rechunk')
    assert.deepEqual(await asStored(operation.of).chunks.at([1, 0]), { kind: 'missing' })
  })

  test('a text that claims gigabytes is left out', async () => {
    const text = { tag: 270, type: 2, values: 'hello world', count: 2 ** 31 }
    const { root, diagnostics } = await parseTiff(buildTiff([{ fields: greyFields(3, 2, [text]) }], { data: PIXELS }))
    assert.equal(arrayAt(root, 'band_data').attributes.get('TIFFTAG_IMAGEDESCRIPTION'), undefined)
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['tag-dropped'],
    )
  })
})

test('any file with bytes changed ends in an answer or a typed error', async () => {
  const fields = greyFields(3, 2, [
    { tag: 33550, type: 12, values: [1, 1, 0] },
    { tag: 33922, type: 12, values: [0, 0, 0, 5, 6, 0] },
    { tag: 34735, type: 3, values: [1, 1, 0, 1, 1024, 0, 1, 2] },
    { tag: 42112, type: 2, values: '<GDALMetadata><Item name="a">b</Item></GDALMetadata>\0' },
    { tag: 42113, type: 2, values: '7\0' },
  ])
  const original = buildTiff([{ fields }, { fields }], { data: PIXELS })
  let state = 1
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  for (let round = 0; round < 1000; round++) {
    const bytes = original.slice()
    for (let change = 0; change <= random(4); change++) bytes[random(bytes.length)] = random(256)
    try {
      const { root } = await parseTiff(bytes, round % 2 === 0 ? {} : { layout: 'ifd' })
      for (const path of ['band_data', '0']) {
        const array = memberAt(root, path)
        if (array?.kind === 'array') await asStored(array).chunks.at(array.shape.map(() => 0))
      }
    } catch (error) {
      assert.ok(isVirtualZarrError(error), `round ${round}: ${String(error)}`)
    }
  }
})
