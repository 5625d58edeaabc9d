import type { RunningService, ServeOptions } from '../library/serve-options.ts'
import { readConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { startService } from './serve.ts'
import { settingsOfFlags } from './settings.ts'
import { packageFile } from './version.ts'

/** Serves for a program that calls `serve`: its settings count, and no environment. */
export async function startServing({ paths = [], settings = {}, formats = [] }: ServeOptions): Promise<RunningService> {
  const flags = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))
  const known = settingsOfFlags(flags)
  const config = readConfig({
    flags: { ...flags, ...known, ...(flags['allow'] === undefined ? {} : { allow: undefined }) },
    environment: {},
    bundledCatalog: packageFile('examples/catalog.yaml'),
    paths,
  })
  if (config.workers > 1) throw new ConfigError('VZ_WORKERS', 'only the command serve starts several processes')
  const { url, stop } = await startService(config, formats)
  return { url, close: stop }
}
