import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A Python with these packages, installed once into an environment of this name. */
export function pythonWith(name: string, packages: readonly string[]): string {
  const environment = fileURLToPath(new URL(`../node_modules/.cache/${name}`, import.meta.url))
  const python = join(environment, 'bin', 'python')
  if (!existsSync(python)) {
    execFileSync('python3', ['-m', 'venv', environment])
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', ...packages], { stdio: 'inherit' })
  }
  return python
}
