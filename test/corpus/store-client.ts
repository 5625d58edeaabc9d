import assert from 'node:assert/strict'
import { request } from 'undici'
import { isJsonObject, type JsonObject } from '../../src/json/json.ts'
import { parseJson } from '../../src/json/parse.ts'
import { processorMilliseconds } from '../helpers/processor-time.ts'
import { member, object } from './golden.ts'

/** One HTTP answer, read to its end. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** And what it took of the processor in this process, in which the service may run. */
interface TimedReply extends Reply {
  readonly processorMilliseconds: number
}

/** What a malformed source may take (GUARD-6), of the processor: a machine may be busy, but not for so long. */
const MOST_PROCESSOR_MILLISECONDS = 2000
/** Nothing is answered any more. */
const HANG_MS = 120_000

/** Asserts that an answer of the service in this process came in time. */
export function assertInTime({ processorMilliseconds: worked }: TimedReply, what: string): void {
  assert.ok(worked < MOST_PROCESSOR_MILLISECONDS, `${what}: took ${worked} ms of the processor`)
}

export async function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<TimedReply> {
  const before = processorMilliseconds()
  const response = await fetch(url, { method, headers, signal: AbortSignal.timeout(HANG_MS) })
  const bytes = await response.bytes()
  const { status, headers: answered } = response
  return { status, headers: answered, bytes, processorMilliseconds: processorMilliseconds() - before }
}

/** The same by another client, for what is asked for by the thousand: `fetch` takes three times as long for a small answer. */
export async function getChunk(url: string): Promise<Reply> {
  const { statusCode: status, headers, body } = await request(url)
  const bytes = await body.bytes()
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  return { status, headers: new Headers(Object.fromEntries(entries)), bytes }
}

export function parseReply(reply: Pick<Reply, 'bytes'>): JsonObject {
  return object(parseJson(new TextDecoder().decode(reply.bytes)))
}

/** The document of a node; fails when it is not served. */
export async function getDocument(storeUrl: string, path: string): Promise<JsonObject> {
  const url = nodeUrl(storeUrl, path, 'zarr.json')
  const reply = await get(url)
  assert.equal(reply.status, 200, `${url}: ${new TextDecoder().decode(reply.bytes.subarray(0, 500))}`)
  return parseReply(reply)
}

/** The URL of a key of a node; names are percent-encoded as clients do. */
export function nodeUrl(storeUrl: string, path: string, key: string): string {
  const segments = path === '' ? [] : path.split('/')
  return storeUrl + [...segments.map(encodeURIComponent), key].join('/')
}

/** The documents of the whole tree, by path: those of the consolidated metadata, and the root's own. */
export function consolidatedDocuments(root: JsonObject): Map<string, JsonObject> {
  const { consolidated_metadata: consolidated, ...own } = root
  const documents = new Map([['', own as JsonObject]])
  const metadata = member(consolidated, 'metadata')
  if (!isJsonObject(metadata)) return documents
  for (const [path, document] of Object.entries(metadata)) documents.set(path, object(document))
  return documents
}

/** Asserts RFC 9457: an error that says what it is, and is not cached. */
export function assertProblem(reply: Reply, statuses: readonly number[], what: string): JsonObject {
  assert.ok(statuses.includes(reply.status), `${what}: status ${reply.status}, expected ${statuses.join(' or ')}`)
  assert.match(reply.headers.get('content-type') ?? '', /^application\/problem\+json/, what)
  assert.equal(reply.headers.get('cache-control'), 'no-store', what)
  const problem = parseReply(reply)
  assert.equal(problem['status'], reply.status, what)
  for (const name of ['type', 'title', 'detail']) assert.equal(typeof problem[name], 'string', `${what}: ${name}`)
  return problem
}
