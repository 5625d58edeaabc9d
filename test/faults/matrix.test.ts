import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { FAULTS } from './faults.ts'
import { type Count, flip, oneOfTen } from './flipping.ts'
import { type Case, casesOf, run, type World } from './matrix.ts'
import { SAMPLES } from './samples.ts'
import { WAYS } from './validators.ts'
import { startWorld } from './world.ts'

// The short form of `npm run faults`, which runs all of them.

let world: World & { close(): Promise<void> }
before(async () => {
  world = await startWorld()
})
after(async () => await world.close())

/** Each fault of metadata and chunks, once and for ever, with formats and validators taken in turn. */
function chosen(fault: string): readonly Case[] {
  const place = FAULTS.findIndex(({ name }) => name === fault)
  const cases = [...casesOf(SAMPLES, WAYS)].filter((one) => one.fault.name === fault)
  // Of the pairs of format and validator each fault gets another one for each of its four cases: a prime that divides none of them apart.
  const pairs = SAMPLES.length * WAYS.length
  return [0, 1, 2, 3].flatMap((kind) => cases.at((((place * 4 + kind) * 37) % pairs) * 4 + kind) ?? [])
}

describe('BYTES-3: faults of origins, a few cases of each', { concurrency: 6 }, () => {
  for (const { name } of FAULTS) {
    test(`${name}: exact or told as what it is, of metadata and chunks, once and for ever`, async () => {
      const cases = chosen(name)
      assert.equal(new Set(cases.map(({ target, times }) => `${target} ${times}`)).size, 4)
      for (const one of cases) {
        const { sample, way, target, times } = one
        assert.equal(await run(one, world), undefined, `${sample.name}, ${way.name}, ${target}, ${times}`)
      }
    })
  }
})

test('fault 13: sources that are replaced all the time are never mixed, in all eleven ways of telling versions', async () => {
  world.origin.faultOf = oneOfTen(7)
  const counts: Count[] = []
  for (const [at, way] of WAYS.entries()) {
    // Bodies over 64 KiB, gathered and single ones, of files, references and objects.
    const samples = SAMPLES.filter(({ name }) => ['tiff', 'kerchunk', 'zarr'].includes(name))
    counts.push(...(await Promise.all(samples.map((sample) => flip(sample, way, 400, world, at)))))
  }
  world.origin.faultOf = () => undefined
  const sum = (name: keyof Count) => counts.reduce((total, count) => total + count[name], 0)
  assert.deepEqual([sum('mixed'), sum('otherVersion'), sum('failed')], [0, 0, 0])
  assert.ok(sum('whole') > 100, `${sum('whole')} chunks`)
})
