import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { checkArray, checkSkipped } from '../../corpus/check-array.ts'
import { CORPUS, CORPUS_ABSENT, type GoldenFile, list, member, object, readGolden } from '../../corpus/golden.ts'
import { servedCorpus } from '../../corpus/served-corpus.ts'
import { ServedStore } from '../../corpus/served-store.ts'
import { assertProblem, get, nodeUrl } from '../../corpus/store-client.ts'

const FOLDER = new URL('kerchunk/', CORPUS)

describe('the shared corpus of references is served as its oracle reads it', { skip: CORPUS_ABSENT }, () => {
  const corpus = servedCorpus()

  for (const file of CORPUS_ABSENT ? [] : readGolden('kerchunk')) {
    const store = (options: string) => ServedStore.open(corpus.storeUrl(`kerchunk/${documentOf(file)}`, options))
    if (file.expect === 'ok') {
      test(`${file.name}: every array equals the oracle's, in portable, native and raw`, async () => {
        const profiles = {
          portable: await store(''),
          native: await store(';codecs=native'),
          raw: await store(';codecs=raw'),
        }
        for (const golden of file.arrays) {
          const what = `${file.name} ${golden.path}`
          if (golden.oracleError) await checkSkipped(golden, profiles.portable, what)
          else await checkArray(golden, profiles, what)
        }
      })
    } else {
      test(`${file.name}: its metadata is served, and its chunks are errors`, async () => {
        const { url, documents } = await store('')
        for (const [path, document] of documents) {
          if (document['node_type'] !== 'array') continue
          const count = list(document['shape']).map(Number)[0] ?? 0
          const chunk = Number(list(member(member(document['chunk_grid'], 'configuration'), 'chunk_shape'))[0])
          for (let index = 0; index < count / chunk; index++) {
            // 424 for a file that is not there, 502 for what makes no sense.
            assertProblem(await get(nodeUrl(url, path, `c/${index}`)), [424, 502], `${path} ${index}`)
          }
        }
      })
    }
  }
})

/** The golden file names the document within the case's folder; `.` is a Parquet set. */
function documentOf(file: GoldenFile): string {
  const text = readFileSync(new URL('golden.json', FOLDER), 'utf8')
  const entry = object(object(JSON.parse(text)['files'])[file.name] ?? {})
  const ref = String(entry['ref'])
  assert.ok(existsSync(new URL(`${file.name}/`, FOLDER)))
  return ref === '.' ? `${file.name}/` : `${file.name}/${ref}`
}
