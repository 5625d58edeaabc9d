import { SMALL_BODY_BYTES } from '../src/delivery/limits.ts'
import type { WrittenFile } from '../test/corpus/netcdf3-writer.ts'
import { CHUNK_SIZES, variableName } from './inputs.ts'
import type { Running, Worker } from './processes.ts'
import type { Contender, Goal, Match } from './rounds.ts'

export interface PassthroughSetting {
  readonly service: Running
  readonly store: string
  readonly path: string
  readonly file: WrittenFile
  readonly peer: Worker
  readonly nginx: Running | undefined
}

/** Odd, so that each chunk has its turn, and far. */
const STRIDE = 27

/** By the sizes of `CHUNK_SIZES`: what nginx does without looking, and what a relay costs that was written by hand. */
const NGINX_GOALS: readonly Goal[] = [0.45, 0.7, 0.9, 0.9].map((requestsPerSecond) => ({ requestsPerSecond }))
const RELAY_GOALS: readonly Goal[] = [0.9, 0.7, 0.7, 0.7].map((cpu) => ({ cpu }))

/** Whole chunks that the source stores as they are sent, against relays of the same byte ranges. */
export function passthrough(setting: PassthroughSetting): Match[] {
  return CHUNK_SIZES.map(({ name, bytes, count }, place) => {
    // Not as they lie in the file: what is read ahead costs next to nothing, and is measured by `whole`.
    const names = Array.from({ length: count }, (_, index) => variableName(bytes, (index * STRIDE) % count))
    const goals = { 'undici to fastify': RELAY_GOALS[place] ?? {}, nginx: NGINX_GOALS[place] ?? {} }
    // Short ones are held, long ones flow (delivery/limits.ts).
    const kind = bytes > SMALL_BODY_BYTES ? 'long chunk' : 'short chunk'
    return { name: `chunk, ${name}`, kind, contenders: contenders(setting, names, bytes), goals }
  })
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
      isCompiled: true,
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
