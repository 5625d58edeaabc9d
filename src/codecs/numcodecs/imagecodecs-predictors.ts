// The predictors of TIFF as the Python package imagecodecs spells them, and virtual-tiff publishes them for Zarr v3.

import { malformed } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import { itemSize } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import type { ArrayCodec, ChunkLayout, Elements } from '../codec.ts'
import { integerMember } from '../configuration.ts'
import { fixedBytes } from '../elements.ts'
import { joinedRows, type Rows, splitRows, subtractRows, sumRows } from '../tiff/predictor.ts'

/** Predictor 2: differences of numbers along `axis`; floats are taken for integers of their size. */
export const imagecodecsDelta: ArrayCodec = {
  kind: 'array',
  name: 'imagecodecs_delta',
  reach: 'native',
  encodedLayout: (layout) => layout,
  decode: (elements, layout, configuration) => changed(elements, layout, configuration, sumRows),
  encode: (elements, layout, configuration) => changed(elements, layout, configuration, subtractRows),
}

/** Predictor 3: differences of bytes along `axis`, the highest bytes of a row first; always read as little-endian. */
export const imagecodecsFloatpred: ArrayCodec = {
  kind: 'array',
  name: 'imagecodecs_floatpred',
  reach: 'native',
  encodedLayout: (layout) => layout,
  decode: (elements, layout, configuration) => {
    const bytes = fixedBytes(elements, 'imagecodecs_floatpred')
    return { kind: 'fixed', bytes: joinedRows(bytes, rowsOf(bytes, layout, configuration)) }
  },
  encode: (elements, layout, configuration) => {
    const bytes = fixedBytes(elements, 'imagecodecs_floatpred')
    return { kind: 'fixed', bytes: splitRows(bytes, rowsOf(bytes, layout, configuration)) }
  },
}

function changed(
  elements: Elements,
  layout: ChunkLayout,
  configuration: JsonObject,
  change: (bytes: Uint8Array<ArrayBuffer>, rows: Rows) => void,
): Elements {
  const bytes = new Uint8Array(fixedBytes(elements, 'imagecodecs_delta'))
  change(bytes, rowsOf(bytes, layout, configuration))
  return { kind: 'fixed', bytes }
}

/** What lies before the axis are rows, what lies behind it the samples of a pixel. */
function rowsOf(bytes: Uint8Array, { shape, dataType }: ChunkLayout, configuration: JsonObject): Rows {
  const size = itemSize(dataType)
  const isNumber = dataType.kind === 'int' || dataType.kind === 'uint' || dataType.kind === 'float'
  if (size === undefined || !isNumber) throw malformed(`predictors work on numbers, not on ${dataType.kind} values`)
  const rank = shape.length
  const axis = integerMember(configuration, 'axis', { least: -rank, most: rank - 1, fallback: -1 })
  if (integerMember(configuration, 'dist', { least: 1, most: 1, fallback: 1 }) !== 1) throw malformed('dist is not 1')
  const row = elementCount(shape.slice(axis < 0 ? rank + axis : axis))
  const samples = elementCount(shape.slice((axis < 0 ? rank + axis : axis) + 1))
  if (bytes.length !== elementCount(shape) * size) {
    throw malformed(`a chunk of shape [${shape}] has ${bytes.length} bytes, expected ${elementCount(shape) * size}`)
  }
  return { size, samples, rowBytes: row * size, isBig: false }
}
