import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openSource } from '../../../src/service/open-source.ts'
import { Openings } from '../../../src/service/openings.ts'
import { parseStoreOptions } from '../../../src/service/store-options.ts'
import { openSources } from '../../../src/source/open.ts'
import { buildTiff, greyFields } from '../../formats/tiff/build.ts'
import { startOrigin } from '../../helpers/origin.ts'
import { failure, QUICK } from '../world.ts'

const LIMITS = { bytes: 2 ** 24, requests: 1_000, milliseconds: 20_000, wholeBytes: 2 ** 24 }

/** A bucket of those objects, in which nobody may list: what is missing is answered 403, as both clouds do then. */
async function openUnlisted(t: TestContext, objects: Readonly<Record<string, object | Uint8Array>>) {
  const origin = await startOrigin()
  const place = { endpoint: new URL(origin.base) }
  const sources = openSources({ ...QUICK, clouds: { places: { s3: place, gs: place }, prefixes: [] } })
  t.after(async () => {
    await sources.close()
    await origin.close()
  })
  for (const [key, value] of Object.entries(objects)) {
    origin.put(`bucket/${key}`, value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value)))
  }
  const denied = { kind: 'status', status: 403, body: '<Error><Code>AccessDenied</Code></Error>' } as const
  origin.faultOf = ({ path }) => (Object.hasOwn(objects, path.slice('/bucket/'.length)) ? undefined : denied)
  return (location: string) =>
    openSource(location, parseStoreOptions(new Map()), {
      sources,
      limits: LIMITS,
      openings: new Openings(),
    })
}

const ZARRAY = {
  zarr_format: 2,
  shape: [4],
  chunks: [2],
  dtype: '<i4',
  compressor: null,
  filters: null,
  order: 'C',
  fill_value: 0,
}
const ZGROUP = { zarr_format: 2 }
const ZMETADATA = { zarr_consolidated_format: 1, metadata: { '.zgroup': ZGROUP, 'a/.zarray': ZARRAY } }
const CODECS = [{ name: 'bytes', configuration: { endian: 'little' } }]
const V3_ARRAY = {
  zarr_format: 3,
  node_type: 'array',
  shape: [4],
  data_type: 'int32',
  chunk_grid: { name: 'regular', configuration: { chunk_shape: [2] } },
  chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
  codecs: CODECS,
  fill_value: 0,
  attributes: {},
}

for (const scheme of ['s3', 'gs']) {
  test(`CLOUD-3: where listing is not allowed a Zarr folder opens by its documents (${scheme})`, async (t) => {
    const stores: [name: string, objects: Record<string, object>, warned: readonly string[]][] = [
      ['v3 array', { 'f/zarr.json': V3_ARRAY }, []],
      ['consolidated v2', { 'f/.zmetadata': ZMETADATA, 'f/.zgroup': ZGROUP, 'f/a/.zarray': ZARRAY }, []],
      ['v2 array', { 'f/.zarray': ZARRAY }, ['document-denied']],
      ['v2 array with attributes', { 'f/.zarray': ZARRAY, 'f/.zattrs': { units: 'm' } }, []],
    ]
    for (const [name, objects, warned] of stores) {
      const open = await openUnlisted(t, objects)
      for (const location of [`${scheme}://bucket/f/`, `${scheme}://bucket/f`]) {
        const { root, diagnostics } = await open(location)
        assert.ok(root.kind === 'array' || (root.kind === 'group' && root.members.has('a')), name)
        assert.deepEqual(
          diagnostics.flatMap(({ code }) => (code === 'document-denied' ? [code] : [])),
          warned,
          name,
        )
      }
    }
  })

  test(`where listing is not allowed, what is not there is denied, and groups without consolidated metadata say why (${scheme})`, async (t) => {
    const open = await openUnlisted(t, { 'f/.zgroup': ZGROUP, 'f/a/.zarray': ZARRAY })
    await assert.rejects(open(`${scheme}://bucket/none/`), failure('source-denied'))
    const named = { code: 'source-denied', context: { url: `${scheme}://bucket/none` } }
    await assert.rejects(open(`${scheme}://bucket/none`), named)
    await assert.rejects(open(`${scheme}://bucket/f/`), failure('unsupported-feature'))
  })

  test(`where listing is not allowed a file has no neighbours (${scheme})`, async (t) => {
    const open = await openUnlisted(t, {
      'a.tif': buildTiff([{ fields: greyFields(4, 2) }], { data: new Uint8Array(8) }),
    })
    const { root } = await open(`${scheme}://bucket/a.tif`)
    assert.equal(root.kind, 'group')
  })
}
