import { type AsyncReadable, FetchStore } from 'zarrita'
import type { JsonObject } from '../../src/json/json.ts'
import { object } from './golden.ts'
import { readOwn } from './read-own.ts'
import { openZarrita, readZarritaArray, type ZarritaArray } from './read-zarrita.ts'
import { consolidatedDocuments, getChunk, getDocument, type Reply } from './store-client.ts'
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
      const reply = await getChunk(url)
      this.#chunks.set(url, reply)
      return reply
    })
  }

  /** As zarrita reads it, by keys that it makes up itself: what has not been answered yet it asks for. */
  async readZarrita(path: string): Promise<ZarritaArray> {
    this.#zarrita ??= openZarrita(this.#answers(), this.documents.get('')?.['node_type'] === 'group')
    return await readZarritaArray(await this.#zarrita, path)
  }

  #answers(): AsyncReadable {
    const store = new FetchStore(this.url)
    return {
      get: async (key, options) => {
        const known = this.#chunks.get(this.url + key.slice(1))
        if (known?.status === 404) return undefined
        return known?.status === 200 ? known.bytes.slice() : await store.get(key, options)
      },
      getRange: (key, range, options) => store.getRange(key, range, options),
    }
  }
}
