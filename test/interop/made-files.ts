import assert from 'node:assert/strict'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { readZarrita } from '../corpus/read-zarrita.ts'
import { hashOf } from '../corpus/values.ts'
import type { pythonScript } from './python.ts'
import { type ServerProcess, startServer, storeUrl } from './server-process.ts'

/** What a script of the folder `python` found when it read stores and their files. */
export interface Checked {
  readonly read: number
  readonly failures: readonly string[]
}

/** And the values of each array, by document and path. */
export interface CheckedValues extends Checked {
  readonly hashes: Readonly<Record<string, string>>
}

/** A folder for as long as the tests of a suite take, without links in its path; call it within `describe`. */
export function temporaryFolder(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), name)))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Files that a script makes (`make FOLDER`), and the service that may read them. */
export interface MadeFiles {
  readonly folder: string
  /** Of the service; ends in `/`. */
  readonly server: string
  storeOf(name: string): string
}

/** Called within `describe`: the script makes its files before the tests, and all is gone after them. */
export function servedMadeFiles(name: string, python: ReturnType<typeof pythonScript>): MadeFiles {
  const folder = temporaryFolder(name)
  let server: ServerProcess
  before(async () => {
    await python('make', folder)
    server = await startServer({ VZ_FILE_ROOT: folder })
  })
  after(() => server?.stop())
  return {
    folder,
    get server() {
      return server.url
    },
    storeOf: (file) => storeUrl(server.url, `file://${folder}/${file}`),
  }
}

/** zarrita reads the same as the clients of the script. */
export async function assertInZarrita(
  hashes: CheckedValues['hashes'],
  storeOf: (document: string) => string,
): Promise<void> {
  for (const [path, hash] of Object.entries(hashes)) {
    const [document = '', ...inside] = path.split('/')
    const { values } = await readZarrita(storeOf(document), inside.join('/'), true)
    assert.equal(hashOf(values), hash, path)
  }
}

/** The refusal of a store. */
export async function refusalOf(store: string): Promise<{ readonly status: number; readonly detail: string }> {
  const answer = await fetch(`${store}zarr.json`)
  const { detail } = (await answer.json()) as { readonly detail: string }
  return { status: answer.status, detail }
}
