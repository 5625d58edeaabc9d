import { anyText } from '../../bytes/text.ts'
import { malformed, overLimit } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import type { DecodeContext, Elements } from '../codec.ts'
import { requireInteger } from '../configuration.ts'
import { internalSerial } from '../internal.ts'
import { type Collection, type HeapFormat, type HeapReader, readCollections } from './heap.ts'
import { type HeapReferences, parseReferences, referenceBytes } from './heap-references.ts'

/** Where the reference lies in each record; without this, elements are the references themselves. */
interface TextParameters extends HeapFormat {
  readonly record?: { readonly size: number; readonly offset: number }
}

/**
 * HDF5's text of varying length: each element is a length (32 bits), the address of a global heap collection (`offsetSize`
 * bytes, counted from `base`) and the number of an object in it (32 bits). The collections are read again from the source.
 */
export const hdf5VlenText = internalSerial<TextParameters>({
  name: 'vz.hdf5-vlen-text',
  readsSource: true,
  prepare: ({ record, ...format }, { shape }) => {
    const count = elementCount(shape)
    if (record === undefined) return { decode: (bytes, context) => vlenTexts(bytes, count, format, context) }
    requireInteger('size', record.size, 1, 2 ** 31)
    requireInteger('offset', record.offset, 0, record.size - referenceBytes(format))
    return { decode: (bytes, context) => vlenTexts(referencesIn(bytes, count, record, format), count, format, context) }
  },
})

/** The references of one field, side by side. */
function referencesIn(
  bytes: Uint8Array,
  count: number,
  { size, offset }: { readonly size: number; readonly offset: number },
  format: HeapFormat,
): Uint8Array {
  if (bytes.length !== count * size)
    throw malformed(`a chunk of ${bytes.length} bytes does not hold ${count} records of ${size} bytes`)
  const length = referenceBytes(format)
  const references = new Uint8Array(count * length)
  for (let i = 0; i < count; i++) {
    const start = i * size + offset
    references.set(bytes.subarray(start, start + length), i * length)
  }
  return references
}

/** Text is held some times over while it is decoded, and nobody knows how long it is before. */
const MOST_TEXT_BYTES = 2 ** 26

/** The text that so many references name. */
export async function vlenTexts(
  bytes: Uint8Array,
  count: number,
  format: HeapFormat,
  { limit, read }: DecodeContext,
): Promise<Elements> {
  const references = parseReferences(bytes, count, format)
  const total = references.lengths.reduce((sum, length) => sum + length, 0)
  const most = Math.min(limit, MOST_TEXT_BYTES)
  if (total > most) throw overLimit(`a chunk holds ${total} bytes of text, at most ${most} are served`)
  if (read === undefined) throw new TypeError('vz.hdf5-vlen-text is decoded without a reader of its source')
  return { kind: 'text', values: await readTexts(references, format, { read, limit }) }
}

async function readTexts(references: HeapReferences, format: HeapFormat, reader: HeapReader): Promise<string[]> {
  const { lengths, addresses, objects } = references
  const values = new Array<string>(addresses.length).fill('')
  const collections = placesByCollection(addresses)
  const use = (address: number, collection: Collection) => {
    const texts = new Map<number, { readonly length: number; readonly text: string }>()
    for (const place of collections.placesOf(address)) {
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
      const text = known?.length === length ? known.text : textOf(object.subarray(0, length))
      if (known === undefined) texts.set(index, { length, text })
      values[place] = text
    }
  }
  await readCollections(collections.addresses, format, reader, { use })
  return values
}

/** Which elements lie in each collection. There may be millions, hence no lists of them. */
function placesByCollection(addresses: Float64Array) {
  const collections = new Map<number, number>()
  for (const address of addresses)
    if (address >= 0 && !collections.has(address)) collections.set(address, collections.size)
  const collectionAt = (place: number) => collections.get(addresses[place] ?? -1)
  const ends = new Uint32Array(collections.size + 1)
  for (const place of addresses.keys()) {
    const collection = collectionAt(place)
    if (collection !== undefined) ends[collection + 1] = (ends[collection + 1] ?? 0) + 1
  }
  for (let collection = 1; collection < ends.length; collection++) {
    ends[collection] = (ends[collection] ?? 0) + (ends[collection - 1] ?? 0)
  }
  const starts = ends.slice()
  const places = new Uint32Array(ends.at(-1) ?? 0)
  for (const place of addresses.keys()) {
    const collection = collectionAt(place)
    if (collection === undefined) continue
    const at = starts[collection] ?? 0
    places[at] = place
    starts[collection] = at + 1
  }
  return {
    addresses: [...collections.keys()],
    placesOf(address: number): Uint32Array {
      const collection = collections.get(address) ?? 0
      return places.subarray(ends[collection], ends[collection + 1])
    },
  }
}

/** For every reader these are C strings. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return anyText(end < 0 ? bytes : bytes.subarray(0, end))
}
