// FITS Standard 4.0, sections 4.4.1 (mandatory keywords) and 7 (standard extensions).

import type { ByteRange } from '../../bytes/byte-range.ts'
import { malformed } from '../../errors.ts'
import { elementCount } from '../../model/shape.ts'
import { BLOCK_BYTES, countOf, type Header, integerOf, textOf } from './header.ts'

type HduKind = 'image' | 'groups' | 'ascii-table' | 'binary-table' | 'other'

/** A header and data unit: what its mandatory keywords say. */
export interface Hdu {
  /** Counted from 0. */
  readonly index: number
  readonly header: Header
  readonly kind: HduKind
  /** Bits of a value, negative for floats. */
  readonly bitpix: number
  /** NAXIS1, NAXIS2, ...: the fastest axis first. */
  readonly axes: readonly number[]
  readonly pcount: number
  readonly gcount: number
  /** Without the padding up to a whole block; it may reach beyond the file's end. */
  readonly data: ByteRange
}

/** No array library has as many axes as the standard allows (999). */
const MOST_AXES = 64
const BITPIX: ReadonlySet<number> = new Set([8, 16, 32, 64, -32, -64])

/** What a header says of its data, which begin at `offset`. */
export function hduOf(header: Header, index: number, offset: number): Hdu {
  const bitpix = integerOf(header, 'BITPIX')
  if (!BITPIX.has(bitpix)) {
    throw malformed(`BITPIX is ${bitpix}, expected one of ${[...BITPIX].join(', ')}`, header.place)
  }
  const count = countOf(header, 'NAXIS')
  if (count > MOST_AXES) throw malformed(`NAXIS is ${count}, expected at most ${MOST_AXES}`, header.place)
  const axes = Array.from({ length: count }, (_, axis) => countOf(header, `NAXIS${axis + 1}`))
  const pcount = countOf(header, 'PCOUNT', 0)
  const gcount = countOf(header, 'GCOUNT', 1)
  const kind = kindOf(header, index, axes)
  const length = dataLength(kind, bitpix, axes, pcount, gcount)
  if (!Number.isSafeInteger(offset + length + BLOCK_BYTES)) {
    throw malformed(`the data of HDU ${index} end beyond 2^53`, header.place)
  }
  if ((kind === 'ascii-table' || kind === 'binary-table') && (count !== 2 || bitpix !== 8)) {
    throw malformed(`the table in HDU ${index} has NAXIS ${count} and BITPIX ${bitpix}, expected 2 and 8`, header.place)
  }
  return { index, header, kind, bitpix, axes, pcount, gcount, data: { offset, length } }
}

function kindOf(header: Header, index: number, axes: readonly number[]): HduKind {
  if (index === 0) return hasGroups(header, axes) ? 'groups' : 'image'
  switch (textOf(header, 'XTENSION')?.trim()) {
    case 'IMAGE':
    case 'IUEIMAGE':
      return 'image'
    case 'TABLE':
      return 'ascii-table'
    case 'BINTABLE':
    case 'A3DTABLE':
      return 'binary-table'
  }
  return 'other'
}

/**
 * Section 6.1.1: random groups have a first axis of no length, PCOUNT and GCOUNT. Where one of them is missing nobody knows how long
 * the data are. A header of no data at all may claim to have groups.
 */
function hasGroups(header: Header, axes: readonly number[]): boolean {
  if (header.values.get('GROUPS') !== true) return false
  const count = (keyword: string) => {
    if (!header.values.has(keyword))
      throw malformed(`${keyword} is missing, random groups (GROUPS) need it`, header.place)
    return countOf(header, keyword)
  }
  const parameters = count('PCOUNT') * count('GCOUNT')
  if (axes.length === 0 && parameters === 0) return false
  if (axes[0] === 0) return true
  const found = axes.length === 0 ? 'NAXIS is 0' : `NAXIS1 is ${axes[0]}`
  throw malformed(`${found}, random groups (GROUPS) have an NAXIS1 of 0`, header.place)
}

/** Section 4.4.1.2; a random group has no first axis (section 6.1). */
function dataLength(kind: HduKind, bitpix: number, axes: readonly number[], pcount: number, gcount: number): number {
  if (axes.length === 0) return 0
  const counted = kind === 'groups' ? axes.slice(1) : axes
  // A product of zero stays zero whatever the other axes say.
  const values = counted.includes(0) ? 0 : elementCount(counted)
  return (Math.abs(bitpix) / 8) * gcount * (pcount + values)
}

/** Where the next header begins. */
export function endOfHdu({ data }: Hdu): number {
  return data.offset + Math.ceil(data.length / BLOCK_BYTES) * BLOCK_BYTES
}
