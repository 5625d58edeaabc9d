import type { WrittenFile } from '../test/corpus/netcdf3-writer.ts'
import { CHUNK_SIZES, variableName } from './inputs.ts'
import type { Running, Worker } from './processes.ts'
import { type Comparison, type Contender, compare, type RoundSettings } from './rounds.ts'

/** Goal: at least 0.9 of a bare undici-to-fastify relay. */
export const PASSTHROUGH_GOAL = 0.9

export interface PassthroughSetting {
  readonly service: Running
  readonly store: string
  readonly path: string
  readonly file: WrittenFile
  readonly peer: Worker
  readonly nginx: Running | undefined
  readonly load: Worker
}

/** Whole chunks that the source stores as they are sent, against relays of the same byte ranges. */
export async function passthrough(setting: PassthroughSetting, settings: RoundSettings): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  for (const { name, bytes, count } of CHUNK_SIZES) {
    const names = Array.from({ length: count }, (_, index) => variableName(bytes, index))
    comparisons.push(await compare(`chunk, ${name}`, setting.load, contenders(setting, names, bytes), settings))
  }
  return comparisons
}

function contenders(setting: PassthroughSetting, names: readonly string[], bytes: number): Record<string, Contender> {
  const store = new URL(setting.store)
  const extents = names.map((name) => setting.file.extents.get(name) ?? { offset: 0, length: 0 })
  const all: Record<string, Contender> = {
    ours: {
      pid: setting.service.pid,
      origin: store.origin,
      requests: names.map((name) => ({ path: `${store.pathname}${name}/c/0`, headers: {} })),
      bodyLength: bytes,
    },
    'undici to fastify': {
      pid: setting.peer.pid,
      origin: setting.peer.url,
      requests: extents.map(({ offset, length }) => ({
        path: `/relay/${offset}/${length}/${setting.path}`,
        headers: {},
      })),
      bodyLength: bytes,
    },
  }
  if (setting.nginx !== undefined) {
    all['nginx'] = {
      pid: setting.nginx.pid,
      origin: setting.nginx.url,
      requests: extents.map(({ offset, length }) => ({
        path: `/${setting.path}`,
        headers: { range: `bytes=${offset}-${offset + length - 1}` },
      })),
      bodyLength: bytes,
    }
  }
  return all
}
