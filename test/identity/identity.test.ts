import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Origin, startOrigin } from '../helpers/origin.ts'
import { attackIdentity, startFronts, VALIDATORS } from './identity.ts'
import { IDENTITY_SAMPLES } from './samples.ts'

// The short form of `npm run identity`.
let origin: Origin
let started: Awaited<ReturnType<typeof startFronts>>
before(async () => {
  origin = await startOrigin()
  started = await startFronts(origin)
})
after(async () => {
  await started?.close()
  await origin?.close()
})

const STEPS = 60
for (const [at, sample] of IDENTITY_SAMPLES.entries()) {
  test(`${sample.name}: equal ETags imply equal bytes, whatever is replaced between requests`, async () => {
    // Each of them with every way of telling versions in the long form.
    const validators = VALIDATORS[at % VALIDATORS.length] ?? 'tag'
    const input = { sample, validators, seed: 1, steps: STEPS, origin, ...started }
    const { whole, documents, replacements } = await attackIdentity(input)
    assert.ok(whole > 5 && documents > 0 && replacements > 0, JSON.stringify({ whole, documents, replacements }))
  })
}
