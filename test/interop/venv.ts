import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lazily } from '../../src/lazily.ts'
import { findPython, type Python } from './find-python.ts'

const VENV = fileURLToPath(new URL('../../node_modules/.cache/interop-venv/', import.meta.url))
const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url))

/** The Python of our own environment, made and filled with the pinned requirements on first use. */
export const interopPython = lazily(() => madePython(findPython()))

function madePython(base: Python): string {
  const python = join(VENV, 'bin/python')
  const marker = join(VENV, 'requirements.sha256')
  const wanted = createHash('sha256').update(`3.${base.minor}\n`).update(readFileSync(REQUIREMENTS)).digest('hex')
  if (existsSync(python) && existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return python
  // Anew, not on top: what another Python or older pins left would be found as well.
  rmSync(VENV, { recursive: true, force: true })
  run(base.command, ['-m', 'venv', VENV])
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS])
  writeFileSync(marker, wanted)
  return python
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with status ${status}`)
}
