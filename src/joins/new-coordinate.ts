import { gridShapeOf } from '../model/chunk-index.ts'
import type { DataType } from '../model/data-type.ts'
import { rawEncoding } from '../model/encoding.ts'
import { NO_SENTINELS, type VirtualArray } from '../model/virtual-store.ts'
import { numberScalar } from './packing.ts'

/** The coordinate of a new dimension: a value for each source. */
export function newCoordinate(name: string, values: readonly (string | number)[]): VirtualArray {
  const isText = values.some((value) => typeof value === 'string')
  const isWhole = !isText && values.every((value) => Number.isSafeInteger(value))
  const dataType: DataType = isText
    ? { kind: 'string' }
    : isWhole
      ? { kind: 'int', bits: 64 }
      : { kind: 'float', bits: 64 }
  const shape = [values.length]
  const chunkShape = [Math.max(1, values.length)]
  return {
    kind: 'array',
    shape,
    chunkShape,
    dataType,
    fillValue: isText ? { kind: 'string', value: '' } : numberScalar(0, dataType),
    fillOrigin: 'zero of the type',
    sentinels: NO_SENTINELS,
    attributes: new Map(),
    dimensionNames: [name],
    encodings: [isText ? [{ name: 'vlen-utf8', configuration: {} }] : rawEncoding('little')],
    edges: 'padded',
    chunks: {
      gridShape: gridShapeOf(shape, chunkShape),
      at: () => ({ kind: 'inline', bytes: coordinateBytes(values, dataType), encoding: 0 }),
      isComplete: () => true,
      weight: () => 100 * values.length,
    },
  }
}

function coordinateBytes(values: readonly (string | number)[], type: DataType): Uint8Array {
  if (type.kind === 'string') return vlenTexts(values.map(String))
  const numbers = values.map((value) => (typeof value === 'number' ? value : Number.NaN))
  const array = type.kind === 'int' ? BigInt64Array.from(numbers, (value) => BigInt(value)) : Float64Array.from(numbers)
  return new Uint8Array(array.buffer)
}

/** As `vlen-utf8` has them: how many, then each after its length. */
function vlenTexts(texts: readonly string[]): Uint8Array {
  const word = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const parts = texts.flatMap((text) => [word(Buffer.byteLength(text)), Buffer.from(text)])
  return new Uint8Array(Buffer.concat([word(texts.length), ...parts]))
}
