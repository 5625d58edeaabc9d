import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { JoinWorld, numbers } from './helpers.ts'

const world = new JoinWorld()
before(() => world.start())
after(() => world.close())

test('masks of joined files are refused where they are asked for, and not passed over', async () => {
  const bytes = readFileSync(new URL('../fixtures/joins/masked.tif', import.meta.url))
  for (const name of ['a.tif', 'b.tif']) world.origin.put(name, bytes)
  world.join({ sources: ['a.tif', 'b.tif'], along: { new: 'run' } }, 'masked.json')
  assert.equal((await numbers(world.open('masked.json'), 'band_data')).length, 128)
  const { store } = await world.open('masked.json', { missing: 'mask' }).describe()
  const node = store.nodes.get('band_data')
  assert(node?.kind === 'skipped')
  assert.match(node.skipped.reason, /masks of files that are joined are not joined/)
})
