// TIFF 6.0 section 14 (predictor 2) and technical note 3 (predictor 3, floating point).
import type { Endian } from '../../bytes/cursor.ts'
import { malformed } from '../../errors.ts'
import { requireInteger } from '../configuration.ts'
import { internalBytes } from '../internal.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'
import { byteKernels } from '../kernels/wasm/bytes.ts'

/** Rows of samples; bytes stay in the order of the file, which the `bytes` codec undoes. */
export interface Rows {
  /** Bytes of a sample. */
  readonly size: number
  readonly samples: number
  readonly rowBytes: number
  readonly isBig: boolean
}

/** Differences of each sample to the one on its left. */
export const tiffPredictor2 = predictor('vz.tiff-predictor2', (bytes, rows) => {
  const summed = chunkMemory.copyOf(bytes)
  swap(summed, rows)
  sumRows(summed, rows)
  swap(summed, rows)
  return summed
})

/** Differences of bytes, with the highest bytes of a row first. */
export const tiffPredictor3 = predictor('vz.tiff-predictor3', joinedRows)

function predictor(name: string, undo: (bytes: Uint8Array, rows: Rows) => Uint8Array) {
  return internalBytes<PredictorParameters>({
    name,
    keepsLength: true,
    prepare: (parameters) => {
      const rows = rowsOf(parameters)
      return {
        decode: (bytes) => {
          requireRows(bytes, rows)
          return undo(bytes, rows)
        },
      }
    },
  })
}

interface PredictorParameters {
  readonly bits: number
  readonly samples: number
  readonly width: number
  readonly endian: Endian
}

function rowsOf({ bits, samples, width, endian }: PredictorParameters): Rows {
  requireInteger('bits', bits, 8, 64)
  if (bits % 8 !== 0) throw malformed(`a predictor works on whole bytes, not on samples of ${bits} bits`)
  requireInteger('samples', samples, 1, 65_535)
  requireInteger('width', width, 1, 2 ** 32 - 1)
  return { size: bits / 8, samples, rowBytes: (width * samples * bits) / 8, isBig: endian === 'big' }
}

function requireRows(bytes: Uint8Array, { rowBytes }: Rows): void {
  if (bytes.length % rowBytes === 0) return
  throw malformed(`a block decodes to ${bytes.length} bytes, which are no whole rows of ${rowBytes}`)
}

function swap(bytes: Uint8Array, { size, isBig }: Rows): void {
  if (!isBig) return
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (size === 2) buffer.swap16()
  else if (size === 4) buffer.swap32()
  else if (size === 8) buffer.swap64()
}

/** What is summed up at once, but for rows that are longer: it stays in the processor's cache. */
const PIECE_BYTES = 2 ** 17

/** Sums up the differences of each row, in place; numbers are little-endian. */
export function sumRows(bytes: Uint8Array<ArrayBuffer>, { size, samples, rowBytes }: Omit<Rows, 'isBig'>): void {
  if (size !== 1 && size !== 2 && size !== 4 && size !== 8) {
    throw malformed(`predictor 2 is not defined for samples of ${size} bytes`)
  }
  if (bytes.length === 0) return
  const most = Math.min(bytes.length, rowBytes * Math.ceil(PIECE_BYTES / rowBytes))
  byteKernels.use([most], (kernels, memory, at) => {
    for (let start = 0; start < bytes.length; start += most) {
      const rows = bytes.subarray(start, start + most)
      const end = at + rows.length
      memory.set(rows, at)
      kernels.sumRows(at, end, rowBytes, samples * size, size)
      rows.set(memory.subarray(at, end))
    }
  })
}

/** The differences of each row, in place; numbers are little-endian. */
export function subtractRows({ buffer, length }: Uint8Array<ArrayBuffer>, { size, samples, rowBytes }: Rows): void {
  const perRow = rowBytes / size
  if (size === 1) subtractNumbers(new Uint8Array(buffer), perRow, samples)
  else if (size === 2) subtractNumbers(new Uint16Array(buffer), perRow, samples)
  else if (size === 4) subtractNumbers(new Uint32Array(buffer), perRow, samples)
  else subtractLongs(new BigUint64Array(buffer, 0, length / 8), perRow, samples)
}

function subtractNumbers(numbers: Uint8Array | Uint16Array | Uint32Array, perRow: number, samples: number): void {
  for (let row = 0; row < numbers.length; row += perRow) {
    for (let at = row + perRow - 1; at >= row + samples; at--) {
      numbers[at] = (numbers[at] ?? 0) - (numbers[at - samples] ?? 0)
    }
  }
}

function subtractLongs(numbers: BigUint64Array, perRow: number, samples: number): void {
  for (let row = 0; row < numbers.length; row += perRow) {
    for (let at = row + perRow - 1; at >= row + samples; at--) {
      numbers[at] = (numbers[at] ?? 0n) - (numbers[at - samples] ?? 0n)
    }
  }
}

/** What `joinedRows` undoes. */
export function splitRows(bytes: Uint8Array, { size, samples, rowBytes, isBig }: Rows): Uint8Array {
  const split = new Uint8Array(bytes.length)
  const perRow = rowBytes / size
  for (let row = 0; row < bytes.length; row += rowBytes) {
    for (let byte = 0; byte < size; byte++) {
      const to = row + byte * perRow
      const from = row + (isBig ? byte : size - 1 - byte)
      for (let i = 0; i < perRow; i++) split[to + i] = bytes[from + i * size] ?? 0
    }
    for (let at = row + rowBytes - 1; at >= row + samples; at--)
      split[at] = (split[at] ?? 0) - (split[at - samples] ?? 0)
  }
  return split
}

/** Sums up the bytes of each row and puts those of a number together. */
export function joinedRows(bytes: Uint8Array, { size, samples, rowBytes, isBig }: Rows): Uint8Array {
  const joined = chunkMemory.take(bytes.length)
  if (bytes.length === 0) return joined
  const perRow = rowBytes / size
  byteKernels.use([rowBytes, rowBytes], (kernels, memory, planes, numbers) => {
    // The highest bytes come first: they are the last ones of numbers that are little-endian.
    const [first, stride] = isBig ? [planes, perRow] : [planes + rowBytes - perRow, -perRow]
    for (let row = 0; row < bytes.length; row += rowBytes) {
      memory.set(bytes.subarray(row, row + rowBytes), planes)
      kernels.sumRows(planes, planes + rowBytes, rowBytes, samples, 1)
      kernels.unshuffle(first, stride, perRow, size, numbers)
      joined.set(memory.subarray(numbers, numbers + rowBytes), row)
    }
  })
  return joined
}
