import { readFileSync, writeFileSync } from 'node:fs'
import { parseReply } from '../../test/corpus/store-client.ts'
import { chunkKeys } from '../../test/helpers/chunk-keys.ts'
import type { Line, Row, RowContext } from './rows.ts'
import { fetchBytes, largestArrayOf, type Measurement, measure, storeUrl } from './tools.ts'

const EXAMPLES = [
  'sea-surface.nc',
  'relief.nc',
  'currents.nc.dmrpp',
  'harvest.tif',
  'nebula.fits',
  'forecast.grib2',
  'vegetation.hdf',
  'chlorophyll.zarr/',
  'rivers.zarr.zip',
  'storms.json',
  'tides.icechunk/',
  'rain.json',
  'coast.json',
  'meadow.json',
]
const GENERATED = [
  'era5_short.nc',
  'grid.nc',
  'atl06.h5',
  'cog.tif',
  'tiles.tif',
  'hdus200.fits',
  'idx.grib2',
  'day.nc',
]
/** The counts of each step that no change may exceed; `BENCH_RECORD=1` writes them anew. */
const EXPECTED = new URL('cold-opens.json', import.meta.url)

interface Counts {
  readonly requests: readonly number[]
  readonly rounds: readonly number[]
}

/** Of every format a source that nobody has opened: its document, its first chunk, and another one far from it. */
export const COLD_ROWS: readonly Row[] = [
  { name: 'cold', files: GENERATED, measure: (context) => coldOpens(context, [...EXAMPLES, ...GENERATED]) },
]

/** Of the bundled examples, which nothing has to be generated for. */
export const COLD_EXAMPLES: Row = { name: 'cold', files: [], measure: (context) => coldOpens(context, EXAMPLES) }

async function* coldOpens(context: RowContext, files: readonly string[]): AsyncGenerator<Line> {
  const expected = JSON.parse(readFileSync(EXPECTED, 'utf8')) as Record<string, Counts>
  const found: Record<string, Counts> = { ...expected }
  for (const file of files) {
    // The first time, code is compiled, and concurrent requests overlap less.
    await openCold(context, file)
    const measurements = await openCold(context, file)
    const counts = {
      requests: measurements.map(({ requests }) => requests),
      rounds: measurements.map(({ rounds }) => rounds),
    }
    found[file] = counts
    const note = excessOf(counts, expected[file])
    yield { work: `cold open of ${file}`, who: 'document; chunk; another', measurements, areSteps: true, ...note }
  }
  if (process.env['BENCH_RECORD'] === '1') writeFileSync(EXPECTED, `${JSON.stringify(found, undefined, 2)}\n`)
}

function excessOf({ requests, rounds }: Counts, expected: Counts | undefined): { readonly note?: string } {
  if (expected === undefined) return { note: 'NOT EXPECTED: no counts are recorded' }
  const exceeds = (counts: readonly number[], most: readonly number[]) =>
    counts.some((count, step) => count > (most[step] ?? 0))
  if (!exceeds(requests, expected.requests) && !exceeds(rounds, expected.rounds)) return {}
  process.exitCode = 1
  return { note: `MORE than ${expected.requests.join('; ')} requests, ${expected.rounds.join('; ')} rounds` }
}

async function openCold({ origin, service, freshUrl }: RowContext, file: string): Promise<Measurement[]> {
  const store = storeUrl(service, freshUrl(file))
  let document = new Uint8Array()
  const opened = await measure(origin, service, async () => {
    document = new Uint8Array(await fetchBytes(`${store}zarr.json`))
    return undefined
  })
  const chunk = (key: string) =>
    measure(origin, service, async () => {
      await fetchBytes(store + key, [200, 404])
      return undefined
    })
  const keys = chunkKeys(largestArrayOf(parseReply({ bytes: document })), 2)
  const [first, last] = [keys[0], keys.at(-1)]
  if (first === undefined || last === undefined) throw new Error(`${file} has no chunk`)
  return [opened, await chunk(first), await chunk(last)]
}
