import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../../src/server/app.ts'
import { readConfig } from '../../src/server/config.ts'
import { openService, type Service } from '../../src/server/service.ts'

/** The whole application over a folder of files, listening nowhere. */
export interface RunningApp {
  readonly http: FastifyInstance
  readonly service: Service
  readonly folder: string
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Refuses what is asked from now on. */
  drain(): void
  close(): Promise<void>
}

/** Starts the application with these files under its `VZ_FILE_ROOT`, and with further environment variables. */
export async function runApp(
  files: Readonly<Record<string, Uint8Array>>,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningApp> {
  const folder = await mkdtemp(join(tmpdir(), 'vz-app-'))
  const write = async (name: string, bytes: Uint8Array) => await writeFile(join(folder, name), bytes)
  for (const [name, bytes] of Object.entries(files)) await write(name, bytes)
  const config = readConfig({
    flags: {},
    environment: { VZ_FILE_ROOT: folder, VZ_LOG_LEVEL: 'silent', ...environment },
    bundledCatalog: undefined,
  })
  const service = openService(config)
  const { http, drain } = await buildApp({ ...service, catalog: config.catalog }, config)
  return {
    http,
    service,
    folder,
    write,
    drain,
    async close() {
      await http.close()
      await service.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** The path of the store of a file in the application's folder, or of any other source. */
export function storeUrlOf(app: RunningApp, name: string): string {
  const url = URL.canParse(name) ? name : pathToFileURL(join(app.folder, name)).href
  return `/zarr/~${Buffer.from(url).toString('base64url')}/`
}
