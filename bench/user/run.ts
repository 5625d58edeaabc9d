import { fileURLToPath } from 'node:url'
import type { Keep } from '../processes.ts'
import { keepResults } from '../report.ts'
import { COLD_EXAMPLES, COLD_ROWS } from './cold-rows.ts'
import { benchFiles } from './environment.ts'
import { JOIN_ROWS } from './join-rows.ts'
import { METADATA_ROWS } from './metadata-rows.ts'
import { READING_ROWS } from './reading-rows.ts'
import type { Line, Row } from './rows.ts'
import { headOf, publish, rowWithGoal } from './table.ts'
import { startDefaultService, startOrigin, startReader } from './tools.ts'

const ROWS: readonly Row[] = [...READING_ROWS, ...JOIN_ROWS, ...METADATA_ROWS, ...COLD_ROWS]

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url))

/** What users wait for, as a table: `npm run bench user`, or `npm run bench user -- ROW…`. */
export async function benchUser(keep: Keep, names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !ROWS.some((row) => row.name === name))
  if (unknown.length > 0)
    throw new Error(`there is no row ${unknown.join(', ')}; there are: ${ROWS.map(({ name }) => name).join(', ')}`)
  await printRows(keep, names.length === 0 ? ROWS : ROWS.filter(({ name }) => names.includes(name)))
}

/** Whether opening the bundled examples costs as many requests and rounds as expected: some seconds, and needs no Python. */
export async function checkColdOpens(keep: Keep): Promise<void> {
  await printRows(keep, [COLD_EXAMPLES])
}

async function printRows(keep: Keep, rows: readonly Row[]): Promise<void> {
  const origin = await keep(startOrigin([benchFiles(rows.flatMap(({ files }) => files)), EXAMPLES]))
  const service = await keep(startDefaultService([origin.url]))
  let sources = 0
  const lines: Line[] = []
  console.log(headOf(['goal']))
  for (const row of rows) {
    const measured = row.measure({
      origin,
      service,
      reader: () => keep(startReader()),
      startService: (settings) => keep(startDefaultService([origin.url], settings)),
      freshUrl: (file) => `${origin.url}${row.name}${++sources}/${file}`,
    })
    for await (const line of measured) {
      lines.push(line)
      console.log(rowWithGoal(line))
    }
  }
  keepResults('user-', { lines })
  if (process.env['BENCH_PUBLISH'] === '1' && rows === ROWS) publish(lines)
}
