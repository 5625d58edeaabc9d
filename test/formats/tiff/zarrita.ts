import * as zarrita from 'zarrita'
import { writeJson } from '../../../src/json/write.ts'
import { zarritaLimit } from '../../corpus/read-zarrita.ts'
import type { TestStore } from './store.ts'

/** Reads an array with zarrita, without a server; undefined for what zarrita has no type for. */
export async function readWithZarrita(store: TestStore, path: string): Promise<Uint8Array | undefined> {
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
  const { data } = await zarrita.get(array)
  if (!('buffer' in data)) throw new Error('numbers are expected')
  return new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength)
}
