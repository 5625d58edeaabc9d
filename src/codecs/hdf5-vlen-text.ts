import { anyText } from '../bytes/text.ts'
import { malformed, overLimit } from '../errors.ts'
import type { JsonObject } from '../json/json.ts'
import { elementCount } from '../model/shape.ts'
import type { SerialCodec } from './codec.ts'
import { integerMember } from './configuration.ts'
import { type HeapFormat, type HeapReader, readCollections } from './hdf5-heap.ts'

/**
 * HDF5's text of varying length: each element is a length (32 bits), the address of a global heap collection (`offsetSize`
 * bytes, counted from `base`) and the number of an object in it (32 bits). The collections are read again from the source.
 */
export const hdf5VlenText: SerialCodec = {
  kind: 'serial',
  name: 'vz.hdf5-vlen-text',
  reach: 'internal',
  readsSource: true,
  check: (configuration) => {
    formatOf(configuration)
  },
  decode: async (bytes, layout, configuration, context) => {
    const format = formatOf(configuration)
    const count = elementCount(layout.shape)
    const references = parseReferences(bytes, count, format)
    const total = references.lengths.reduce((sum, length) => sum + length, 0)
    if (total > context.limit)
      throw overLimit(`a chunk holds ${total} bytes of text, at most ${context.limit} are served`)
    const { read } = context
    if (read === undefined) throw new TypeError('vz.hdf5-vlen-text is decoded without a reader of its source')
    return { kind: 'text', values: await readTexts(references, format, { read, limit: context.limit }) }
  },
}

function formatOf(configuration: JsonObject): HeapFormat {
  return {
    offsetSize: integerMember(configuration, 'offsetSize', { least: 2, most: 8, fallback: 8 }),
    lengthSize: integerMember(configuration, 'lengthSize', { least: 2, most: 8, fallback: 8 }),
    base: integerMember(configuration, 'base', { least: 0, most: Number.MAX_SAFE_INTEGER, fallback: 0 }),
  }
}

/** Where each element's text lies; -1 is the address of no text at all. */
interface References {
  readonly lengths: Uint32Array
  readonly addresses: Float64Array
  readonly objects: Uint32Array
}

function parseReferences(bytes: Uint8Array, count: number, { offsetSize }: HeapFormat): References {
  const size = 8 + offsetSize
  if (bytes.length !== count * size) {
    throw malformed(`a chunk of ${bytes.length} bytes does not hold ${count} references of ${size} bytes`)
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const lengths = new Uint32Array(count)
  const addresses = new Float64Array(count).fill(-1)
  const objects = new Uint32Array(count)
  const undefinedAddress = 2 ** (8 * offsetSize) - 1
  for (let i = 0; i < count; i++) {
    const at = i * size
    const length = view.getUint32(at, true)
    let address = 0
    for (let byte = offsetSize - 1; byte >= 0; byte--) address = address * 256 + view.getUint8(at + 4 + byte)
    // A reference that was never written, or to an empty text.
    if (length === 0 || address === 0 || address === undefinedAddress) continue
    if (!Number.isSafeInteger(address)) throw malformed(`${address} is beyond 2^53, expected an address`)
    lengths[i] = length
    addresses[i] = address
    objects[i] = view.getUint32(at + 4 + offsetSize, true)
  }
  return { lengths, addresses, objects }
}

async function readTexts(references: References, format: HeapFormat, reader: HeapReader): Promise<string[]> {
  const { lengths, addresses, objects } = references
  const values = new Array<string>(addresses.length).fill('')
  const byAddress = Map.groupBy(addresses.keys(), (place) => addresses[place] ?? -1)
  byAddress.delete(-1)
  await readCollections([...byAddress.keys()], format, reader, (address, collection) => {
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
  })
  return values
}

/** For every reader these are C strings. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return anyText(end < 0 ? bytes : bytes.subarray(0, end))
}
