import type { Elements } from '../../../src/codecs/codec.ts'
import { decodeChunk } from '../../../src/codecs/decode.ts'
import type { DecodeOptions } from '../../../src/codecs/pipeline.ts'
import { storedShapeOf } from '../../../src/compose/coding.ts'
import type { ChunkRef } from '../../../src/model/chunk-ref.ts'
import type { VirtualArray, VirtualGroup, VirtualNode } from '../../../src/model/virtual-store.ts'
import type { Source } from '../../../src/source/source.ts'
import { asStored } from '../../helpers/stored-array.ts'

export type CardText = readonly [string, string | number | boolean]

/** One HDU: a header of these keyword records (text is quoted), then data; both filled up to whole blocks. */
export function hduBytes(cards: readonly CardText[], data: Uint8Array = new Uint8Array(0)): Uint8Array {
  const images = [...cards.map(([keyword, value]) => `${keyword.padEnd(8)}= ${spelled(value)}`), 'END']
  const header = images.map((image) => image.padEnd(80).slice(0, 80)).join('')
  return new Uint8Array(Buffer.concat([block(Buffer.from(header, 'latin1'), 0x20), block(Buffer.from(data), 0)]))
}

function spelled(value: string | number | boolean): string {
  if (typeof value === 'string') return `'${value.padEnd(8)}'`
  return (typeof value === 'boolean' ? (value ? 'T' : 'F') : String(value)).padStart(20)
}

function block(bytes: Buffer, filler: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((2880 - (bytes.length % 2880)) % 2880, filler)])
}

/** The mandatory records of an image; `axes` are NAXIS1, NAXIS2, ... */
export function imageCards(bitpix: number, axes: readonly number[], extension = false): CardText[] {
  const first: CardText = extension ? ['XTENSION', 'IMAGE'] : ['SIMPLE', true]
  return [first, ['BITPIX', bitpix], ['NAXIS', axes.length], ...axes.map((n, i): CardText => [`NAXIS${i + 1}`, n])]
}

/** The mandatory records of a binary table, and its columns by name and format. */
export function tableCards(
  rowBytes: number,
  rows: number,
  heap: number,
  columns: readonly (readonly [string, string])[],
): CardText[] {
  return [
    ['XTENSION', 'BINTABLE'],
    ['BITPIX', 8],
    ['NAXIS', 2],
    ['NAXIS1', rowBytes],
    ['NAXIS2', rows],
    ['PCOUNT', heap],
    ['GCOUNT', 1],
    ['TFIELDS', columns.length],
    ...columns.flatMap(([name, form], i): CardText[] => [
      [`TTYPE${i + 1}`, name],
      [`TFORM${i + 1}`, form],
    ]),
  ]
}

/** The bytes of several HDUs. */
export function fileOf(...hdus: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(hdus))
}

/** All arrays of a tree, by path. */
export function* arraysOf(node: VirtualNode, path = ''): Generator<readonly [string, VirtualArray]> {
  if (node.kind === 'array') {
    yield [path, node]
    return
  }
  for (const [name, member] of node.members) {
    if (member.kind !== 'skipped') yield* arraysOf(member, path === '' ? name : `${path}/${name}`)
  }
}

/** The root of a FITS file is a group. */
export function groupOf(node: VirtualNode): VirtualGroup {
  if (node.kind !== 'group') throw new Error('the root of a FITS file is a group')
  return node
}

/** One chunk of an array, decoded. */
export async function decodedChunk(array: VirtualArray, coords: readonly number[], source: Source): Promise<Elements> {
  const ref = await asStored(array).chunks.at(coords)
  const encoding = 'encoding' in ref ? asStored(array).encodings[ref.encoding] : undefined
  if (encoding === undefined) throw new Error(`a chunk is ${ref.kind}`)
  const layout = { shape: storedShapeOf(asStored(array), coords), dataType: array.dataType }
  const options: DecodeOptions = { limit: 2 ** 26, fillValue: array.fillValue, read: (range) => source.read(range) }
  return await decodeChunk(await stored(ref, source), encoding, layout, options)
}

async function stored(ref: ChunkRef, source: Source): Promise<Uint8Array> {
  switch (ref.kind) {
    case 'range':
      return Buffer.concat([ref.prefix ?? new Uint8Array(0), await source.read(ref)])
    case 'inline':
      return ref.bytes
    case 'strided': {
      const parts = Array.from({ length: ref.count }, (_, i) =>
        source.read({ offset: ref.offset + i * ref.stride, length: ref.length }),
      )
      return Buffer.concat(await Promise.all(parts))
    }
    case 'ranges':
    case 'object':
    case 'missing':
      throw new Error(`a FITS chunk is not ${ref.kind}`)
  }
}
