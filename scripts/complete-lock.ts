// Completes package-lock.json after an `npm install`: `node scripts/complete-lock.ts`.
//
// npm leaves out optional packages of other platforms when a registry (or mirror) doesn't carry them, and `npm ci` then
// refuses the lock file. An entry without an integrity hash is enough: npm fetches it only on that platform.
import { readFile, writeFile } from 'node:fs/promises'

interface LockedPackage {
  readonly version?: string
  readonly dev?: boolean
  readonly license?: string
  readonly engines?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
}
interface LockFile {
  packages: Record<string, LockedPackage>
}

const PLATFORM = /(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-([a-z0-9]+)(?:-([a-z]+))?$/

/** Entries for the optional platform packages that the lock file names and doesn't describe. */
export function missingPlatforms(lock: LockFile): Record<string, LockedPackage> {
  const missing: Record<string, LockedPackage> = {}
  for (const owner of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
      const [, os, cpu, libc] = PLATFORM.exec(name) ?? []
      if (`node_modules/${name}` in lock.packages || os === undefined || cpu === undefined) continue
      missing[`node_modules/${name}`] = {
        version,
        cpu: [cpu],
        ...(owner.dev === true && { dev: true }),
        ...(os === 'linux' && { libc: [libc?.startsWith('musl') === true ? 'musl' : 'glibc'] }),
        ...(owner.license !== undefined && { license: owner.license }),
        optional: true,
        os: [os],
      } as LockedPackage
    }
  }
  return missing
}

if (import.meta.main) {
  const file = new URL('../package-lock.json', import.meta.url)
  const lock = JSON.parse(await readFile(file, 'utf8')) as LockFile
  const missing = missingPlatforms(lock)
  const entries = Object.entries({ ...lock.packages, ...missing }).sort(([a], [b]) => (a < b ? -1 : 1))
  await writeFile(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(entries) }, null, 2)}\n`)
  console.log(`package-lock.json: ${Object.keys(missing).length} platform packages added`)
}
