import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))

/**
 * A package that only operators install who want a cloud's own credential chain, in a folder of its own: what Node must be told
 * (`NODE_OPTIONS`) to find it there as if it lay beside the service. Undefined where the registry doesn't have it.
 */
export function chainPackageOptions(name: string, version: string): string | undefined {
  const folder = join(FOLDER, `${name.replace(/\W+/g, '-').replace(/^-/, '')}-${version}`)
  if (!existsSync(join(folder, 'node_modules', name))) {
    mkdirSync(folder, { recursive: true })
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, `${name}@${version}`]
    const { status } = spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] })
    if (status !== 0) return undefined
  }
  const hook = join(folder, 'hook.mjs')
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module'
registerHooks({
  resolve: (name, context, next) =>
    next(name, name === ${JSON.stringify(name)} ? { ...context, parentURL: import.meta.url } : context),
})
`,
  )
  return `--import=${hook}`
}
