import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Format } from '../formats/format.ts'
import { folderPlace } from '../manifests/folder.ts'
import { ManifestStore, Outcomes } from '../manifests/manifests.ts'
import type { ManifestPlace } from '../manifests/place.ts'
import type { RedisInput } from '../manifests/redis/redis-place.ts'
import { programRevision } from '../manifests/revision.ts'
import type { Config } from './config.ts'

/**
 * Where opened stores outlive this process, as the configuration says: nowhere, in a folder, in Redis, or in both. The folder is
 * asked first: it is nearer, and lasts when the server is lost.
 */
export function openManifests(
  config: Config,
  own: readonly Format[],
  onRedis?: (error: Error | undefined) => void,
): ManifestStore | undefined {
  const { manifestFolder, manifestBytes, redis } = config
  const outcomes = new Outcomes()
  const { count } = outcomes
  const places: ManifestPlace[] = []
  if (manifestFolder !== undefined) places.push(folderPlace({ path: manifestFolder, mostBytes: manifestBytes, count }))
  if (redis !== undefined) places.push(laterRedis({ address: redis, count, onChange: onRedis }))
  return places.length === 0 ? undefined : new ManifestStore({ places, revision: revisionWith(own, config), outcomes })
}

/** Who has no such server never loads what speaks to it. */
function laterRedis(input: RedisInput): ManifestPlace {
  const place = import('../manifests/redis/redis-place.ts').then(({ redisPlace }) => redisPlace(input))
  return {
    kind: 'redis',
    get: async (name) => (await place).get(name),
    put: async (name, bytes) => (await place).put(name, bytes),
    lease: async (name) => (await place).lease(name),
    close: async () => (await place).close(),
  }
}

/** Formats of the operator's own decide with the others what a source is: they are part of the program, as far as it can be seen. */
function revisionWith(own: readonly Format[], { formats }: Pick<Config, 'formats'>): string {
  const files = formats.map((path) => createHash('sha256').update(readFileSync(path)).digest('base64url'))
  return [programRevision(), ...files, ...own.map(({ name, recognises }) => `${name} ${recognises}`)].join(' ')
}
