import * as zarrita from 'zarrita'
import { writeJson } from '../../src/json/write.ts'
import { zarritaLimit } from '../corpus/read-zarrita.ts'
import type { Values } from '../corpus/values.ts'
import type { TestStore } from './test-stores.ts'

/** Reads an array with zarrita, without a server; undefined for what it can't read. */
export async function readWithZarrita(store: TestStore, path: string): Promise<Values | undefined> {
  const document = await store.document(path)
  if (zarritaLimit(document) !== undefined) return undefined
  const client = {
    async get(key: string): Promise<Uint8Array | undefined> {
      if (key === `/${path}/zarr.json`) return Buffer.from(writeJson(document))
      const coords = key
        .slice(path.length + 2)
        .split('/')
        .slice(1)
        .map(Number)
      return await store.chunk(path, coords)
    },
  }
  const array = await zarrita.open.v3(zarrita.root(client).resolve(`/${path}`), { kind: 'array' })
  if (array.shape.includes(0)) return undefined
  const { data } = array.shape.length === 0 ? await array.getChunk([]) : await zarrita.get(array)
  if (Array.isArray(data)) return { kind: 'text', values: data.map(String) }
  const length = data.length * data.BYTES_PER_ELEMENT
  return { kind: 'fixed', bytes: new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, length) }
}
