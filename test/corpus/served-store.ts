import type { AsyncReadable } from 'zarrita'
import type { JsonObject } from '../../src/json/json.ts'
import { object } from './golden.ts'
import { readOwn } from './read-own.ts'
import { openZarrita, readZarritaArray, type ZarritaArray } from './read-zarrita.ts'
import { consolidatedDocuments, get, getDocument, type Reply } from './store-client.ts'
import type { Values } from './values.ts'

/**
 * One profile of a store, and the documents of all its nodes. The service is asked once for each chunk of an array: our own
 * codecs and zarrita decode the same answers.
 */
export class ServedStore {
  readonly url: string
  readonly documents: ReadonlyMap<string, JsonObject>
  /** Of the array that was read last, by URL. */
  readonly #chunks = new Map<string, Reply>()
  #zarrita: Promise<AsyncReadable> | undefined

  constructor(url: string, documents: ReadonlyMap<string, JsonObject>) {
    this.url = url
    this.documents = documents
  }

  static async open(url: string): Promise<ServedStore> {
    return new ServedStore(url, consolidatedDocuments(await getDocument(url, '')))
  }

  /** All values of an array, decoded by our own codecs. */
  async readOwn(path: string): Promise<Values> {
    this.#chunks.clear()
    return await readOwn(this.url, path, object(this.documents.get(path)), async (url) => {
      const reply = await get(url)
      this.#chunks.set(url, reply)
      return reply
    })
  }

  /** As zarrita reads it, which makes up the URLs of chunks itself: what has not been answered yet it asks for. */
  async readZarrita(path: string): Promise<ZarritaArray> {
    const isConsolidated = this.documents.get('')?.['node_type'] === 'group'
    this.#zarrita ??= openZarrita(this.url, isConsolidated, (request) => this.#answer(request))
    return await readZarritaArray(await this.#zarrita, path)
  }

  async #answer(request: Request): Promise<Response> {
    const isWhole = request.method === 'GET' && !request.headers.has('range')
    const known = isWhole ? this.#chunks.get(request.url) : undefined
    if (known === undefined) return await fetch(request)
    return new Response(Buffer.from(known.bytes), { status: known.status, headers: known.headers })
  }
}
