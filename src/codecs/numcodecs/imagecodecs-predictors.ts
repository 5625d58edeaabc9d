// The predictors of TIFF as the Python package imagecodecs spells them, and virtual-tiff publishes them for Zarr v3.

import { malformed, unsupported } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { itemSize } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import type { ArrayCodec, ChunkLayout, Elements } from '../codec.ts'
import { integerMember } from '../configuration.ts'
import { fixedBytes } from '../elements.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'
import { joinedRows, type Rows, splitRows, subtractRows, sumRows } from '../tiff/predictor.ts'

/** Predictor 2: differences of numbers along `axis`; floats are taken for integers of their size. */
export const imagecodecsDelta: ArrayCodec = {
  kind: 'array',
  name: 'imagecodecs_delta',
  reach: 'native',
  writes: true,
  prepare: (configuration, layout) => {
    const rows = rowsOf(layout, configuration)
    const changed = (elements: Elements, change: (bytes: Uint8Array<ArrayBuffer>, rows: Rows) => void): Elements => {
      const bytes = chunkMemory.copyOf(wholeRows(elements, 'imagecodecs_delta', rows))
      change(bytes, rows)
      return { kind: 'fixed', bytes }
    }
    return {
      encodedLayout: layout,
      decode: (elements) => changed(elements, sumRows),
      encode: (elements) => changed(elements, subtractRows),
    }
  },
}

/** Predictor 3: differences of bytes along `axis`, the highest bytes of a row first; always read as little-endian. */
export const imagecodecsFloatpred: ArrayCodec = {
  kind: 'array',
  name: 'imagecodecs_floatpred',
  reach: 'native',
  writes: true,
  prepare: (configuration, layout) => {
    const rows = rowsOf(layout, configuration)
    const bytesOf = (elements: Elements) => wholeRows(elements, 'imagecodecs_floatpred', rows)
    return {
      encodedLayout: layout,
      decode: (elements) => ({ kind: 'fixed', bytes: joinedRows(bytesOf(elements), rows) }),
      encode: (elements) => ({ kind: 'fixed', bytes: splitRows(bytesOf(elements), rows) }),
    }
  },
}

function wholeRows(elements: Elements, codec: string, { length }: ChunkRows): Uint8Array {
  const bytes = fixedBytes(elements, codec)
  if (bytes.length === length) return bytes
  throw malformed(`codec ${codec} is applied to ${bytes.length} bytes, expected ${length}`)
}

interface ChunkRows extends Rows {
  /** Of all rows. */
  readonly length: number
}

/** What lies before the axis are rows, what lies behind it the samples of a pixel. */
function rowsOf({ shape, dataType }: ChunkLayout, configuration: JsonObject): ChunkRows {
  const size = itemSize(dataType)
  const isNumber = dataType.kind === 'int' || dataType.kind === 'uint' || dataType.kind === 'float'
  if (size === undefined || !isNumber) {
    throw unsupported(`predictors of ${dataType.kind}`, `predictors work on numbers, not on ${dataType.kind} values`)
  }
  const rank = shape.length
  const axis = integerMember(configuration, 'axis', { least: -rank, most: rank - 1, fallback: -1 })
  const distance = integerMember(configuration, 'dist', { least: 1, most: 2 ** 31, fallback: 1 })
  if (distance !== 1) throw unsupported('predictors over a distance', `a predictor over a distance of ${distance}`)
  const row = elementCount(shape.slice(axis < 0 ? rank + axis : axis))
  const samples = elementCount(shape.slice((axis < 0 ? rank + axis : axis) + 1))
  return { size, samples, rowBytes: row * size, isBig: false, length: elementCount(shape) * size }
}
