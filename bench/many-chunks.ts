import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import type { OriginCall, OriginCounts } from './latency-origin.ts'
import type { Running, Worker } from './processes.ts'

const CHUNKS = 1000
const CHUNK_BYTES = 64 * 64 * 2
const LATENCY = 50
/** Chunks that are asked for one by one, for what a thousand such requests would take. */
const SINGLE = 40
const TILES = 64

/** Chunks of a series, one after the other, or each in a file of its own size away from the next (an archive by time). */
export async function writeSeries(folder: string): Promise<void> {
  for (const [name, stride] of [
    ['dense', CHUNK_BYTES],
    ['spread', 1_200_000],
  ] as const) {
    await writeFile(join(folder, `${name}.bin`), Buffer.alloc(CHUNK_BYTES, 7))
    await truncate(join(folder, `${name}.bin`), CHUNKS * stride)
    const array = {
      zarr_format: 2,
      shape: [CHUNKS, 64, 64],
      chunks: [1, 64, 64],
      dtype: '<i2',
      compressor: null,
      filters: null,
      fill_value: 0,
      order: 'C',
    }
    const refs: Record<string, unknown> = {
      '.zgroup': '{"zarr_format":2}',
      's/.zarray': JSON.stringify(array),
      's/.zattrs': JSON.stringify({ _ARRAY_DIMENSIONS: ['time', 'y', 'x'] }),
    }
    for (let i = 0; i < CHUNKS; i++) refs[`s/${i}.0.0`] = [`${name}.bin`, i * stride, CHUNK_BYTES]
    await writeFile(join(folder, `${name}.json`), JSON.stringify({ version: 1, refs }))
  }
}

/** Many small chunks at 50 ms latency: asked for one by one, all at a time, and as one chunk of a view. */
export async function manyChunks(origin: Worker, service: Running): Promise<void> {
  console.log('| chunks | one by one | how | took | of that | origin |\n| --- | --- | --- | --- | --- | --- |')
  for (const name of ['dense', 'spread']) {
    const store = (options: string) => {
      const source = Buffer.from(`${origin.url}s/${name}.json`).toString('base64url')
      return `${service.url}zarr/~${source}${options}/`
    }
    await origin.call<OriginCounts>({ latencyMilliseconds: LATENCY } satisfies OriginCall)
    await read(store(''), ['zarr.json', 's/c/999/0/0'], 1)
    const single = (await read(store(''), keys(SINGLE, 1), 1)) / SINGLE
    const row = async (how: string, count: number, work: () => Promise<number>) => {
      await origin.call<OriginCounts>({ latencyMilliseconds: LATENCY } satisfies OriginCall)
      const took = await work()
      const { requests, bytes } = await origin.call<OriginCounts>({ latencyMilliseconds: LATENCY } satisfies OriginCall)
      const all = single * count
      console.log(
        `| ${count} ${name} | ${(all / 1000).toFixed(1)} s | ${how} | ${(took / 1000).toFixed(2)} s | ${(took / all).toFixed(3)} | ${requests} requests, ${(bytes / 1e6).toFixed(1)} MB |`,
      )
    }
    for (const connections of [6, 64])
      await row(`${connections} connections`, TILES, () => read(store(''), keys(TILES, 100 + connections), connections))
    await row('64 connections', CHUNKS, () => read(store(''), keys(CHUNKS, 0), 64))
    await row('chunks=time:1000', CHUNKS, async () => {
      await read(store(';chunks=time:1000'), ['zarr.json'], 1)
      return await read(store(';chunks=time:1000'), ['s/c/0/0/0'], 1)
    })
  }
}

function keys(count: number, first: number): string[] {
  return Array.from({ length: count }, (_, i) => `s/c/${first + i}/0/0`)
}

/** Milliseconds until all are there, over so many connections. */
async function read(base: string, paths: readonly string[], connections: number): Promise<number> {
  const agent = new Agent({ connections, pipelining: 1 })
  const start = performance.now()
  await Promise.all(
    paths.map(async (path) => {
      const { statusCode, body } = await request(base + path, { dispatcher: agent })
      await body.arrayBuffer()
      if (statusCode !== 200) throw new Error(`${path} is ${statusCode}`)
    }),
  )
  const took = performance.now() - start
  await agent.close()
  return took
}
