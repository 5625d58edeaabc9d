// Files replaced between any two requests: equal strong ETags must imply equal bytes. `npm run identity`.
import { parseArgs } from 'node:util'
import { startOrigin } from '../helpers/origin.ts'
import { attackIdentity, frontAt, type IdentityCount, noCount, startFronts, VALIDATORS } from './identity.ts'
import { IDENTITY_SAMPLES } from './samples.ts'

const { values } = parseArgs({
  options: {
    /** How long; without it every sample once with each way of telling versions. */
    minutes: { type: 'string' },
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '200' },
    /** Samples whose names hold this. */
    only: { type: 'string', default: '' },
    /** Base URL of a cache with processes behind it, which may read the origin; may be given more than once. */
    through: { type: 'string', multiple: true },
    /** Where the origin listens, for those that must be allowed to read it. */
    'origin-port': { type: 'string', default: '0' },
  },
})

const origin = await startOrigin(Number(values['origin-port']))
const started = await startFronts(origin)
const fronts = values.through?.map(frontAt) ?? started.fronts
const samples = IDENTITY_SAMPLES.filter(({ name }) => name.includes(values.only))
const end = Date.now() + Number(values.minutes ?? 0) * 60_000
const totals = new Map<string, IdentityCount & { failures: number }>()
let seed = Number(values.seed)
do {
  for (const sample of samples)
    for (const validators of VALIDATORS) {
      const total = totals.get(sample.name) ?? { ...noCount(), failures: 0 }
      totals.set(sample.name, total)
      try {
        const input = { sample, validators, seed, steps: Number(values.steps), origin, fronts, still: started.still }
        const count = await attackIdentity(input)
        for (const [name, value] of Object.entries(count)) total[name as keyof IdentityCount] += value
      } catch (error) {
        total.failures++
        console.log(error instanceof Error ? error.message : error)
      }
    }
  seed++
} while (Date.now() < end)
console.table(Object.fromEntries(totals))
await started.close()
await origin.close()
process.exitCode = [...totals.values()].some(({ failures }) => failures > 0) ? 1 : 0
