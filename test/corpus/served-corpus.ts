import { after, before } from 'node:test'
import { CORPUS } from './golden.ts'
import { startService, storeUrl, type TestService } from './service.ts'
import { type StaticOrigin, startStaticOrigin } from './static-origin.ts'

/** The corpus, served for as long as the tests of a suite take. */
export interface ServedCorpus {
  /** The URL of a file's store. */
  storeUrl(path: string, options?: string): string
}

/** Called within `describe`: starts the service on the files of the corpus: half of what a chunk costs over HTTP is its origin's. */
export function corpusOfFiles(): ServedCorpus {
  let service: TestService
  before(async () => {
    service = await startService({ allowSources: [], fileRoot: CORPUS })
  })
  after(() => service?.close())
  return { storeUrl: (path, options = '') => storeUrl(service, new URL(path, CORPUS).href, options) }
}

/** Called within `describe`: starts an origin with the corpus and the service before its tests, and ends both after them. */
export function servedCorpus(): ServedCorpus {
  let origin: StaticOrigin
  let service: TestService
  before(async () => {
    origin = await startStaticOrigin(CORPUS)
    service = await startService({ allowSources: [origin.url] })
  })
  after(async () => {
    await service?.close()
    await origin?.close()
  })
  return { storeUrl: (path, options = '') => storeUrl(service, `${origin.url}${path}`, options) }
}
