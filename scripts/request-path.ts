// How long the way of a request is: `node scripts/request-path.ts [--files]` prints, for the kinds of requests that matter, how many files and
// calls of src and routes one HTTP request runs through (V8's precise coverage). test/architecture bounds them.
//
// Codecs are named apart: which of them a request runs through is the file's matter. A file counts when one of its functions was called while the request was under way; what timers of earlier requests
// still do is kept out by a pause. Recoding runs on this thread, so that both sides of a worker are counted.
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { RecodeWorkers } from '../src/delivery/delivery.ts'
import { recode } from '../src/delivery/recoding/recode.ts'
import { TaskReceiver, TaskSender } from '../src/delivery/recoding/task-message.ts'
import { buildApp } from '../src/server/app.ts'
import { readConfig } from '../src/server/config.ts'
import { openService } from '../src/server/service.ts'

const ROOT = new URL('../', import.meta.url)

/** One way: the source, relative to the project, and the key that is asked for. */
interface Way {
  readonly name: string
  readonly file: string
  readonly key: string
  /** Asked before the measured request, so that the store (or the chunk index) is open. */
  readonly before: readonly string[]
}

const WAYS: readonly Way[] = [
  { name: 'cold open', file: 'examples/atmosphere.nc', key: 'zarr.json', before: [] },
  { name: 'warm document', file: 'examples/atmosphere.nc', key: 'zarr.json', before: ['zarr.json'] },
  { name: 'passed chunk', file: 'examples/sea-surface.nc', key: 'lat/c/0', before: ['zarr.json', 'sst/c/0/0/0'] },
  {
    name: 'enveloped chunk',
    file: 'examples/atmosphere.nc',
    key: 'air_temperature/c/0/0/0/0',
    before: ['zarr.json', 'air_temperature/c/1/0/0/0'],
  },
  {
    name: 'recoded chunk',
    file: 'test/fixtures/tiff/float_tiles.tif',
    key: 'band_data/c/0/0',
    before: ['zarr.json', 'band_data/c/1/0'],
  },
]

/** Both sides of a worker, on this thread. */
function recodingHere(): RecodeWorkers {
  const sender = new TaskSender()
  const receiver = new TaskReceiver()
  return {
    run: async (task) => await recode(receiver.unpack(sender.pack(task).message)),
    close: async () => undefined,
  }
}

/** What one request ran through. */
export interface RequestPath {
  readonly name: string
  /** Calls of each file's functions. */
  readonly files: ReadonlyMap<string, number>
  readonly calls: number
}

/** A codec or a kernel, and not what plans and runs them. */
export function isCodec(file: string): boolean {
  return /^src\/codecs\/\w+\//.test(file)
}

/** Measures every way, each on a service of its own. */
export async function requestPaths(): Promise<RequestPath[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const paths: RequestPath[] = []
  for (const way of WAYS) paths.push(await measured(way, session))
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  return paths
}

async function measured(way: Way, session: Session): Promise<RequestPath> {
  const origin = await serveFile(await readFile(new URL(way.file, ROOT)))
  const config = readConfig({
    flags: {},
    environment: { VZ_ALLOW_SOURCES: origin.url, VZ_LOG_LEVEL: 'silent' },
    bundledCatalog: undefined,
  })
  const service = openService(config, { workers: recodingHere() })
  const { http } = await buildApp({ ...service, catalog: config.catalog }, config)
  try {
    const address = await http.listen({ host: '127.0.0.1', port: 0 })
    const source = `${origin.url}/${way.file.split('/').at(-1)}`
    const store = `${address}/zarr/~${Buffer.from(source).toString('base64url')}`
    for (const key of way.before) await get(`${store}/${key}`)
    await pause(50)
    await session.post('Profiler.takePreciseCoverage')
    await get(`${store}/${way.key}`)
    await pause(20)
    return { name: way.name, ...counted((await session.post('Profiler.takePreciseCoverage')).result) }
  } finally {
    await http.close()
    await service.close()
    origin.server.close()
  }
}

interface ScriptCoverage {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly { readonly count: number }[]
  }[]
}

function counted(scripts: readonly ScriptCoverage[]): Omit<RequestPath, 'name'> {
  const files = new Map<string, number>()
  let calls = 0
  for (const { url, functions } of scripts) {
    if (!url.startsWith(`${ROOT.href}src/`) && !url.startsWith(`${ROOT.href}routes/`)) continue
    const own = functions.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0)
    if (own > 0) files.set(url.slice(ROOT.href.length), own)
    calls += own
  }
  return { files, calls }
}

async function get(url: string): Promise<void> {
  const answer = await fetch(url)
  const { byteLength } = await answer.arrayBuffer()
  if (!answer.ok || byteLength === 0) throw new Error(`${url} answered ${answer.status}`)
}

async function serveFile(bytes: Uint8Array): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const part = bytes.subarray(Number(from), to === '' ? undefined : Number(to) + 1)
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`
    response.writeHead(206, { etag: '"1"', 'content-range': range, 'content-length': part.length }).end(part)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, server }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, files, calls } of await requestPaths()) {
    const codecs = [...files.keys()].filter(isCodec).length
    const others = codecs === 0 ? '' : ` and ${codecs} of codecs`
    process.stdout.write(`${name}: ${files.size - codecs} files${others}, ${calls} calls\n`)
    if (!process.argv.includes('--files')) continue
    for (const [file, own] of files) process.stdout.write(`${String(own).padStart(7)}  ${file}\n`)
  }
}
