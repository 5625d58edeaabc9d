// Builds the explorer into dist/web: `node scripts/build-web.ts`; with `--if-changed` only where a file is newer than the last build.
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Whether the page is as its sources are. */
function isBuilt(): boolean {
  const page = join(root, 'dist/web/index.html')
  if (!existsSync(page)) return false
  const built = statSync(page).mtimeMs
  const sources = globSync(['web/**/*', 'src/joins/times/*.ts', 'src/codecs/kernels/*.ts', 'package-lock.json'], {
    cwd: root,
  })
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

if (!process.argv.includes('--if-changed') || !isBuilt()) {
  const build = existsSync(join(root, 'web/index.html')) ? await builder() : undefined
  if (build === undefined) console.error('the explorer is not built: development packages are not installed')
  else await build({ root: join(root, 'web'), configFile: join(root, 'web/vite.config.ts'), logLevel: 'warn' })
}
