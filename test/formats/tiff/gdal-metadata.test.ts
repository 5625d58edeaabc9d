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

  test('those that differ by band are listed, with a diagnostic', async () => {
    const { attributes, codes } = await attributesOf(item('SCALE', '0.5', 'sample="1" role="scale"'), SAMPLES_2)
    assert.equal(attributes.has('scale_factor'), false)
    assert.equal(JSON.stringify(attributes.get('band_scale_factor')), '[{"value":1},0.5]')
    assert.deepEqual(codes, ['packing-per-band'])
  })

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
