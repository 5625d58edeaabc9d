import { existsSync } from 'node:fs'
import { after, before } from 'node:test'
import { type StaticOrigin, startStaticOrigin } from '../corpus/static-origin.ts'
import { CORPUS_FOLDER } from './cases.ts'
import { type ServerProcess, startServer } from './server-process.ts'

/** Files of a format: our own and, where it is on this machine, those of the corpus. Each has an origin of its own. */
export interface FormatFiles {
  readonly own: URL
  readonly ownUrl: string
  readonly shared: URL
  /** Undefined where there is no corpus. */
  readonly sharedUrl: string | undefined
  /** Of the service that may read them. */
  readonly server: string
}

/** Called within `describe`: all is there for its tests, and gone after them. */
export function servedFormat(format: string): FormatFiles {
  const own = new URL(`../fixtures/${format}/`, import.meta.url)
  const shared = new URL(`${format}/`, CORPUS_FOLDER)
  let ownFiles: StaticOrigin
  let sharedFiles: StaticOrigin | undefined
  let server: ServerProcess
  before(async () => {
    ownFiles = await startStaticOrigin(own)
    if (existsSync(shared)) sharedFiles = await startStaticOrigin(shared)
    else
      console.log('skipped: the shared corpus (../shared/corpus) is not on this machine; only our own files are read')
    const allowed = [ownFiles, ...(sharedFiles === undefined ? [] : [sharedFiles])].map(({ url }) => url)
    server = await startServer({ VZ_ALLOW_SOURCES: allowed.join(',') })
  })
  after(async () => {
    await server?.stop()
    await ownFiles?.close()
    await sharedFiles?.close()
  })
  return {
    own,
    shared,
    get ownUrl() {
      return ownFiles.url
    },
    get sharedUrl() {
      return sharedFiles?.url
    },
    get server() {
      return server.url
    },
  }
}
