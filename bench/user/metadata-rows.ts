import { parseReply } from '../../test/corpus/store-client.ts'
import { Choices } from '../../test/helpers/choices.ts'
import { chunkKeys } from '../../test/helpers/chunk-keys.ts'
import type { Goal, Line, Row, RowContext } from './rows.ts'
import { fetchBytes, largestArrayOf, type Measurement, measure, storeUrl } from './tools.ts'

const RUNS = 3
const SCATTERED_CHUNKS = 1000
const SCATTERED_CHUNK_BYTES = 2 ** 17
const SCATTERED_READERS = 8
/** Of requests and bytes, beside reading each chunk alone. */
const MAX_SCATTERED_RATIO = 1.05

export const METADATA_ROWS: readonly Row[] = [
  { name: 'second-pass', files: ['era5_short.nc', 'warm.nc'], measure: secondPass },
  documentRow('missing-fill', 'atl06.h5;missing=fill: document', 'atl06.h5', ';missing=fill', { rounds: 3 }),
  documentRow(
    'fits-200',
    'FITS of 200 HDUs of up to 1 MB: document',
    'hdus200.fits',
    '',
    { rounds: 20 },
    'astropy_headers',
  ),
  documentRow(
    'fits-1000',
    'FITS of 1,000 HDUs of up to 77 kB: document',
    'hdus1000.fits',
    '',
    { rounds: 10 },
    'astropy_headers',
  ),
  documentRow('grib-idx', 'GRIB of 1.06 GB, 2,040 messages, with .idx: document', 'idx.grib2', '', { requests: 30 }),
  documentRow('grib-index', 'GRIB of 1.06 GB, 2,040 messages, with .index: document', 'index.grib2', '', {
    requests: 30,
  }),
  { name: 'scattered', files: ['tiles.tif'], measure: scattered },
]

/** The document of a file that nobody has opened, beside a peer that lists the same. */
function documentRow(name: string, work: string, file: string, options: string, goal: Goal, peer?: string): Row {
  async function* lines(context: RowContext): AsyncGenerator<Line> {
    const { origin, service } = context
    const open = () =>
      measure(origin, service, async () => {
        await fetchBytes(`${storeUrl(service, context.freshUrl(file), options)}zarr.json`)
        return undefined
      })
    await open()
    yield { work, who: 'ours', measurements: await repeated(open), goal }
    if (peer === undefined) return
    const reader = await context.reader()
    await reader.read(peer, context.freshUrl(file))
    const theirs = await repeated(() => measure(origin, undefined, () => reader.read(peer, context.freshUrl(file))))
    await reader.stop()
    yield { work, who: peer.split('_')[0] ?? peer, measurements: theirs }
  }
  return { name, files: [file], measure: lines }
}

async function* secondPass(context: RowContext): AsyncGenerator<Line> {
  const { origin, service } = context
  const reader = await context.reader()
  await reader.read('zarr_point', storeUrl(service, context.freshUrl('warm.nc')))
  const url = storeUrl(service, context.freshUrl('era5_short.nc'))
  await reader.read('zarr_point', url)
  const again = await measure(origin, service, () => reader.read('zarr_point', url))
  await reader.stop()
  yield { work: 'the series once more', who: 'ours', measurements: [again], goal: { requests: 365 } }
}

/** Chunks far from each other, by several readers at once: nothing but them should be read. */
async function* scattered(context: RowContext): AsyncGenerator<Line> {
  const { origin, service } = context
  const store = storeUrl(service, context.freshUrl('tiles.tif'))
  const document = parseReply({ bytes: await fetchBytes(`${store}zarr.json`) })
  const keys = new Choices(1).shuffled(chunkKeys(largestArrayOf(document), 16_384)).slice(0, SCATTERED_CHUNKS)
  const measured = await measure(origin, service, async () => {
    const left = keys.values()
    const client = async () => {
      for (const key of left) await fetchBytes(store + key)
    }
    await Promise.all(Array.from({ length: SCATTERED_READERS }, client))
    return undefined
  })
  const ratios = [measured.requests / SCATTERED_CHUNKS, measured.bytes / SCATTERED_CHUNKS / SCATTERED_CHUNK_BYTES]
  const note = `${ratios.map((ratio) => ratio.toFixed(3)).join(' and ')} of reading each alone, goal ${MAX_SCATTERED_RATIO}`
  const goal = { requests: SCATTERED_CHUNKS * MAX_SCATTERED_RATIO }
  yield { work: '1,000 scattered chunks of 128 KiB', who: 'ours', measurements: [measured], goal, note }
}

async function repeated(run: () => Promise<Measurement>): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  for (let count = 0; count < RUNS; count++) measurements.push(await run())
  return measurements
}
