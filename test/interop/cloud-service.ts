import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStaticOrigin } from '../corpus/static-origin.ts'
import { startServer } from '../helpers/process.ts'

export interface Answer {
  readonly status: number
  readonly bytes: Buffer
  readonly etag: string
}

/** The running service, which opens a cloud's locations as its configuration says. */
export interface CloudService {
  /** Ends in `/`. */
  readonly url: string
  /** Where the examples are served over HTTP, which the service may read. */
  readonly examples: string
  /** The file of its configuration. */
  readonly config: string
  /** Everything that `get` was answered and what the service has logged: none of it may hold a secret. */
  said(): readonly string[]
  /** Asks the service for a path; what is not kept is no part of `said()`. */
  get(path: string, isKept?: boolean): Promise<Answer>
  stop(): Promise<void>
}

/** Starts the service with this configuration, the secret of the store in `STORE_SECRET`, and the examples over HTTP beside it. */
export async function startCloudService(configuration: object, secret: string): Promise<CloudService> {
  const folder = mkdtempSync(join(tmpdir(), 'interop-cloud-'))
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify({ ...configuration, fresh_seconds: 1 }))
  const examples = await startStaticOrigin(new URL('../../examples/', import.meta.url))
  const environment = { VZ_CONFIG: config, VZ_ALLOW_SOURCES: examples.url, VZ_LOG_LEVEL: 'trace' }
  const server = await startServer({ ...environment, STORE_SECRET: secret })
  const seen: string[] = []
  return {
    url: `${server.url}/`,
    examples: examples.url,
    config,
    said: () => [...seen, server.log()],
    async get(path, isKept = true) {
      const response = await fetch(`${server.url}/${path}`)
      const bytes = Buffer.from(await response.arrayBuffer())
      if (isKept) seen.push(`${JSON.stringify([...response.headers])}${response.statusText}${bytes.toString('latin1')}`)
      return { status: response.status, bytes, etag: response.headers.get('etag') ?? '' }
    },
    async stop() {
      await server.stop()
      await examples.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The path of the store of a location; options begin with `;`. */
export function storeOf(location: string, options = ''): string {
  return `zarr/~${Buffer.from(location).toString('base64url')}${options}/`
}
