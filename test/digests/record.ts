import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isJsonObject } from '../../src/json/json.ts'
import { parseJson } from '../../src/json/parse.ts'
import { startOrigin } from '../helpers/origin.ts'
import type { TestSource } from '../helpers/test-sources.ts'
import { type Answer, type Digest, digestOf, get, keysOf, optionSets } from './answers.ts'

// Both ports are part of documents: they have to be the same in each record.
const ORIGIN_PORT = 25_671
const SERVICE_PORT = 25_672
const CONCURRENT_SOURCES = 6

export interface RecordInput {
  /** The checkout whose service is asked. */
  readonly checkout: string
  /** The folder that the record is written to. */
  readonly folder: string
  readonly sources: readonly TestSource[]
  readonly maxChunks: number
}

/** Asks the service of a checkout for every document and some chunks of every source, and writes what it answered. */
export async function record({ checkout, folder, sources, maxChunks }: RecordInput): Promise<number> {
  mkdirSync(join(folder, 'documents'), { recursive: true })
  const lines = createWriteStream(join(folder, 'digests.ndjson'))
  const origin = await startOrigin(ORIGIN_PORT)
  const service = await startService(checkout, origin.base)
  let count = 0
  const write = (source: string, options: string, key: string, answer: Answer): void => {
    const line: Digest = { source, options, key, ...digestOf(answer) }
    lines.write(`${JSON.stringify(line)}\n`)
    count++
    const path = join(folder, 'documents', line.sha256)
    if (!/json/.test(answer.type) || existsSync(path)) return
    writeFileSync(path, answer.body)
  }
  const waiting = [...sources.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [number, source] = next
      const members = source.members()
      const files = source.pack?.(members) ?? members
      for (const [path, bytes] of Object.entries(files)) {
        const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`
        origin.put(urlPath(number, path), { bytes, etag })
      }
      await recordSource(source, origin.url(urlPath(number, source.source)), write, maxChunks)
      for (const path of Object.keys(files)) origin.remove(urlPath(number, path))
      origin.forget()
    }
  }
  try {
    await Promise.all(Array.from({ length: CONCURRENT_SOURCES }, work))
  } finally {
    await service.stop()
    await origin.close()
    lines.end()
    await once(lines, 'close')
  }
  return count
}

function urlPath(number: number, path: string): string {
  return `${number}/${path.split('/').map(encodeURIComponent).join('/')}`
}

async function recordSource(
  source: TestSource,
  url: string,
  write: (source: string, options: string, key: string, answer: Answer) => void,
  maxChunks: number,
): Promise<void> {
  const base = `http://127.0.0.1:${SERVICE_PORT}`
  const query = `url=${encodeURIComponent(url)}`
  for (const path of ['inspect', 'export']) {
    write(source.name, '', path, await get(`${base}/${path}?${query}`))
  }
  const ask = async (options: string): Promise<ReturnType<typeof parseJson> | undefined> => {
    const store = `${base}/zarr/~${Buffer.from(url).toString('base64url')}${options}/`
    const root = await get(`${store}zarr.json`)
    write(source.name, options, 'zarr.json', root)
    if (root.status !== 200) return undefined
    const document = parseJson(root.body.toString())
    if (!isJsonObject(document)) throw new Error(`${source.name}: zarr.json is no object`)
    for (const key of keysOf(document, maxChunks)) write(source.name, options, key, await get(store + key))
    return document
  }
  const document = await ask('')
  if (document === undefined || !isJsonObject(document)) return
  for (const options of optionSets(document)) await ask(options)
}

async function startService(checkout: string, originBase: string): Promise<{ stop(): Promise<void> }> {
  const main = join(checkout, 'src/server/main.ts')
  const child = spawn(process.execPath, [main, 'serve'], {
    cwd: checkout,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: String(SERVICE_PORT),
      VZ_ALLOW_SOURCES: originBase,
      // Some fixtures point to hosts that don't exist: refused at once instead of looked up.
      VZ_ONLY_SOURCES: originBase,
      VZ_LOG_LEVEL: 'silent',
      VZ_MANIFEST_DIR: '',
    },
  })
  const deadline = Date.now() + 60_000
  const isReady = () =>
    get(`http://127.0.0.1:${SERVICE_PORT}/health/ready`).then(
      ({ status }) => status === 200,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`the service ended with status ${child.exitCode}`)
    if (Date.now() > deadline) throw new Error('the service was not ready within a minute')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** The checkout that this file is part of. */
export const OWN_CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
