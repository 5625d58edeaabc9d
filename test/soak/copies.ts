import { createHash } from 'node:crypto'
import { storeUrl } from '../corpus/service.ts'
import { parseReply } from '../corpus/store-client.ts'
import { ask, type Reply } from '../faults/ask.ts'
import type { Told } from '../faults/validators.ts'
import { chunkKeys } from '../helpers/chunk-keys.ts'
import type { Origin } from '../helpers/origin.ts'
import type { TestSource } from '../helpers/test-sources.ts'

export interface SoakWorld {
  readonly origin: Origin
  readonly service: { readonly url: string }
}

/** A request, and what it is answered where nothing fails. */
export interface Expected {
  readonly kind: 'document' | 'chunk' | 'export'
  /** Of a store: options and key. */
  readonly path: string
  readonly status: number
  readonly hash: string
  readonly length: number
  /** Of answers that are not long. */
  readonly body: Buffer | undefined
}

/** Chunks of one array, and requests to one source. */
const MOST_CHUNKS = 4
const MOST_REQUESTS = 16
const MOST_HELD_BYTES = 2 ** 17
const OPTIONS = ['', ';codecs=native', ';codecs=raw']

const fileUrl = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** Where the origin has the members of a source. */
function placed(source: TestSource, folder: string): [string, Uint8Array][] {
  const members = source.members()
  return Object.entries(source.pack?.(members) ?? members).map(([path, bytes]) => [`${folder}/${fileUrl(path)}`, bytes])
}

/** Puts a source into a folder of its own; returns what removes it. */
export function putCopy(source: TestSource, folder: string, told: Told, { origin }: SoakWorld): () => void {
  const files = placed(source, folder)
  for (const [path, bytes] of files) origin.put(path, { bytes, ...told })
  return () => {
    for (const [path] of files) origin.remove(path)
  }
}

export function urlOf(
  source: TestSource,
  folder: string,
  { kind, path }: Pick<Expected, 'kind' | 'path'>,
  world: SoakWorld,
) {
  // Braces of a pattern are no characters of a name.
  const own = source.format === 'join' ? source.source : fileUrl(source.source)
  const url = world.origin.url(`${folder}/${own}`)
  if (kind === 'export') return `${world.service.url}export?url=${encodeURIComponent(url)}`
  return `${storeUrl(world.service, url).slice(0, -1)}${path}`
}

/** What a body is compared by: an export names the place of its source. */
export function hashOf({ kind }: Pick<Expected, 'kind'>, body: Buffer, folder: string): string {
  const named = kind === 'export' ? Buffer.from(body.toString('latin1').replaceAll(folder, '…'), 'latin1') : body
  return createHash('sha256').update(named).digest('hex')
}

/** Asks for documents, chunks and the export of a source while nothing fails. */
export async function expectedOf(source: TestSource, folder: string, world: SoakWorld): Promise<readonly Expected[]> {
  const remove = putCopy(source, folder, { etag: '"clean"' }, world)
  const expected: Expected[] = []
  const note = async (kind: Expected['kind'], path: string) => {
    const reply = await ask(urlOf(source, folder, { kind, path }, world))
    const { status, body } = reply
    // What fails without any fault refers to hosts that are not there.
    if (status === 0 || (status >= 500 && status !== 501)) return reply
    const held = status === 200 && body.length <= MOST_HELD_BYTES ? body : undefined
    expected.push({ kind, path, status, hash: hashOf({ kind }, body, folder), length: body.length, body: held })
    return reply
  }
  for (const options of OPTIONS) {
    const document = await note('document', `${options}/zarr.json`)
    const keys = document.status === 200 ? keysOf(document) : []
    for (const key of keys) await note('chunk', `${options}/${key}`)
  }
  await note('export', '')
  remove()
  return expected
}

function keysOf({ body }: Reply): string[] {
  const keys = chunkKeys(parseReply({ bytes: body }), MOST_CHUNKS)
  const every = Math.max(1, keys.length / MOST_REQUESTS)
  return Array.from({ length: Math.min(keys.length, MOST_REQUESTS) }, (_, at) => keys[Math.floor(at * every)] ?? '')
}
