import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VirtualGroup } from '../../../src/model/virtual-store.ts'
import { attributesDocument } from '../../../src/zarr/attributes.ts'
import { arrayAt } from '../../helpers/members.ts'
import { parseFixture } from './parse.ts'
import { readArray } from './read-array.ts'

async function valueAt(root: VirtualGroup, path: string, source: Parameters<typeof readArray>[1]): Promise<number> {
  const values = await readArray(arrayAt(root, path), source)
  assert.ok(values.kind === 'fixed')
  return new DataView(values.bytes.buffer, values.bytes.byteOffset).getInt32(0, true)
}

for (const name of ['names_old.h5', 'names_new.h5']) {
  test(`${name}: names that are not UTF-8 are Latin-1, each its own, with a note of what they are in the file`, async () => {
    const { root, source, diagnostics } = await parseFixture(name)
    const values = new Map<string, number>()
    for (const member of root.members.keys()) {
      if (member.startsWith('caf')) values.set(member, await valueAt(root, member, source))
    }
    assert.deepEqual(Object.fromEntries(values), { café: 3, cafè: 2, café_2: 1 })
    assert.equal(arrayAt(root, 'café').attributes.get('virtual_zarr:name'), undefined)
    assert.equal(arrayAt(root, 'cafè').attributes.get('virtual_zarr:name'), 'caf\\xe8')
    assert.equal(arrayAt(root, 'café_2').attributes.get('virtual_zarr:name'), 'caf\\xe9')
    const told = diagnostics.filter(({ code, path }) => code === 'name-encoding-guessed' && path === '')
    assert.deepEqual(
      told.map(({ values: names }) => [...(names as string[])].sort()),
      [['cafè', 'café_2']],
    )
  })

  test(`${name}: soft links are followed by the bytes of names, not by what they look like`, async () => {
    const { root, source } = await parseFixture(name)
    for (const value of [1, 2, 3]) assert.equal(await valueAt(root, `soft${value}`, source), value)
  })

  test(`${name}: attribute text that is not UTF-8 is Latin-1 whatever it declares, alone and within values`, async () => {
    const { root, diagnostics } = await parseFixture(name)
    const told: { code: string; values?: unknown }[] = []
    const warn = (diagnostic: (typeof told)[number]) => void told.push(diagnostic)
    const document = attributesDocument(arrayAt(root, 'd').attributes, { path: 'd', warn })
    assert.deepEqual(
      { ...document, record: { ...(document['record'] as object) } },
      {
        ascii: '°C',
        utf8: '°C',
        variable: '°F',
        é: 'one',
        é_2: 'two',
        grid: [
          ['°C', 'K'],
          ['m', 'µm'],
        ],
        record: { n: 1, unit: '°' },
      },
    )
    assert.deepEqual(
      told.map(({ code, values }) => [code, values]),
      [['text-encoding-guessed', ['ascii', 'utf8', 'variable', 'grid', 'record']]],
    )
    const names = diagnostics.filter(({ code, path }) => code === 'name-encoding-guessed' && path === 'd')
    assert.deepEqual(
      names.map(({ values }) => values),
      [['é']],
    )
  })
}

test('dimension scales that references of HDF5 1.12 name are those that netCDF4 1.7 shows', async () => {
  const { root } = await parseFixture('new_references.h5')
  assert.deepEqual(arrayAt(root, 'd').dimensionNames, ['y', 'x'])
})
