import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { checkStore, readGolden } from './golden.ts'

const CORPUS = new URL('../../../../shared/corpus/zarr/', import.meta.url)
const skip = existsSync(CORPUS) ? false : 'the shared corpus (../shared/corpus/zarr) is not on this machine'

test('every store of the corpus has the structure that its oracle reads', { skip }, async (t) => {
  for (const [name, golden] of readGolden(CORPUS)) await t.test(name, () => checkStore(CORPUS, name, golden))
})
