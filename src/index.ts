// The package in Node (docs/library.md); in browsers it is `browser/index.ts`.

import { library } from './library/library.ts'
import { NODE_WORLD } from './library/node-world.ts'
import type { RunningService, ServeOptions } from './library/serve-options.ts'

import { openSources as openAllSources } from './source/open.ts'
import type { SourceSettings } from './source/settings.ts'
import type { Sources } from './source/source.ts'

export * from './library/public.ts'
export type { RunningService, ServeOptions } from './library/serve-options.ts'
export { exportParquet } from './service/export/parquet.ts'
export type { CloudSettings, CredentialSettings, PrefixSettings, SecretText } from './source/clouds/settings.ts'
export { DEFAULT_SOURCE_SETTINGS, type SourceSettings } from './source/settings.ts'

export const { openVirtual, virtualStore } = library(NODE_WORLD)

/** The way to bytes under settings of your own: guards, deadlines, object stores. */
export function openSources(settings: SourceSettings): Sources {
  return openAllSources(settings)
}

/** Serves HTTP, as the command does; what only the service needs is loaded when it is called. */
export async function serve(options: ServeOptions = {}): Promise<RunningService> {
  const { startServing } = await import('./server/start-serving.ts')
  return await startServing(options)
}
