import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CountOutcome, LEASE_MILLISECONDS, type Lease, type ManifestPlace } from './place.ts'
import { MOST_ENTRY_BYTES } from './seal.ts'

export interface FolderInput {
  readonly path: string
  /** What all entries together may take. */
  readonly mostBytes: number
  readonly count: CountOutcome
}

const ENTRY = /^[0-9a-f]{64}$/
/** Entries are not all in one folder. */
const SHELF = 2
/** What was begun and not finished for so long never will be. */
const ABANDONED_MILLISECONDS = 600_000
/** An entry that was used is not marked as such more often than this. */
const MARK_MILLISECONDS = 60_000
/** Others write, too: after so much of the bound was written here, all is counted again. */
const SHARE_BETWEEN_SWEEPS = 16
/** One entry takes no more of the bound than this. */
const SHARE_OF_ONE = 4

/**
 * A folder that several processes share. An entry appears whole, by renaming: who is killed while writing, or finds the disk full,
 * leaves at most a file that nobody reads. Those that were not used for the longest time go first.
 */
export function folderPlace({ path, mostBytes, count }: FolderInput): ManifestPlace {
  let written = Number.POSITIVE_INFINITY
  let sweeping: Promise<void> | undefined
  const fileOf = (name: string) => join(path, name.slice(0, SHELF), name)

  async function write(name: string, bytes: Uint8Array): Promise<void> {
    const file = fileOf(name)
    const draft = `${file}.${randomUUID()}`
    await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
    try {
      await writeFile(draft, bytes, { mode: 0o600, flag: 'wx' })
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true }).catch(ignore)
      throw error
    }
  }

  function sweepSometimes(bytes: number): void {
    written += bytes
    if (written < mostBytes / SHARE_BETWEEN_SWEEPS || sweeping !== undefined) return
    written = 0
    sweeping = sweep(path, mostBytes)
      .catch(() => count('folder', 'failed'))
      .finally(() => {
        sweeping = undefined
      })
  }

  return {
    kind: 'folder',
    async get(name) {
      try {
        const file = fileOf(name)
        const found = await readEntry(file)
        if (found === undefined) return undefined
        const { bytes, mtimeMs } = found
        if (Math.abs(Date.now() - mtimeMs) > MARK_MILLISECONDS) await utimes(file, new Date(), new Date()).catch(ignore)
        return bytes
      } catch (error) {
        count('folder', isAbsent(error) ? 'miss' : 'failed')
        return undefined
      }
    },
    async put(name, bytes) {
      if (bytes.length > mostBytes / SHARE_OF_ONE) {
        count('folder', 'skipped')
        return false
      }
      try {
        await write(name, bytes)
        count('folder', 'written', bytes.length)
        sweepSometimes(bytes.length)
        return true
      } catch {
        count('folder', 'failed')
        return false
      }
    },
    lease: (name) => leaseOf(join(path, 'leases'), name),
    close: async () => await sweeping,
  }
}

/** An entry's bytes; undefined for what is no file, or too long. Opening a FIFO would wait for somebody who writes to it. */
async function readEntry(file: string): Promise<{ bytes: Uint8Array; mtimeMs: number } | undefined> {
  const handle = await open(file, constants.O_RDONLY | NONBLOCK)
  try {
    const found = await handle.stat()
    if (!found.isFile() || found.size > MOST_ENTRY_BYTES) return undefined
    return { bytes: await handle.readFile(), mtimeMs: found.mtimeMs }
  } finally {
    await handle.close()
  }
}

/** Windows has no such files. */
const NONBLOCK = constants.O_NONBLOCK ?? 0

/** Removes what nobody reads any more, and as much as is over the bound. */
async function sweep(path: string, mostBytes: number): Promise<void> {
  const entries: { readonly file: string; readonly bytes: number; readonly usedAt: number }[] = []
  const now = Date.now()
  for (const name of await readdir(path, { recursive: true })) {
    const file = join(path, name)
    const found = await stat(file).catch(ignore)
    if (found?.isFile() !== true) continue
    const isEntry = ENTRY.test(name.slice(SHELF + 1))
    if (isEntry) entries.push({ file, bytes: found.size, usedAt: found.mtimeMs })
    else if (isOurs(name) && Math.abs(now - found.mtimeMs) > ABANDONED_MILLISECONDS) await rm(file, { force: true })
  }
  let total = entries.reduce((sum, { bytes }) => sum + bytes, 0)
  entries.sort((one, other) => one.usedAt - other.usedAt)
  for (const { file, bytes } of entries) {
    if (total <= mostBytes) break
    await rm(file, { force: true })
    total -= bytes
  }
}

/** Drafts and leases, and nothing else that somebody may have put there. */
function isOurs(name: string): boolean {
  return /^(?:[0-9a-f]{2}[/\\][0-9a-f]{64}\.[0-9a-f-]{36}|leases[/\\][0-9a-f]{64})$/.test(name)
}

/** A file that is there while somebody makes an entry, and young as long as that one lives. */
async function leaseOf(folder: string, name: string): Promise<Lease> {
  const file = join(folder, name)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const age = await stat(file).then(({ mtimeMs }) => Math.abs(Date.now() - mtimeMs), ignore)
    if (age !== undefined && age < LEASE_MILLISECONDS) return { kind: 'taken' }
    if (age !== undefined) await rm(file, { force: true })
    await (await open(file, 'wx', 0o600)).close()
  } catch (error) {
    return { kind: isThere(error) ? 'taken' : 'none' }
  }
  const renewal = setInterval(() => {
    utimes(file, new Date(), new Date()).catch(ignore)
  }, LEASE_MILLISECONDS / 3)
  renewal.unref()
  const end = async () => {
    clearInterval(renewal)
    await rm(file, { force: true }).catch(ignore)
  }
  return { kind: 'own', end }
}

function isAbsent(error: unknown): boolean {
  return codeOf(error) === 'ENOENT'
}

function isThere(error: unknown): boolean {
  return codeOf(error) === 'EEXIST'
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function ignore(): undefined {
  return undefined
}
