import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { statfs, unlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { publicUrl } from '../../source/public-url.ts'
import type { Given } from '../commands/command.ts'
import { askReady } from '../commands/healthcheck.ts'
import type { Config } from '../config.ts'
import { flagOf, SETTINGS } from '../settings.ts'
import { shownSize } from '../shown.ts'
import { type Check, reasonOf } from './check.ts'

/** What is set, and where; the file's own lines are told by its name. */
export function settingChecks({ settings, environment }: Given): readonly Check[] {
  const found: Check[] = []
  for (const { key, isSecret } of SETTINGS) {
    const flag = settings[flagOf(key)]
    const text = flag ?? environment[key]
    if (text === undefined || text === '') continue
    const shown = isSecret === true ? 'set' : text.split(',').map(withoutSecrets).join(',')
    found.push({ what: key, state: 'ok', told: `${shown} (${flag === undefined ? 'environment' : 'flag'})` })
  }
  return found.length > 0
    ? found
    : [{ what: 'settings', state: 'off', told: 'none: all are as in docs/configuration.md' }]
}

function withoutSecrets(text: string): string {
  return URL.canParse(text) ? publicUrl(text) : text
}

/** Whether what the configuration asks of this machine is there. */
export async function machineChecks(config: Config): Promise<readonly Check[]> {
  return [await portCheck(config), await manifestCheck(config), memoryCheck(config), ...credentialChecks(config)]
}

async function portCheck({ host, port }: Config): Promise<Check> {
  const what = `port ${port}`
  const taken = await new Promise<string | undefined>((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port }, () => server.close(() => resolve(undefined)))
  })
  if (taken === undefined) return { what, state: 'ok', told: `free on ${host}` }
  if (taken !== 'EADDRINUSE') return { what, state: 'failed', told: `can't be listened on at ${host}: ${taken}` }
  const place = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`
  return await askReady(place).then(
    (): Check => ({ what, state: 'ok', told: `a server that is ready listens at ${place}` }),
    (): Check => ({ what, state: 'failed', told: `something else listens on ${host}` }),
  )
}

/** A file is written where opened stores would be kept, and removed. */
async function manifestCheck({ manifestFolder, manifestBytes }: Config): Promise<Check> {
  const what = 'manifest folder'
  if (manifestFolder === undefined) return { what, state: 'off', told: 'none: opened stores end with the process' }
  let folder = manifestFolder
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  const file = join(folder, `.doctor-${randomUUID()}`)
  try {
    await writeFile(file, 'ok')
    await unlink(file)
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    const told = `${manifestFolder} can be written, ${shownSize(free)} free of ${shownSize(manifestBytes)} that it may take`
    return { what, state: free < manifestBytes ? 'warning' : 'ok', told }
  } catch (error) {
    return { what, state: 'failed', told: `${manifestFolder} can't be written: ${reasonOf(error)}` }
  }
}

function memoryCheck({ cacheBytes }: Config): Check {
  const heap = getHeapStatistics().heap_size_limit
  const told = `${shownSize(cacheBytes)} for opened stores, ${shownSize(heap)} of heap`
  const isTight = cacheBytes > heap / 2
  return { what: 'memory', state: isTight ? 'warning' : 'ok', told: isTight ? `${told}: leave as much again` : told }
}

/** The credentials of the file, by their prefixes: of what they are nothing is told. */
function credentialChecks({ clouds }: Config): readonly Check[] {
  return clouds.prefixes.map(({ prefix, credentials }) => ({
    what: 'credentials',
    state: 'ok',
    told: `${prefix}: ${credentials.kind}`,
  }))
}
