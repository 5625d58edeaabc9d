import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { isJsonObject, type JsonObject } from '../../src/json/json.ts'
import { parseJson } from '../../src/json/parse.ts'
import { consolidatedDocuments } from '../corpus/store-client.ts'
import { chunkKeys } from '../helpers/chunk-keys.ts'

/** What a service answered to one request. ETags are left out: they may change with the revision of the output. */
export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: Buffer
}

/** One line of a record. */
export interface Digest {
  readonly source: string
  readonly options: string
  readonly key: string
  readonly status: number
  readonly type: string
  readonly bytes: number
  readonly sha256: string
}

/** An answer over HTTP, on connections that are kept alive. One that breaks off is recorded as such, with status 0. */
export function get(url: string): Promise<Answer> {
  return new Promise((resolve) => {
    const broken = (error: Error & { readonly code?: string }) =>
      resolve({ status: 0, type: 'connection', body: Buffer.from(error.code ?? error.message) })
    const outgoing = request(url, { headers: { 'accept-encoding': 'identity' } }, (incoming) => {
      const parts: Buffer[] = []
      incoming.on('data', (part: Buffer) => parts.push(part))
      incoming.on('error', broken)
      incoming.on('end', () => {
        const type = incoming.headers['content-type'] ?? ''
        resolve({ status: incoming.statusCode ?? 0, type, body: Buffer.concat(parts) })
      })
    })
    outgoing.setTimeout(120_000, () => outgoing.destroy(new Error(`no answer within two minutes: ${url}`)))
    // The server may close an idle connection at the moment at which it is used again.
    outgoing.on('error', (error) => (outgoing.reusedSocket ? resolve(get(url)) : broken(error)))
    outgoing.end()
  })
}

/** A problem counts by its status and its type: its sentences may be reworded without a change of behaviour. */
export function digestOf({ status, type, body }: Answer): Pick<Digest, 'status' | 'type' | 'bytes' | 'sha256'> {
  const content = type.startsWith('application/problem+json') ? problemType(body) : body
  return { status, type, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
}

function problemType(body: Buffer): Buffer {
  const problem = parseJson(body.toString())
  return Buffer.from(isJsonObject(problem) ? String(problem['type']) : '')
}

/**
 * The option sets with which a store is asked for, beyond the plain one. Those of `select` and `chunks` need a dimension of the store, which
 * its own document names.
 */
export function optionSets(root: JsonObject): string[] {
  const fixed = [
    ';codecs=raw',
    ';codecs=native',
    ';missing=fill',
    ';missing=mask',
    ';missing=strict',
    ';missing=convention',
    ';packing=decoded',
    ';packing=codecs',
    ';layout=ifd',
    ';layout=levels',
    ';pyramid=mean',
    ';inline=auto',
    ';sentinel=warn;codecs=raw;packing=decoded',
  ]
  const longest = longestDimension(root)
  if (longest === undefined) return fixed
  const [name, length] = longest
  const end = length - 1
  return [
    ...fixed,
    `;select=${name}:1..${end}`,
    `;chunks=${name}:${Math.ceil(length / 3)}`,
    `;select=${name}:1..${end};chunks=${name}:${Math.ceil(length / 4)};packing=decoded`,
  ]
}

function longestDimension(root: JsonObject): readonly [name: string, length: number] | undefined {
  let longest: readonly [string, number] | undefined
  for (const [, node] of consolidatedDocuments(root)) {
    if (!isJsonObject(node) || !Array.isArray(node['shape']) || !Array.isArray(node['dimension_names'])) continue
    for (const [axis, name] of node['dimension_names'].entries()) {
      const length = Number(node['shape'][axis])
      if (typeof name !== 'string' || !/^[\w-]+$/.test(name) || length < 3) continue
      if (longest === undefined || length > longest[1]) longest = [name, length]
    }
  }
  return longest
}

/** Every document and some chunks of a store: the keys below it, without the root document. */
export function keysOf(root: JsonObject, maxChunks: number): string[] {
  const documents = [...consolidatedDocuments(root)]
    .filter(([path]) => path !== '')
    .map(([path]) => `${path.split('/').map(encodeURIComponent).join('/')}/zarr.json`)
  return [...documents, ...chunkKeys(root, maxChunks)]
}
