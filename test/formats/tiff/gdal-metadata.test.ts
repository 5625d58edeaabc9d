import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { arrayAt } from '../../helpers/members.ts'
import { type BuiltField, buildTiff, greyFields } from './build.ts'
import { parseTiff } from './parse.ts'

const SAMPLES_2: readonly BuiltField[] = [
  { tag: 258, type: 3, values: [8, 8] },
  { tag: 277, type: 3, values: [2] },
  { tag: 279, type: 4, values: [12] },
]

async function attributesOf(items: string, changes: readonly BuiltField[] = []) {
  const xml = items.startsWith('<!') ? items : `<GDALMetadata>${items}</GDALMetadata>`
  const fields = greyFields(3, 2, [...changes, { tag: 42112, type: 2, values: `${xml}\0` }])
  const { root, diagnostics } = await parseTiff(buildTiff([{ fields }], { data: new Uint8Array(12) }))
  const { attributes, sentinels } = arrayAt(root, 'band_data')
  return { attributes, sentinels, codes: diagnostics.map(({ code }) => code) }
}

const item = (name: string, text: string, more = '') => `<Item name="${name}" ${more}>${text}</Item>`

describe('PACK-7: scale and offset', () => {
  test('those of one band are attributes', async () => {
    const xml = item('SCALE', '0.5', 'sample="0" role="scale"') + item('OFFSET', '3', 'sample="0" role="offset"')
    const { attributes } = await attributesOf(xml)
    assert.deepEqual(attributes.get('scale_factor'), 0.5)
    assert.equal(String(JSON.stringify(attributes.get('add_offset'))), '{"value":3}')
  })

  test('those that all bands share are attributes', async () => {
    const xml = [0, 1].map((band) => item('SCALE', '0.5', `sample="${band}" role="scale"`)).join('')
    assert.equal((await attributesOf(xml, SAMPLES_2)).attributes.get('scale_factor'), 0.5)
  })

  test('bands whose scales differ are arrays of their own, with what is said of each', async () => {
    const { root, diagnostics } = await bandsOf(
      item('SCALE', '0.5', 'sample="1" role="scale"') +
        item('OFFSET', '3', 'sample="0" role="offset"') +
        item('UNITTYPE', 'm', 'sample="0" role="unittype"') +
        item('DESCRIPTION', 'second', 'sample="1" role="description"') +
        item('TITLE', 'of both'),
    )
    assert.deepEqual([...root.members.keys()], ['band_1', 'band_2'])
    const [first, second] = [arrayAt(root, 'band_1'), arrayAt(root, 'band_2')]
    const names = ['scale_factor', 'add_offset', 'units', 'long_name', 'TITLE']
    const said = (array: typeof first) => JSON.stringify(names.map((name) => array.attributes.get(name) ?? null))
    assert.equal(said(first), '[null,{"value":3},"m",null,"of both"]')
    assert.equal(said(second), '[0.5,null,null,"second","of both"]')
    assert.deepEqual(
      [first.shape, second.dimensionNames],
      [
        [2, 3],
        ['y', 'x'],
      ],
    )
    assert.deepEqual(diagnostics, [])
  })

  test('bands too many for an array each are listed, with a diagnostic', async () => {
    const { root, diagnostics } = await bandsOf(item('SCALE', '0.5', 'sample="1" role="scale"'), 5_001)
    const scales = arrayAt(root, 'band_data').attributes.get('band_scale_factor')
    assert.equal(JSON.stringify(scales).slice(0, 30), '[{"value":1},0.5,{"value":1},{')
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['packing-per-band'],
    )
  })

  test('long texts of the whole image are not repeated for each of many bands', async () => {
    const text = item('HISTORY', 'a'.repeat(20_000)) + item('SCALE', '0.5', 'sample="1" role="scale"')
    assert.ok((await bandsOf(text, 100)).root.members.has('band_100'))
    assert.ok((await bandsOf(text, 2_000)).root.members.has('band_data'))
  })

  async function bandsOf(items: string, samples = 2) {
    const xml = `<GDALMetadata>${items}</GDALMetadata>\0`
    const fields = greyFields(3, 2, [
      { tag: 258, type: 3, values: [8], count: 1 },
      { tag: 277, type: 3, values: [samples] },
      { tag: 279, type: 4, values: [6 * samples] },
      { tag: 42112, type: 2, values: xml },
    ])
    const { root, diagnostics } = await parseTiff(buildTiff([{ fields }], { data: new Uint8Array(6 * samples) }))
    if (root.kind !== 'group') throw new Error('the root is no group')
    return { root, diagnostics }
  }

  test('a scale of one and an offset of zero pack nothing', async () => {
    const xml = item('SCALE', '1', 'sample="0" role="scale"') + item('OFFSET', '0', 'sample="0" role="offset"')
    const { attributes } = await attributesOf(xml)
    assert.deepEqual([attributes.has('scale_factor'), attributes.has('add_offset')], [false, false])
  })
})

