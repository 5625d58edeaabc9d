import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSource } from '../../../src/service/open-source.ts'
import { Openings } from '../../../src/service/openings.ts'
import { parseStoreOptions } from '../../../src/service/store-options.ts'
import { openSources } from '../../../src/source/open.ts'
import { buildTiff, greyFields } from '../../formats/tiff/build.ts'
import { startOrigin } from '../../helpers/origin.ts'
import { QUICK } from '../world.ts'

const LIMITS = { bytes: 2 ** 24, requests: 1_000, milliseconds: 20_000, wholeBytes: 2 ** 24 }

test('what lies beside a file lies beside it in a bucket: a world file', async (t) => {
  const origin = await startOrigin()
  const sources = openSources({
    ...QUICK,
    clouds: { places: { s3: { endpoint: new URL(origin.base) } }, prefixes: [] },
  })
  t.after(async () => {
    await sources.close()
    await origin.close()
  })
  const missing = { kind: 'status', status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' } as const
  const there = ['/bucket/some%20folder/a.tif', '/bucket/some%20folder/a.tfw']
  origin.faultOf = ({ path }) => (there.includes(path) ? undefined : missing)
  origin.put('bucket/some%20folder/a.tif', buildTiff([{ fields: greyFields(4, 2) }], { data: new Uint8Array(8) }))
  origin.put('bucket/some%20folder/a.tfw', Buffer.from('2\n0\n0\n-2\n101\n99\n'))
  const { root } = await openSource('s3://bucket/some%20folder/a.tif', parseStoreOptions(new Map()), {
    sources,
    limits: LIMITS,
    openings: new Openings(),
  })
  assert.ok(root.kind === 'group' && root.members.has('x'), 'its place is known')
})
