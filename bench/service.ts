import { fileURLToPath } from 'node:url'
import { freePort } from '../test/helpers/ports.ts'
import { type Running, startProgram } from './processes.ts'

const MAIN = fileURLToPath(new URL('../src/server/main.ts', import.meta.url))
const COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url))

/** Starts the service as `npm start` and the image do, allowed to read these origins. */
export async function startService(
  allowed: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const port = await freePort()
  const environment = {
    HOST: '127.0.0.1',
    PORT: String(port),
    VZ_LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
    VZ_ALLOW_SOURCES: allowed.join(','),
    // Longer than the benchmark: it measures the warm path, not revalidation.
    VZ_FRESH_SECONDS: '3600',
    // Each run is a cold one, and leaves nothing behind.
    VZ_MANIFEST_DIR: '',
    ...settings,
  }
  return startProgram(process.execPath, ['--max-semi-space-size=16', MAIN, 'serve'], port, environment)
}
