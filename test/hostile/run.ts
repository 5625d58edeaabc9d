import { parseArgs } from 'node:util'
import { MOST_BLOCKED_MILLISECONDS, MOST_RESIDENT_BYTES, storm } from './at-once.ts'
import { startBombOrigin } from './bomb-origin.ts'
import { CHUNK_BOMBS } from './chunk-bombs.ts'
import { DOCUMENT_BOMBS } from './document-bombs.ts'
import { FILE_BOMBS } from './file-bombs.ts'
import { HDF5_BOMBS } from './hdf5-bombs.ts'
import { SWELLING_BOMBS } from './swelling-bombs.ts'

const HELP = `npm run bombs -- [--only TEXT] [--copies N]

Every hostile source, asked for ten times at once of a server that has just started: its memory and the longest pause of its event loop.
--only     those whose names hold this text
--copies   how many at once (10)`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    copies: { type: 'string', default: '10' },
    help: { type: 'boolean', default: false },
  },
})

async function run(): Promise<number> {
  const origin = await startBombOrigin()
  let over = 0
  const bombs = [...CHUNK_BOMBS, ...HDF5_BOMBS, ...FILE_BOMBS, ...DOCUMENT_BOMBS, ...SWELLING_BOMBS]
  for (const bomb of bombs.filter(({ name }) => name.includes(values.only))) {
    const cost = await storm(bomb, Number(values.copies), origin)
    const isOver = cost.residentBytes > MOST_RESIDENT_BYTES || cost.blockedMilliseconds > MOST_BLOCKED_MILLISECONDS
    if (isOver || cost.statuses.some((status) => status === 500)) over++
    const figures = [
      `${Math.round(cost.residentBytes / 2 ** 20)} MB`,
      `${Math.round(cost.blockedMilliseconds)} ms`,
      `${(cost.milliseconds / 1000).toFixed(1)} s`,
    ]
    console.log(
      `${isOver ? 'OVER' : 'ok  '} ${figures.join(', ')}: ${bomb.name}: ${cost.statuses.join(' ')} ${cost.problem}`,
    )
  }
  await origin.close()
  return over
}

if (values.help) console.log(HELP)
else process.exitCode = (await run()) === 0 ? 0 : 1
