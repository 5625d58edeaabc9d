import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const VENV = fileURLToPath(new URL('../../node_modules/.cache/interop-venv/', import.meta.url))
const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url))
const MINIMUM_MINOR = 11

/** The Python of our own environment, made and filled with the pinned requirements on first use. */
export function interopPython(): string {
  const python = join(VENV, 'bin/python')
  const marker = join(VENV, 'requirements.sha256')
  const wanted = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex')
  if (!existsSync(python)) {
    mkdirSync(VENV, { recursive: true })
    run(findPython(), ['-m', 'venv', VENV])
  }
  if (!existsSync(marker) || readFileSync(marker, 'utf8') !== wanted) {
    run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS])
    writeFileSync(marker, wanted)
  }
  return python
}

function findPython(): string {
  const named = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11']
  const found = [...named, ...pyenvPythons()].find((command) => minorVersion(command) >= MINIMUM_MINOR)
  if (found === undefined)
    throw new Error(`the interoperability tests need Python 3.${MINIMUM_MINOR} or newer on the PATH`)
  return found
}

/** Versions that pyenv keeps off the PATH. */
function pyenvPythons(): string[] {
  const folder = join(homedir(), '.pyenv/versions')
  return existsSync(folder) ? readdirSync(folder).map((version) => join(folder, version, 'bin/python3')) : []
}

function minorVersion(command: string): number {
  const { stdout } = spawnSync(command, ['-c', 'import sys; print(sys.version_info.minor)'], { encoding: 'utf8' })
  return stdout === null ? 0 : Number(stdout)
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with status ${status}`)
}