test('overviews are in the units of their image', async () => {
  const xml = `<GDALMetadata>${item('SCALE', '0.5', 'sample="0" role="scale"')}${item('TITLE', 'a')}</GDALMetadata>\0`
  const full = greyFields(4, 4, [{ tag: 42112, type: 2, values: xml }])
  const overview = [{ tag: 254, type: 4, values: [1] }, ...greyFields(2, 2)]
  const { root } = await parseTiff(buildTiff([{ fields: full }, { fields: overview }], { data: new Uint8Array(16) }))
  const { attributes } = arrayAt(root, '1/band_data')
  assert.deepEqual([attributes.get('scale_factor'), attributes.has('TITLE')], [0.5, false])
  // GDAL 3.12 writes items of their own into overviews.
  const own = `<GDALMetadata>${item('RESAMPLING', 'NEAREST')}</GDALMetadata>\0`
  const named = [...overview, { tag: 42112, type: 2, values: own }]
  const again = await parseTiff(buildTiff([{ fields: full }, { fields: named }], { data: new Uint8Array(16) }))
  const both = arrayAt(again.root, '1/band_data').attributes
  assert.deepEqual([both.get('scale_factor'), both.get('RESAMPLING')], [0.5, 'NEAREST'])
})

describe('items', () => {
  test('names of bands and units by their role', async () => {
    const one = item('DESCRIPTION', 'red', 'sample="0" role="description"')
    const two = item('DESCRIPTION', 'blue', 'sample="1" role="description"')
    const unit =
      item('UNITTYPE', 'm', 'sample="0" role="unittype"') + item('UNITTYPE', 'm', 'sample="1" role="unittype"')
    const { attributes } = await attributesOf(one + two + unit + item('AUTHOR', 'me &amp; you'), SAMPLES_2)
    assert.deepEqual(attributes.get('long_name'), ['red', 'blue'])
    assert.equal(attributes.get('units'), 'm')
    assert.equal(attributes.get('AUTHOR'), 'me & you')
    assert.equal((await attributesOf(one)).attributes.get('long_name'), 'red')
  })

  test('units without a role are units, where all bands agree; those with a role win', async () => {
    const units = (...texts: readonly string[]) =>
      texts.map((text, band) => item('units', text, `sample="${band}"`)).join('')
    const read = async (xml: string) => {
      const { attributes } = await attributesOf(xml, SAMPLES_2)
      return [attributes.get('units'), attributes.get('band_units')]
    }
    assert.deepEqual(await read(units('K', 'K')), ['K', undefined])
    assert.deepEqual(await read(units('K', 'm')), [undefined, ['K', 'm']])
    assert.deepEqual(await read(units('K')), [undefined, ['K', '']])
    assert.deepEqual(await read(units('K', 'm') + item('UNITTYPE', 'm', 'sample="0" role="unittype"')), [
      undefined,
      ['m', ''],
    ])
    const roles = [0, 1].map((band) => item('UNITTYPE', 'm', `sample="${band}" role="unittype"`)).join('')
    assert.deepEqual(await read(units('K', 'K') + roles), ['m', undefined])
    assert.deepEqual(await read(item('units', 's') + units('K')), [undefined, ['K', 's']])
    assert.deepEqual(await read(item('units', 's')), ['s', undefined])
  })

  test('of what all bands say alike there is one text, of what differs a list', async () => {
    const ofBands = (name: string, ...texts: readonly string[]) =>
      texts.map((text, band) => item(name, text, `sample="${band}"`)).join('')
    const xml =
      ofBands('standard_name', 'air', 'air') + ofBands('STATISTICS_MEAN', '3', '4') + ofBands('calendar', 'a', 'b')
    const { attributes } = await attributesOf(xml + item('WAVE', '1', 'sample="1"'), SAMPLES_2)
    const names = ['standard_name', 'STATISTICS_MEAN', 'WAVE', 'calendar', 'band_calendar']
    assert.deepEqual(
      names.map((name) => attributes.get(name)),
      ['air', ['3', '4'], ['', '1'], undefined, ['a', 'b']],
    )
  })

  test('PACK-7: scale_factor without a role packs nothing, as in GDAL', async () => {
    const xml = item('scale_factor', '0.5') + item('add_offset', '3', 'sample="0"')
    const { attributes, codes } = await attributesOf(xml)
    const names = ['scale_factor', 'add_offset', 'gdal_scale_factor', 'gdal_add_offset']
    assert.deepEqual(
      names.map((name) => attributes.get(name)),
      [undefined, undefined, '0.5', '3'],
    )
    assert.deepEqual(codes, ['name-changed', 'name-changed'])
  })

  test('a million texts of bands are enough', async () => {
    const samples = 65_535
    const many: readonly BuiltField[] = [
      { tag: 258, type: 3, values: [8], count: 1 },
      { tag: 277, type: 3, values: [samples] },
      { tag: 279, type: 4, values: [12] },
    ]
    const xml = Array.from({ length: 500 }, (_, i) => item(`a${i}`, 'b', 'sample="0"')).join('')
    const { attributes, codes } = await attributesOf(xml, many)
    assert.equal([...attributes.keys()].filter((name) => name.startsWith('a')).length, 15)
    assert.equal(codes.filter((code) => code === 'metadata-malformed').length, 485)
  })

  test('FV-TIFF-7: a nodata value that differs by band is none of the array, is listed, and is said once', async () => {
    const fills = (...texts: readonly string[]) =>
      texts.map((text, band) => item('_FillValue', text, `sample="${band}"`)).join('')
    const read = async (xml: string, tag?: string) => {
      const changes = tag === undefined ? [] : [{ tag: 42113, type: 2, values: `${tag}\0` }]
      const { attributes, sentinels, codes } = await attributesOf(xml, [...SAMPLES_2, ...changes])
      return [sentinels.fillValue?.value, attributes.get('band__FillValue'), codes]
    }
    assert.deepEqual(await read(fills('7', '7')), [7, undefined, []])
    assert.deepEqual(await read(fills('7', '7.0')), [7, undefined, []])
    assert.deepEqual(await read(fills('7', '8')), [undefined, ['7', '8'], ['sentinels-differ']])
    assert.deepEqual(await read(fills('7')), [undefined, ['7', ''], ['sentinels-differ']])
    assert.deepEqual(await read(fills('7', '8'), '9'), [9, ['7', '8'], ['sentinels-differ']])
    assert.deepEqual(await read(item('_FillValue', '7') + fills('7', '8')), [
      undefined,
      ['7', '8'],
      ['sentinels-differ'],
    ])
    assert.deepEqual(await read(item('_FillValue', '7') + fills('7')), [7, undefined, []])
    const foreign = item('_FillValue', '7', 'domain="other"')
    assert.deepEqual(await read(foreign), [undefined, undefined, []])
  })

  test('FV-TIFF-1: nodata values are no attributes of their own', async () => {
    const { attributes, sentinels } = await attributesOf(item('_FillValue', '7') + item('a#_FillValue', '7'))
    assert.deepEqual(sentinels.fillValue, { kind: 'number', value: 7 })
    assert.deepEqual([attributes.has('_FillValue'), attributes.has('a#_FillValue')], [false, false])
  })
})

