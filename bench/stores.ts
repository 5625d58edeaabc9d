import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Keep, type Running, startWorker } from './processes.ts'
import { startService } from './service.ts'

const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url))
/** One source of each kind, and an array of it with a chunk that is read. */
const SOURCES = [
  ['sea-surface.nc', 'sst/c/0/0/0'],
  ['buoy.nc', 'time/c/0'],
  ['relief.nc', 'elevation/c/0/0'],
  ['atmosphere.nc', 'air_temperature/c/0/0/0/0'],
  ['harvest.tif', '0/band_data/c/0/0'],
  ['nebula.fits', 'zarr.json'],
  ['storms.json', 'zarr.json'],
  ['vegetation.hdf', 'zarr.json'],
  ['forecast.grib2', 'zarr.json'],
  ['rivers.zarr.zip', 'zarr.json'],
] as const
const STORES = 1000
/** What a service with so many open stores may take, by the operating system's count. */
const GOAL_MEGABYTES = 512
const AT_ONCE = 16

/** What many open stores take: each is another source, opened over HTTP, with its document and a chunk asked for. */
export async function benchStores(keep: Keep, isQuick: boolean): Promise<void> {
  const origin = await keep(startWorker('./latency-origin.ts', [EXAMPLES]))
  const service = await keep(startService([origin.url]))
  const count = isQuick ? STORES / 10 : STORES
  console.log('| open stores | memory | weighed as | goal |\n| --- | --- | --- | --- |')
  for (const until of [10, count / 2, count, count]) {
    await open(service, origin.url, until)
    const metrics = await (await fetch(`${service.url}metrics`)).text()
    const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1])
    if (metric('vz_cached_sources') < until)
      throw new Error(`${metric('vz_cached_sources')} of ${until} stores are open`)
    const [memory, weight] = [residentBytes(service), metric('vz_cached_bytes')].map((bytes) => Math.round(bytes / 1e6))
    console.log(`| ${until} | ${memory} MB | ${weight} MB | ${GOAL_MEGABYTES} MB |`)
  }
}

async function open(service: Running, origin: string, count: number): Promise<void> {
  let next = 0
  const client = async () => {
    while (next < count) {
      const index = next++
      const [file, key] = SOURCES[index % SOURCES.length] ?? SOURCES[0]
      const store = `${service.url}zarr/~${Buffer.from(`${origin}${index}/${file}`).toString('base64url')}/`
      for (const asked of new Set(['zarr.json', key])) {
        const answer = await fetch(store + asked)
        await answer.arrayBuffer()
        if (!answer.ok) throw new Error(`${file}, ${asked}: ${answer.status}`)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
}

/** Memory of a process that is there, and not swapped out. */
function residentBytes({ pid }: Running): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}
