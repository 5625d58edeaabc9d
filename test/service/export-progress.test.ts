import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { exportKerchunk } from '../../src/service/export/export.ts'
import { exportIcechunk } from '../../src/service/export/icechunk/export.ts'
import { exportParquet } from '../../src/service/export/parquet.ts'
import { ExportProgress } from '../../src/service/export/progress.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../../src/source/settings.ts'
import { testStores } from '../helpers/test-stores.ts'

const EXAMPLES = new URL('../../examples/', import.meta.url)
const stores = testStores({ ...DEFAULT_SOURCE_SETTINGS, fileRoots: [EXAMPLES.pathname] })
after(async () => await stores.close())

const WAYS = {
  kerchunk: async (...input: Parameters<typeof exportKerchunk>) => void (await exportKerchunk(...input)),
  parquet: async (...input: Parameters<typeof exportParquet>) => {
    for await (const _file of exportParquet(...input));
  },
  icechunk: async (...input: Parameters<typeof exportIcechunk>) => {
    for await (const _file of exportIcechunk(...input));
  },
}

for (const [to, run] of Object.entries(WAYS)) {
  // The sharded array of the forest has other chunks in references than it is served with.
  for (const name of ['sea-surface.nc', 'atmosphere.nc', 'forest.zarr/']) {
    test(`an export of ${name} to ${to} tells how far it is: never back, and all in the end`, async () => {
      const description = await stores.open(new URL(name, EXAMPLES).href, { codecs: 'native' }).describe()
      const progress = new ExportProgress(description)
      const seen: number[] = []
      const counted = progress.counted.bind(progress)
      progress.counted = (node, exported) => {
        const { reference, ...rest } = counted(node, exported)
        const told = async (coords: readonly number[]) => {
          const found = await reference(coords)
          seen.push(progress.soFar.read)
          return found
        }
        return { ...rest, reference: told }
      }
      await run(description, progress)
      const { read, of } = progress.soFar
      assert.equal(read, of)
      assert.ok(of > 4 && seen.length > 4)
      assert.deepEqual(
        seen,
        seen.toSorted((a, b) => a - b),
      )
      assert.ok(seen.some((count) => count > 0 && count < of))
    })
  }
}
