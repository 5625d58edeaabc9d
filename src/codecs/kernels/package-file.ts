import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// Files of packages that are no ES modules; a browser has them bundled (src/browser/package-file.ts).

/** A file of a package, as `package/path`. */
export async function packageFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(readFileSync(fileURLToPath(import.meta.resolve(path))))
}

/** What a CommonJS module of a package exports. */
export async function packageScript(path: string): Promise<unknown> {
  return createRequire(import.meta.url)(path)
}
