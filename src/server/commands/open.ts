import { spawn } from 'node:child_process'
import { writeJson } from '../../json/write.ts'
import { startService, stopOnSignals } from '../serve.ts'
import { shownText } from '../shown.ts'
import { type Given, isGiven } from './command.ts'
import { print, trusting, urlOf } from './reading.ts'
import { configOf } from './serving.ts'

/** `virtual-zarr open FILE|FOLDER|URL`: serves one source, and shows it. */
export async function openCommand(given: Given): Promise<undefined> {
  const [source = ''] = given.words
  const url = urlOf(source)
  const isLocal = url.startsWith('file:')
  // A free port, and no log on the terminal where the address stands, unless that is asked for.
  const quiet = { ...given, environment: { PORT: '0', VZ_LOG_LEVEL: 'warn', ...given.environment } }
  // One process, for the one who looks at it.
  const config = { ...configOf(quiet, isLocal ? [source] : []), workers: 1 }
  const started = await startService(isLocal ? config : trusting(config, url), [])
  const [first, ...others] = isLocal ? [...started.listed.values()] : []
  // A folder shows its catalog, unless it is one store; a file that is of no format says so in the page.
  const isCatalog = others.length > 0 || (first === undefined && config.folders.some((folder) => folder.endsWith('/')))
  const shown = isCatalog ? '' : `?source=${encodeURIComponent(first?.id ?? url)}`
  const page = `${config.publicUrl ?? started.url}/${shown}`
  if (isGiven(given, 'json')) {
    const stores = [...started.listed.values()].map(({ id }) => `${config.publicUrl ?? started.url}/zarr/${id}/`)
    await print([`${writeJson({ page, stores })}\n`])
  } else {
    await print([`${shownText(source)} is open at\n  ${page}\nuntil ^C\n`])
    if (!isGiven(given, 'no-browser') && hasScreen(given.environment, process.platform, process.stdout.isTTY))
      startBrowser(page, process.platform)
  }
  stopOnSignals(started)
}

/** Whether somebody looks at a screen that this process may use. */
export function hasScreen(environment: Given['environment'], platform: string, isTerminal: boolean): boolean {
  const { CI, DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = environment
  if (!isTerminal || (CI !== undefined && CI !== '' && CI !== 'false')) return false
  if (platform === 'darwin' || platform === 'win32') return SSH_CONNECTION === undefined
  return (DISPLAY ?? WAYLAND_DISPLAY ?? '') !== ''
}

/** The address is printed anyway: a browser that doesn't start is no failure. */
function startBrowser(page: string, platform: string): void {
  const command = platform === 'darwin' ? 'open' : platform === 'win32' ? 'explorer' : 'xdg-open'
  spawn(command, [page], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref()
}
