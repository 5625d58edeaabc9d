import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/npm-tools/', import.meta.url))

/** A package that tests need and nobody else, installed in a folder of its own on first use; undefined where it can't be had. */
export function npmTool(name: string, version: string): string | undefined {
  const folder = join(FOLDER, `${name.replace(/\W+/g, '-').replace(/^-/, '')}-${version}`)
  const place = join(folder, 'node_modules', name)
  if (existsSync(place)) return place
  mkdirSync(folder, { recursive: true })
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, `${name}@${version}`]
  const { status } = spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  return status === 0 ? place : undefined
}

/** What Node must be told (`NODE_OPTIONS`) to find a package as if it lay beside the service: those that only some operators install. */
export function besideOptions(name: string, version: string): string | undefined {
  const place = npmTool(name, version)
  if (place === undefined) return undefined
  const hook = `${place}.hook.mjs`
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
