import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The path of a file of this package, whether the program runs from `src` or from `dist/src`. */
export function packageFile(name: string): string {
  const fromSource = new URL('../../package.json', import.meta.url)
  const root = existsSync(fromSource) ? new URL('../../', import.meta.url) : new URL('../../../', import.meta.url)
  return fileURLToPath(new URL(name, root))
}
