// Spherical harmonics (5.50, 5.51; GRIB 1 with its flag): coefficients, real and imaginary parts in turn.

import type { Cursor } from '../../bytes/cursor.ts'
import { malformed, unsupported } from '../../errors.ts'
import { requireRun, unpackInto } from './bits.ts'
import { decodeIeee } from './ieee.ts'
import { ibmFloat, type Scaling } from './scaling.ts'
import { decodeSimple, type SimplePacking } from './simple.ts'

/** Complex packing: a corner of coefficients as numbers, the others scaled by a power of the Laplacian. */
export interface SpectralPacking extends SimplePacking {
  readonly power: number
  /** Truncation of the corner. */
  readonly corner: number
  /** How numbers are stored. */
  readonly floats: 'ibm' | 'ieee'
  /** GRIB 1: the last number of each row is scaled, too. */
  readonly lastIsScaled: boolean
}

/** The truncation of a triangle of so many numbers. */
function truncationOf(count: number): number {
  const truncation = Math.round((Math.sqrt(4 * count + 1) - 3) / 2)
  if ((truncation + 1) * (truncation + 2) === count) return truncation
  throw malformed(`${count} coefficients are no triangle`)
}

/** The truncations of the corner, in numbers of `size` bytes. */
export function readCorner(cursor: Cursor, size: number): number {
  const [j, k, m] = [cursor.uint(size), cursor.uint(size), cursor.uint(size)]
  if (j === k && j === m) return j
  throw unsupported('coefficients of no triangle', `spherical harmonics of truncation ${j}, ${k}, ${m} are not decoded`)
}

/** `7`, of which the end of a message is made: what ecCodes reads behind its last section. */
const END_BYTE = 0x37

/** Some writers leave out the last byte of complex packing; ecCodes takes the one that follows for it. Of simple packing it refuses that. */
function withLastByte(data: Uint8Array, bits: number): Uint8Array {
  if (Math.ceil(bits / 8) !== data.length + 1) return data
  const padded = new Uint8Array(data.length + 1).fill(END_BYTE)
  padded.set(data)
  return padded
}

/** Simple packing: the real part of the first coefficient stands apart. */
export function decodeSpectralSimple(
  data: Uint8Array,
  packing: SimplePacking,
  first: number,
  count: number,
): Float64Array {
  const values = new Float64Array(count)
  values.set(decodeSimple(data, packing, count - 1), 1)
  values[0] = first
  return values
}

/** Complex packing. A corner that is the whole triangle is of IEEE numbers in both editions: so ECMWF writes it. */
export function decodeSpectralComplex(stored: Uint8Array, packing: SpectralPacking, count: number): Float64Array {
  const truncation = truncationOf(count)
  const corner = Math.min(packing.corner, truncation)
  const numbers = (corner + 1) * (corner + 2)
  if (corner === truncation) return decodeIeee(stored, 1, count).map((value) => value * packing.decimal)
  if (stored.length < numbers * 4) throw malformed(`coefficients end after ${stored.length} bytes`)
  const run = { start: numbers * 32, width: packing.bits, count: count - numbers }
  const data = withLastByte(stored, run.start + run.width * run.count)
  requireRun(data, run, 'packed coefficients')
  const packed = new Float64Array(run.count)
  unpackInto(data, run, packed, 0)
  const scales = Float64Array.from({ length: truncation + 1 }, (_, n) =>
    n === 0 ? 0 : 1 / (n * (n + 1)) ** packing.power,
  )
  return arranged({ data, packed, packing, scales, truncation, corner }, count)
}

interface Parts {
  readonly data: Uint8Array
  readonly packed: Float64Array
  readonly packing: SpectralPacking
  readonly scales: Float64Array
  readonly truncation: number
  readonly corner: number
}

/** Row by row (zonal wavenumber), each with what it has of the corner first. */
function arranged({ data, packed, packing, scales, truncation, corner }: Parts, count: number): Float64Array {
  const view = new DataView(data.buffer, data.byteOffset)
  const values = new Float64Array(count)
  let at = 0
  let number = 0
  let next = 0
  for (let m = 0; m <= truncation; m++) {
    for (let n = m; n <= truncation; n++) {
      const scale = scales[n] ?? 0
      const inCorner = n <= corner
      for (let part = 0; part < 2; part++) {
        if (inCorner) {
          const isScaled = packing.lastIsScaled && n === corner
          values[at] = numberAt(view, number++, packing.floats) * (isScaled ? scale : 1)
        } else values[at] = m === 0 && part === 1 ? 0 : scaledOf(packed[next] ?? 0, packing) * scale
        if (!inCorner) next++
        at++
      }
    }
  }
  return values
}

function scaledOf(value: number, { binary, reference, decimal }: Scaling): number {
  return decimal * (value * binary + reference)
}

function numberAt(view: DataView, index: number, floats: 'ibm' | 'ieee'): number {
  return floats === 'ieee' ? view.getFloat32(index * 4) : ibmFloat(view.getUint32(index * 4))
}
