import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FetchStore, get, open, root as storeRoot } from 'zarrita'
import type { OriginCall, OriginCounts } from './latency-origin.ts'
import { manyChunks, writeSeries } from './many-chunks.ts'
import { type Keep, startWorker, type Worker } from './processes.ts'
import { cpuSeconds } from './rounds.ts'
import { startService } from './service.ts'
import { writeStripTiff } from './strip-tiff.ts'

const SIZE = 16_384
const LATENCIES = [0, 50]

/** Many small chunks; and an image of 16384 x 16384 in strips, without overviews: how long until a map could show it, from a server that has just started. */
export async function benchViews(keep: Keep, isQuick: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-views-'))
  try {
    const size = isQuick ? SIZE / 8 : SIZE
    for (const kind of ['raw', 'deflate']) await writeStripTiff(join(folder, `${kind}.tif`), size, kind === 'deflate')
    await writeSeries(folder)
    const origin = await keep(startWorker('./latency-origin.ts', [folder]))
    await manyChunks(origin, await keep(startService([origin.url])))
    console.log(
      '| strips | latency | shown after | processor time | origin | memory |\n| --- | --- | --- | --- | --- | --- |',
    )
    for (const kind of ['raw', 'deflate']) for (const latency of LATENCIES) await firstView(kind, latency, origin)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function firstView(kind: string, latencyMilliseconds: number, origin: Worker): Promise<void> {
  const service = await startService([origin.url])
  try {
    await origin.call<OriginCounts>({ latencyMilliseconds } satisfies OriginCall)
    const source = Buffer.from(`${origin.url}${Date.now()}/${kind}.tif`).toString('base64url')
    const store = storeRoot(new FetchStore(`${service.url}zarr/~${source};pyramid=auto`))
    const [cpu, start] = [cpuSeconds(service.pid), performance.now()]
    const group = await open.v3(store, { kind: 'group' })
    const { layout } = group.attrs['multiscales'] as { layout: readonly { asset: string; 'spatial:shape': number[] }[] }
    const shown =
      layout.findLast(({ 'spatial:shape': shape }) => Math.max(...shape) >= Math.min(640, SIZE)) ?? layout[0]
    await get(await open.v3(store.resolve(`${shown?.asset}/band_data`), { kind: 'array' }))
    const seconds = (performance.now() - start) / 1000
    const used = cpuSeconds(service.pid) - cpu
    const { requests, bytes } = await origin.call<OriginCounts>({ latencyMilliseconds } satisfies OriginCall)
    const memory = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024
    const read = `${requests} requests, ${(bytes / 1e6).toFixed(0)} MB`
    console.log(
      `| ${kind} | ${latencyMilliseconds} ms | ${seconds.toFixed(2)} s | ${used.toFixed(2)} s | ${read} | ${memory.toFixed(0)} MB |`,
    )
  } finally {
    await service.stop()
  }
}
