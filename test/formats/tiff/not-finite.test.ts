import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { member } from '../../corpus/golden.ts'
import { type BuiltField, buildTiff, greyFields } from './build.ts'
import { parseTiff } from './parse.ts'
import { storesOf } from './store.ts'

const EXTREMES = [Number.NaN, Infinity, -Infinity, 1e308, -1.7e308, 5e-324, 0, 1, -10, 3.5]
const KEYS = [
  1, 1, 0, 6, 1024, 0, 1, 1, 3072, 0, 1, 32_767, 3075, 0, 1, 1, 2048, 0, 1, 4326, 3080, 34_736, 1, 0, 3092, 34_736, 1,
  1,
]

test('control points with NaN, as in crash-2020-10 of Pillow, are left out with a diagnostic', async () => {
  const points = [0, 0, 0, 5, 50, 0, 3, 0, 0, 6, Number.NaN, 0, 0, 2, 0, 7, 49, 0]
  const fields = greyFields(4, 2, [{ tag: 33922, type: 12, values: points }])
  const { root, diagnostics } = await parseTiff(buildTiff([{ fields }], { data: new Uint8Array(8) }))
  assert.deepEqual(
    diagnostics.map(({ code }) => code),
    ['tag-dropped'],
  )
  const reference = root.members.get('spatial_ref')
  const text = reference?.kind === 'array' ? reference.attributes.get('gcps') : undefined
  const features = JSON.parse(String(text)).features as readonly { geometry: { coordinates: unknown } }[]
  assert.deepEqual(
    features.map(({ geometry }) => geometry.coordinates),
    [
      [5, 50, 0],
      [7, 49, 0],
    ],
  )
})

test('whatever numbers the tags of a placement hold, documents are JSON', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tiff-not-finite-'))
  const stores = storesOf(pathToFileURL(`${folder}/`))
  let random = 7
  const below = (most: number) => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((random / 2 ** 32) * most)
  }
  const numbers = (count: number) => Array.from({ length: count }, () => EXTREMES[below(EXTREMES.length)] ?? 0)
  let served = 0
  try {
    for (let round = 0; round < 200; round++) {
      const changes: readonly BuiltField[] = [
        ...(below(3) > 0 ? [{ tag: 33550, type: 12, values: numbers(3) }] : []),
        ...(below(3) > 0 ? [{ tag: 33922, type: 12, values: numbers(6 * (1 + below(3))) }] : []),
        ...(below(3) > 1 ? [{ tag: 34264, type: 12, values: numbers(16) }] : []),
        ...(below(2) > 0
          ? [
              { tag: 34735, type: 3, values: KEYS },
              { tag: 34736, type: 12, values: numbers(2) },
            ]
          : []),
        ...(below(2) > 0 ? [{ tag: 50844, type: 12, values: numbers(92) }] : []),
        { tag: 282, type: 12, values: numbers(1) },
      ]
      writeFileSync(
        join(folder, `${round}.tif`),
        buildTiff([{ fields: greyFields(4, 2, changes) }], { data: new Uint8Array(8) }),
      )
      for (const layout of ['dataset', 'levels', 'ifd']) {
        try {
          const document = await stores.open(`${round}.tif`, { layout }).document('')
          assert.ok(member(document, 'attributes') !== undefined)
          served++
        } catch (error) {
          assert.ok(isVirtualZarrError(error), `${round}, layout=${layout}: ${String(error)}`)
        }
      }
    }
    assert.ok(served > 300, `${served} served`)
  } finally {
    await stores.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
