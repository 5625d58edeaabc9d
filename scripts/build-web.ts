// Builds the explorer into dist/web, and the package for browsers, by which it reads dropped files, into dist/browser:
// `node scripts/build-web.ts`; with `--if-changed` only what has a file that is newer than the last build.
import { existsSync, globSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Whether what was built is as its sources are. */
function isBuilt(target: string, patterns: readonly string[]): boolean {
  const page = join(root, target)
  if (!existsSync(page)) return false
  const built = statSync(page).mtimeMs
  const sources = globSync([...patterns, 'package-lock.json'], { cwd: root })
  return sources.every((file) => statSync(join(root, file)).mtimeMs <= built)
}

/** Vite, where development packages are installed: an install without them has the page from its package. */
async function builder(): Promise<typeof import('vite').build | undefined> {
  try {
    return (await import('vite')).build
  } catch {
    return undefined
  }
}

const isAll = !process.argv.includes('--if-changed')
if (
  isAll ||
  !isBuilt('dist/web/index.html', ['web/**/*', 'src/{bytes,joins/times}/*.ts', 'src/codecs/kernels/**/*.ts'])
) {
  const build = existsSync(join(root, 'web/index.html')) ? await builder() : undefined
  if (build === undefined) console.error('the explorer is not built: development packages are not installed')
  else await build({ root: join(root, 'web'), configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn' })
}
if (isAll || !isBuilt('dist/browser/index.js', ['src/**/*.ts', 'scripts/build-browser.ts'])) await buildPackage()

/** The same packages as for the explorer, and those of this program. */
async function buildPackage(): Promise<void> {
  if (!existsSync(join(root, 'src/browser/index.ts')) || (await builder()) === undefined) return
  const { buildForBrowsers } = await import('./build-browser.ts')
  // Names change with what is in them: none of an earlier build may stay.
  rmSync(join(root, 'dist/browser'), { recursive: true, force: true })
  await buildForBrowsers(['src/browser/index.ts'], join(root, 'dist/browser'))
}
