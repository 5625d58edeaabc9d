import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planDelivery } from '../../src/delivery/plan.ts'
import { rawEncoding } from '../../src/model/encoding.ts'
import { withArrayExport } from '../../src/service/export/array.ts'
import { ReferenceExporter } from '../../src/service/export/references.ts'
import { virtualArray } from '../helpers/virtual-array.ts'

const FILE = 'https://example.org/a.h5'
const SIGNED = `${FILE}?X-Amz-Signature=0123456789abcdef`

/** How many chunks an export of an array of so many looks up before it is refused. */
async function lookedUp(url: string, count: number, parsed: { format?: string; isInflated?: boolean } = {}) {
  const { format = 'hdf5', isInflated = false } = parsed
  let asked = 0
  const array = virtualArray({
    shape: [count],
    chunkShape: [1],
    encodings: [rawEncoding('little')],
    chunks: {
      gridShape: [count],
      at: ([at = 0]) => {
        asked++
        return { kind: 'range', source: 0, offset: 8 * at, length: 8, encoding: 0 }
      },
      weight: () => 0,
    },
  })
  const source = {}
  const own = { url, references: [url], format, source, documents: [isInflated ? {} : source], alternatives: new Map() }
  const references = new ReferenceExporter({ parsed: own, world: {} } as never)
  const node = { kind: 'array', array, plan: planDelivery(array, 'native'), missing: 'cf', grid: [count] }
  const progress = { counted: (_node: unknown, exported: unknown) => exported }
  const exported = withArrayExport(
    node as never,
    { references, progress, room: { take: () => undefined } } as never,
    async (one) => {
      for await (const _references of one.references(0, count));
    },
  )
  const refusal = await exported.then(
    () => undefined,
    (error: Error) => error.message,
  )
  return { asked, refusal }
}

test('a file whose URL may be secret, or that is compressed as a whole, is refused before an index of chunks is read', async () => {
  const secret = await lookedUp(SIGNED, 1000)
  assert.equal(secret.asked, 0)
  assert.match(secret.refusal ?? '', /the query of its URL may be secret/)
  const compressed = await lookedUp(`${FILE}.gz`, 1000, { isInflated: true })
  assert.equal(compressed.asked, 0)
  assert.match(compressed.refusal ?? '', /compressed as a whole/)
})

test('few chunks are looked at, which may be values at hand, and so are those of an index', async () => {
  assert.ok((await lookedUp(SIGNED, 2)).asked > 0)
  assert.ok((await lookedUp(SIGNED, 1000, { format: 'kerchunk' })).asked > 0)
  const plain = await lookedUp(FILE, 1000)
  assert.ok(plain.asked >= 1000 && plain.refusal === undefined, JSON.stringify(plain))
})
