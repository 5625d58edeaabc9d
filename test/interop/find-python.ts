import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export interface Python {
  readonly command: string
  /** The 12 of 3.12. */
  readonly minor: number
}

// The newest that the tests were run with comes first; those after it may have no wheels of the pinned requirements.
const WANTED_MINORS = [13, 12, 11, 14, 15]

/** The best of the Pythons on the PATH and of those that pyenv keeps off it; one that doesn't start is none. */
export function findPython(pyenv: string = join(homedir(), '.pyenv/versions'), minorOf = minorVersion): Python {
  const kept = existsSync(pyenv) ? readdirSync(pyenv) : []
  const plain = minorOf('python3')
  for (const minor of WANTED_MINORS) {
    if (plain === minor) return { command: 'python3', minor }
    const off = kept.filter((version) => version.startsWith(`3.${minor}.`))
    const commands = [`python3.${minor}`, ...off.map((version) => join(pyenv, version, 'bin/python3'))]
    const command = commands.find((name) => minorOf(name) === minor)
    if (command !== undefined) return { command, minor }
  }
  throw new Error(`the interoperability tests need Python 3.${Math.min(...WANTED_MINORS)} or newer on the PATH`)
}

/** -1 where there is no such command, or it is pyenv's stand-in for a version that isn't selected. */
function minorVersion(command: string): number {
  const { status, stdout } = spawnSync(command, ['-c', 'import sys; print(sys.version_info.minor)'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return status === 0 ? Number(stdout) : -1
}
