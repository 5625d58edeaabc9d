import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { parseJson } from '../../../src/json/parse.ts'
import { object } from '../../corpus/golden.ts'
import { hashOf } from '../../corpus/values.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { filesBelow, type TestStores, testStores } from '../../helpers/test-stores.ts'
import { knownHashes } from './golden.ts'

const CORPUS = new URL('../../../../shared/corpus/icechunk/', import.meta.url)
const skip = existsSync(CORPUS) ? false : 'the shared corpus (../shared/corpus/icechunk) is not on this machine'

/** What the corpus' oracle, an alpha version, could not read: as icechunk 2.3.0 reads it. */
const BY_2_3_0: Readonly<Record<string, string>> = {
  'expire-repo-v2-by-2.0.5 main group1/data': '3071705293c52ed3e7a0e944bcac74cc7475764d5f3e3c25028fa9d5400f823a',
  'expire-repo-v2-by-2.0.5 feature group1/data': '463e2b50340dae88a503aacd7d94bdb0f80356556a0978aedd049ec31c7f7717',
  'split-repo-v2 main group1/small_chunks': '9be3c2452d91284fb7490296003a9cb02edb4289ac0113404b09bee7eb588e33',
  'split-repo-v2 main group1/split': '1e7feef4192bc9bd4666905aec8826ebfc85aa679ebb648255b3a8b779b823ce',
}

describe('every branch of every repository of the corpus has the values that its oracle reads', { skip }, () => {
  let stores: TestStores
  before(() => {
    stores = testStores(filesBelow(CORPUS))
  })
  after(() => stores.close())

  for (const [name, json] of skip === false ? Object.entries(files()) : []) {
    const golden = object(json)
    for (const [branch, arrays] of Object.entries(object(golden['branches']))) {
      test(`${name}, branch ${branch}`, async () => {
        const store = stores.open(`${CORPUS.href}${name}/`, { ref: branch })
        const { nodes } = (await store.describe()).store
        const served = [...nodes].filter(([, { kind }]) => kind === 'array').map(([path]) => path)
        assert.deepEqual(served.sort(), Object.keys(object(arrays)).sort())
        for (const path of served) {
          const hash = knownHashes(object(arrays)).get(path) ?? BY_2_3_0[`${name} ${branch} ${path}`]
          if (hash === undefined) await assertVirtual(nodes.get(path))
          else assert.equal(hashOf(await store.values(path)), hash, path)
        }
      })
    }
    for (const [tag, snapshot] of Object.entries(object(golden['tags']))) {
      test(`${name}, tag ${tag}`, async () => {
        const { parsed } = await stores.open(`${CORPUS.href}${name}/`, { ref: tag }).describe()
        assert.equal(parsed.version, snapshot)
      })
    }
  }
})

function files() {
  return object(object(parseJson(readFileSync(new URL('golden.json', CORPUS), 'utf8')))['files'])
}

type Nodes = Awaited<ReturnType<ReturnType<TestStores['open']>['describe']>>['store']['nodes']

/** Its values are elsewhere, out of reach. */
async function assertVirtual(node: ReturnType<Nodes['get']>): Promise<void> {
  assert.ok(node?.kind === 'array')
  const { gridShape } = asStored(node.array).chunks
  const refs = await Promise.all(
    [0, ...gridShape.keys()].map(() => asStored(node.array).chunks.at(gridShape.map(() => 0))),
  )
  assert.ok(refs.every(({ kind }) => kind === 'range'))
}
