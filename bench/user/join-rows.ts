import { setTimeout } from 'node:timers/promises'
import type { Line, Row, RowContext } from './rows.ts'
import { fetchBytes, type Measurement, measure, type Reader, storeUrl } from './tools.ts'

/** Beyond VZ_FRESH_SECONDS, whose default is a minute. */
const STALE_MILLISECONDS = 61_000
const MAX_OPEN_SECONDS = 120
const PEER_FILES = 100

export const JOIN_ROWS: readonly Row[] = [
  { name: 'join-1000', files: ['day.nc', 'join20.json', 'join1000.json', 'join1000unchecked.json'], measure: thousand },
  { name: 'join-10000', files: ['day.nc', 'join20.json', 'join10000.json'], measure: tenThousand },
  { name: 'join-declared', files: ['day.nc', 'join20.json', 'join10000declared.json'], measure: declared },
]

async function* thousand(context: RowContext): AsyncGenerator<Line> {
  const { origin } = context
  const service = await context.startService()
  const work = 'join of 1,000 files'
  const reader = await warmReader(context)
  await reader.read('open_zarr', storeUrl(service, context.freshUrl('join20.json')))
  const document = await measure(origin, service, async () => {
    await fetchBytes(`${storeUrl(service, context.freshUrl('join1000.json'))}zarr.json`)
    return undefined
  })
  yield { work: `${work}: document`, who: 'ours', measurements: [document], goal: { requests: 3 } }
  const url = storeUrl(service, context.freshUrl('join1000.json'))
  const open = (store: string) => measure(origin, service, () => reader.read('open_zarr', store))
  yield {
    work: `${work}: xr.open_zarr`,
    who: 'ours',
    measurements: [await open(url)],
    goal: { requests: 1005, seconds: 2 },
  }
  yield { work: `${work}: second open`, who: 'ours', measurements: [await open(url)], goal: { requests: 1 } }
  const unchecked = storeUrl(service, context.freshUrl('join1000unchecked.json'))
  await open(unchecked)
  await setTimeout(STALE_MILLISECONDS)
  const goal = { requests: 1001, rounds: 16 }
  yield { work: `${work}: opened a minute later`, who: 'ours', measurements: [await open(url)], goal }
  const later = `${work}, check: none: opened a minute later`
  yield { work: later, who: 'ours', measurements: [await open(unchecked)], goal: { requests: 1 } }
  yield await peerLine(context)
}

async function peerLine(context: RowContext): Promise<Line> {
  const reader = await context.reader()
  const who = 'VirtualiZarr'
  const work = `join of ${PEER_FILES} files: virtual dataset`
  const pattern = (count: number) => `${context.freshUrl('day-{n}.nc')}#${count}`
  await reader.read('virtualizarr_join', pattern(2))
  const measured = await measure(context.origin, undefined, () => reader.read('virtualizarr_join', pattern(PEER_FILES)))
  await reader.stop()
  return { work, who, measurements: [measured] }
}

async function* tenThousand(context: RowContext): AsyncGenerator<Line> {
  const goal = { requests: 10_010, rounds: 170, cpuSeconds: 10 }
  yield await openOnce(context, 'join10000.json', 'join of 10,000 files: xr.open_zarr', goal)
}

async function* declared(context: RowContext): AsyncGenerator<Line> {
  const work = 'join of 10,000 files with declared times: xr.open_zarr'
  yield await openOnce(context, 'join10000declared.json', work, { requests: 3 })
}

/** In a service of its own, whose processor time is of this join alone. */
async function openOnce(context: RowContext, file: string, work: string, goal: Line['goal'] & object): Promise<Line> {
  const { origin } = context
  const service = await context.startService()
  const reader = await context.reader()
  await reader.read('open_zarr', storeUrl(service, context.freshUrl('join20.json')))
  let error: unknown
  const measured: Measurement = await measure(origin, service, () =>
    reader.read('open_zarr', storeUrl(service, context.freshUrl(file)), MAX_OPEN_SECONDS).catch((reason: unknown) => {
      error = reason
      return undefined
    }),
  )
  await reader.stop()
  await service.stop()
  const said = error instanceof Error ? error.message : String(error)
  const note =
    measured.seconds >= MAX_OPEN_SECONDS
      ? `not done in ${MAX_OPEN_SECONDS} s`
      : said.replace(/^[^:]*: /, '').slice(0, 80)
  return { work, who: 'ours', measurements: [measured], goal, ...(error === undefined ? {} : { note }) }
}

async function warmReader(context: RowContext): Promise<Reader> {
  const reader = await context.reader()
  await reader.read('open_zarr', storeUrl(context.service, context.freshUrl('join20.json')))
  return reader
}
