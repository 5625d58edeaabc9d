import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { interopPython } from '../../test/interop/venv.ts'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/bench-user/', import.meta.url))
const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url))
/** Increased when `files.py` writes one of the files differently: all are then written again. */
const FILES_VERSION = '1'
const GENERATOR = fileURLToPath(new URL('files.py', import.meta.url))

/** The Python of the interoperability tests, and dask: an environment on top of theirs. */
export function benchPython(): string {
  const base = join(realpathSync(dirname(interopPython())), 'python')
  const folder = join(CACHE, 'venv')
  const python = join(folder, 'bin/python')
  const marker = join(folder, 'requirements.sha256')
  const wanted = createHash('sha256').update(base).update(readFileSync(REQUIREMENTS)).digest('hex')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return python
  rmSync(folder, { recursive: true, force: true })
  execFileSync(base, ['-m', 'venv', folder])
  const siteOf = (command: string) =>
    execFileSync(command, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'], { encoding: 'utf8' }).trim()
  writeFileSync(join(siteOf(python), 'interop.pth'), `${siteOf(base)}\n`)
  const options = ['--quiet', '--no-deps', '--disable-pip-version-check', '-r', REQUIREMENTS]
  execFileSync(python, ['-m', 'pip', 'install', ...options], { stdio: 'inherit' })
  writeFileSync(marker, wanted)
  return python
}

/** The folder of the files, with these among them; each is written once. */
export function benchFiles(names: readonly string[]): string {
  const folder = join(CACHE, 'files')
  mkdirSync(folder, { recursive: true })
  for (const name of names) {
    const marker = join(folder, `${name}.version`)
    if (existsSync(marker) && readFileSync(marker, 'utf8') === FILES_VERSION) continue
    execFileSync(benchPython(), [GENERATOR, name, folder], { stdio: 'inherit' })
    writeFileSync(marker, FILES_VERSION)
  }
  return folder
}
