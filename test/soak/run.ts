import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CORPUS_ABSENT } from '../corpus/golden.ts'
import { FAULTS } from '../faults/faults.ts'
import { rowsOf } from './curves.ts'
import { soak } from './soak.ts'
import { SOAK_SOURCES, someOfCorpora } from './sources.ts'

const HELP = `npm run soak -- [--minutes N] [--seed N] [--clients N] [--cache MB] [--memory MB] [--json FILE]

Sources of every format, read again and again while one answer of ten of their origin is faulty; documents, chunks and
exports are compared with what is answered where nothing fails. Exits with 1 after a wrong byte, a status of 500, a health
answer of over 250 ms that was not the machine's doing, or more memory than allowed.
--cache    what the server may hold of opened stores (48)
--memory   what its process may take (1024): as on a machine of so much
--json     writes the whole curve and all counts there`

/** Sources of the corpora; others with another seed. */
const FROM_CORPORA = 200

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '24' },
    cache: { type: 'string', default: '48' },
    memory: { type: 'string', default: '1024' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(HELP)
else {
  if (CORPUS_ABSENT !== false) console.log(`without the corpora: ${CORPUS_ABSENT}`)
  const report = await soak({
    milliseconds: Number(values.minutes) * 60_000,
    answers: Number.POSITIVE_INFINITY,
    seed: Number(values.seed),
    sources: [...SOAK_SOURCES, ...someOfCorpora(FROM_CORPORA, Number(values.seed))],
    faults: FAULTS,
    clients: Number(values.clients),
    cacheBytes: Number(values.cache) * 2 ** 20,
    mostBytes: Number(values.memory) * 2 ** 20,
  })
  const { curve, exact, others, finds, ...rest } = report
  console.table(rowsOf(curve, 20))
  console.table({ ...Object.fromEntries(exact), ...Object.fromEntries(others) })
  console.log(JSON.stringify(rest))
  for (const find of finds) console.log(find)
  console.log(`${finds.length} finds, seed ${values.seed}`)
  if (values.json !== undefined) {
    const whole = { ...report, exact: Object.fromEntries(exact), others: Object.fromEntries(others) }
    writeFileSync(values.json, JSON.stringify(whole))
  }
  process.exitCode = finds.length === 0 ? 0 : 1
}