describe('XML that is none', () => {
  const bomb =
    '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><GDALMetadata>&c;</GDALMetadata>'
  const cases = {
    'a document type': bomb,
    'an element that does not end': '<Item name="a">b',
    'an entity that nobody declared': item('a', '&b;'),
    'elements within elements': `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`,
  }
  for (const [what, xml] of Object.entries(cases)) {
    test(`${what} costs the metadata, not the image`, async () => {
      const { attributes, codes } = await attributesOf(xml)
      assert.deepEqual(codes, ['metadata-malformed'])
      assert.equal(attributes.has('a'), false)
    })
  }
})

test('text of tags that is not UTF-8 is Latin-1, with a diagnostic for each tag', async () => {
  const bytes = (text: string) => [...Buffer.from(`${text}\0`, 'latin1')]
  const fields = greyFields(3, 2, [
    { tag: 270, type: 2, values: bytes('25 \u00b0C') },
    { tag: 315, type: 2, values: [...Buffer.from('Zoë\0')] },
    { tag: 42112, type: 2, values: bytes(`<GDALMetadata>${item('unit', '\u00b5m')}</GDALMetadata>`) },
  ])
  const { root, diagnostics } = await parseTiff(buildTiff([{ fields }], { data: new Uint8Array(12) }))
  const { attributes } = arrayAt(root, 'band_data')
  assert.deepEqual(
    ['TIFFTAG_IMAGEDESCRIPTION', 'TIFFTAG_ARTIST', 'unit'].map((name) => attributes.get(name)),
    ['25 °C', 'Zoë', 'µm'],
  )
  assert.deepEqual(
    diagnostics.map(({ code, values }) => [code, values]),
    [
      ['text-encoding-guessed', ['270']],
      ['text-encoding-guessed', ['42112']],
    ],
  )
})
