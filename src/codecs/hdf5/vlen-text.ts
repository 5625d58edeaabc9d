import { anyText } from '../../bytes/text.ts'
import { malformed, overLimit } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import type { DecodeContext, Elements } from '../codec.ts'
import { internalSerial } from '../internal.ts'
import { type Collection, type HeapFormat, type HeapReader, readCollections } from './heap.ts'
import { type HeapReferences, parseReferences } from './heap-references.ts'

/**
 * HDF5's text of varying length: each element is a length (32 bits), the address of a global heap collection (`offsetSize`
 * bytes, counted from `base`) and the number of an object in it (32 bits). The collections are read again from the source.
 */
export const hdf5VlenText = internalSerial<HeapFormat>({
  name: 'vz.hdf5-vlen-text',
  readsSource: true,
  prepare: (format, { shape }) => {
    const count = elementCount(shape)
    return { decode: (bytes, context) => vlenTexts(bytes, count, format, context) }
  },
})

/** The text that so many references name. */
export async function vlenTexts(
  bytes: Uint8Array,
  count: number,
  format: HeapFormat,
  { limit, read }: DecodeContext,
): Promise<Elements> {
  const references = parseReferences(bytes, count, format)
  const total = references.lengths.reduce((sum, length) => sum + length, 0)
  if (total > limit) throw overLimit(`a chunk holds ${total} bytes of text, at most ${limit} are served`)
  if (read === undefined) throw new TypeError('vz.hdf5-vlen-text is decoded without a reader of its source')
  return { kind: 'text', values: await readTexts(references, format, { read, limit }) }
}

async function readTexts(references: HeapReferences, format: HeapFormat, reader: HeapReader): Promise<string[]> {
  const { lengths, addresses, objects } = references
  const values = new Array<string>(addresses.length).fill('')
  const byAddress = Map.groupBy(addresses.keys(), (place) => addresses[place] ?? -1)
  byAddress.delete(-1)
  const use = (address: number, collection: Collection) => {
    const texts = new Map<number, string>()
    for (const place of byAddress.get(address) ?? []) {
      const index = objects[place] ?? 0
      const object = collection.get(index)
      const length = lengths[place] ?? 0
      if (object === undefined || object.length < length) {
        const what = object === undefined ? 'no such object' : `an object of ${object.length} bytes`
        throw malformed(`text of ${length} bytes refers to object ${index} of a global heap, which has ${what}`, {
          offset: format.base + address,
        })
      }
      // Many elements may name one object.
      const known = texts.get(index)
      const text = known ?? textOf(object.subarray(0, length))
      if (known === undefined) texts.set(index, text)
      values[place] = text
    }
  }
  await readCollections([...byAddress.keys()], format, reader, { use })
  return values
}

/** For every reader these are C strings. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return anyText(end < 0 ? bytes : bytes.subarray(0, end))
}
