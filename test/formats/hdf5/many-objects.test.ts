import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import h5wasm from 'h5wasm/node'
import { hdf5 } from '../../../src/formats/hdf5/index.ts'
import type { VirtualGroup } from '../../../src/model/virtual-store.ts'
import { type RunningApp, runApp, storeUrlOf } from '../../helpers/app.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { parseContext } from '../../helpers/parse-context.ts'
import { parseFixture } from './parse.ts'

const FIXTURES = new URL('../../fixtures/hdf5/', import.meta.url)

async function parsedGroup(name: string, group: string) {
  const source = countingSource(new Uint8Array(readFileSync(new URL(name, FIXTURES))))
  const { context } = parseContext({ group })
  const root = await hdf5.parse(source, context)
  assert.equal(root.kind, 'group')
  return root as VirtualGroup
}

/** What documents are written from, without what knows its place in the file. */
function outline(group: VirtualGroup): unknown {
  return [...group.members].map(([name, member]) =>
    member.kind === 'group'
      ? [name, outline(member)]
      : member.kind === 'array'
        ? [name, member.shape, member.dimensionNames, member.dataType, member.fillValue, [...member.attributes]]
        : [name, member.reason],
  )
}

for (const name of ['netcdf.nc', 'new.h5']) {
  test(`${name}: each of its groups is the same when only that group is read`, async () => {
    const { root } = await parseFixture(name)
    let count = 0
    for (const [group, member] of root.members) {
      if (member.kind !== 'group') continue
      const part = await parsedGroup(name, group)
      assert.deepEqual([...part.members.keys()], [group])
      const own = part.members.get(group)
      assert.ok(own?.kind === 'group')
      assert.deepEqual(outline(own), outline(member), group)
      count++
    }
    assert.ok(count > 0, name)
  })
}

describe('a file of more objects than one store may have', () => {
  let app: RunningApp
  let folder: string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vz-many-'))
    await h5wasm.ready
    const path = join(folder, 'many.h5')
    const file = new h5wasm.File(path, 'w')
    const many = file.create_group('many')
    for (let i = 0; i < 25_100; i++) many.create_group(`g${i}`)
    const some = file.create_group('some')
    some.create_dataset({ name: 'v', data: Float64Array.of(1, 2, 3) })
    file.close()
    app = await runApp({ 'many.h5': readFileSync(path) })
  })
  after(async () => {
    await app?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true })
  })

  const get = (options: string, key: string) =>
    app.http.inject(storeUrlOf(app, 'many.h5').replace(/\/$/, `${options}/${key}`))

  test('is refused with the option that serves a part of it, and with groups that it has', async () => {
    const answer = await get('', 'zarr.json')
    assert.equal(answer.statusCode, 413)
    assert.match(answer.json().detail, /more than 25000 objects; ;group=PATH serves one of its groups \(many, some\)$/)
  })

  test('is served by the group that the option names, with its chunks', async () => {
    // In a new service the chunk may be asked for first.
    const chunk = await get(';group=some', 'v/c/0')
    assert.equal(chunk.statusCode, 200)
    assert.deepEqual([...new Float64Array(new Uint8Array(chunk.rawPayload).buffer)], [1, 2, 3])
    const { consolidated_metadata: all } = (await get(';group=some', 'zarr.json')).json()
    assert.deepEqual(Object.keys(all.metadata), ['v'])
    assert.equal((await get(';group=some', 'v/zarr.json')).json().shape[0], 3)
  })

  test('a group that is too large itself, and one that does not exist, are refused', async () => {
    const large = await get(';group=many', 'zarr.json')
    assert.equal(large.statusCode, 413)
    assert.match(large.json().detail, /the group many has more than 25000 objects/)
    const absent = await get(';group=nothing', 'zarr.json')
    assert.equal(absent.statusCode, 400)
    assert.match(absent.json().detail, /no group nothing; the last one that exists has many, some$/)
    assert.equal((await get('', 'zarr.json')).statusCode, 413)
  })
})
