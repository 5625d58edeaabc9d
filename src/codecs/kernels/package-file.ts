import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Files of packages that are no modules; a browser has them bundled (src/browser/package-file.ts).

/** A file of a package, as `package/path`. */
export async function packageFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(readFileSync(fileURLToPath(import.meta.resolve(path))))
}
