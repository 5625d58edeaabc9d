import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { exportKerchunk } from '../../src/service/export/export.ts'
import { exportIcechunk } from '../../src/service/export/icechunk/export.ts'
import { JoinWorld, month } from './helpers.ts'

describe('exports of joins', () => {
  const world = new JoinWorld()
  const lat = Array.from({ length: 40_000 }, (_none, row) => row)
  before(async () => {
    await world.start()
    for (const n of [1, 2, 3]) world.put(`f${n}.nc`, month(`2000-01-0${n * 3}`, 3, { lat, first: n }))
    const other = { attributes: { units: 'K', scale_factor: 3 } }
    world.put('other.nc', month('2000-01-04', 20, { lat, temperature: other }))
  })
  after(() => world.close())

  const references = async (document: object) => {
    const name = `exported-${Math.random()}.json`
    world.join(document, name)
    const { pieces } = await exportKerchunk(await world.open(name, { codecs: 'native' }).describe())
    return (JSON.parse(pieces.join('')) as { refs: Readonly<Record<string, string | readonly (string | number)[]>> })
      .refs
  }

  test('chunks are references to the files that hold them, however long each file is', async () => {
    const refs = await references({ sources: ['f1.nc', 'f2.nc', 'f3.nc'], along: 'time' })
    const chunks = Object.entries(refs).filter(([key]) => /^t\/\d/.test(key))
    const { shape, chunks: chunk } = JSON.parse(String(refs['t/.zarray'])) as Record<'shape' | 'chunks', number[]>
    assert.deepEqual(shape, [9, 40_000])
    for (const [key, reference] of chunks) {
      const row = Number(key.split(/[/.]/)[1]) * (chunk?.[0] ?? 1)
      assert.equal(reference[0], world.origin.url(`f${Math.floor(row / 3) + 1}.nc`), key)
    }
    const bytes = chunks.reduce((sum, [, reference]) => sum + Number(reference[2]), 0)
    assert.equal(bytes, 9 * 40_000 * 4)
    assert.match(String(refs['time/0']), /^base64:/)
  })

  test('COMB-1: what no reference can say is refused as a whole, naming the first file that is the reason', async () => {
    await assert.rejects(references({ sources: ['f1.nc', 'other.nc'], along: 'time' }), {
      code: 'malformed-source',
      message: /^t can not be written as references: .*f1\.nc: its chunks are recoded/,
    })
  })

  test('COMB-1: nor can a repository of Icechunk have it: nothing of that is written', async () => {
    const files = async (sources: readonly string[]) => {
      world.join({ sources, along: 'time' }, `${sources.join('-')}.json`)
      const paths: string[] = []
      const described = await world.open(`${sources.join('-')}.json`, { codecs: 'native' }).describe()
      for await (const [path] of exportIcechunk(described)) paths.push(path)
      return paths
    }
    assert.ok((await files(['f1.nc', 'f2.nc'])).includes('refs/branch.main/ref.json'))
    await assert.rejects(files(['f1.nc', 'other.nc']), {
      code: 'malformed-source',
      message: /^t can not be written as references: .*f1\.nc: its chunks are recoded/,
    })
  })

  test('a file that is down fails the export, and is not left out', async () => {
    world.put('down.nc', month('2000-01-20', 3, { lat }))
    const document = { sources: ['f1.nc', 'down.nc', 'f3.nc'], along: 'time', lengths: 3 }
    world.origin.fault({ kind: 'status', status: 500 }, Number.POSITIVE_INFINITY, 'down.nc')
    await assert.rejects(references(document), { code: 'source-unavailable' })
    world.origin.heal()
  })
})
