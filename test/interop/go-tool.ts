import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/go-tools/', import.meta.url))

/** A program written in Go, built of its published module on first use (minutes, once); undefined where there is no Go, or no module. */
export function goTool(module: string, version: string): string | undefined {
  const name = module.split('/').at(-1) ?? ''
  const folder = join(FOLDER, `${name}-${version}`)
  const program = join(folder, name)
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }
  const { status } = spawnSync('go', ['install', `${module}@${version}`], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return status === 0 ? program : undefined
}
