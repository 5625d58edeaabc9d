// HDF5 File Format Specification, section III.E "Disk Format: Level 1E - Global Heap".
import { malformed } from '../../../errors.ts'
import { after } from '../../../model/recent-parts.ts'
import { cursorAt, type Hdf5File, readAt, readUpTo } from './hdf5-file.ts'

/** Objects of a collection by their index. */
type HeapObjects = ReadonlyMap<number, Uint8Array>

/** Reads collections once each. */
export interface GlobalHeaps {
  /** At once where its collection has been read. */
  object(address: number, index: number): Uint8Array | Promise<Uint8Array>
}

/** Metadata lives in collections of 4 kB; larger ones hold one large object. */
const MOST_COLLECTION_BYTES = 67_108_864
const FIRST_READ = 4096

export function globalHeaps(file: Hdf5File, signal?: AbortSignal | undefined): GlobalHeaps {
  const collections = new Map<number, HeapObjects | Promise<HeapObjects>>()
  async function read(address: number): Promise<HeapObjects> {
    const objects = await readCollection(file, address, signal)
    collections.set(address, objects)
    return objects
  }
  return {
    object(address, index) {
      const collection = collections.get(address) ?? read(address)
      if (collection instanceof Promise) collections.set(address, collection)
      return after(collection, (objects) => {
        const object = objects.get(index)
        file.budget.spend(32 + (object?.length ?? 0))
        if (object === undefined) {
          throw malformed(`a global heap has no object ${index}`, { offset: file.base + address })
        }
        return object
      })
    },
  }
}

async function readCollection(file: Hdf5File, address: number, signal: AbortSignal | undefined): Promise<HeapObjects> {
  const head = await readUpTo(file, address, FIRST_READ, signal)
  const cursor = cursorAt(file, head, address)
  cursor.signature('GCOL')
  cursor.oneOf('global heap version', [1])
  cursor.skip(3)
  const size = cursor.length()
  if (size > MOST_COLLECTION_BYTES) throw cursor.fail(`a global heap of ${size} bytes`)
  const bytes = size <= head.length ? head.subarray(0, size) : await readAt(file, address, size, signal)
  return parseObjects(file, bytes, address, cursor.position)
}

function parseObjects(file: Hdf5File, bytes: Uint8Array, address: number, start: number): HeapObjects {
  const objects = new Map<number, Uint8Array>()
  const cursor = cursorAt(file, bytes, address)
  cursor.seek(Math.min(start, bytes.length))
  const prefix = 8 + file.lengthSize
  while (cursor.remaining >= prefix) {
    const index = cursor.u16()
    cursor.skip(6)
    const length = cursor.length()
    // Object 0 is the free space at the end.
    if (index === 0) break
    objects.set(index, cursor.take(length))
    cursor.align8()
  }
  return objects
}
