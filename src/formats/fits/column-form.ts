// FITS Standard 4.0, sections 7.3.1 and 7.3.2 (TFORMn, TDIMn of binary tables) and 7.2.1 (of ASCII tables).

import type { DataType } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'

/** A column of a binary table: its letter, how many values, and for descriptors what they point at. */
export interface BinaryForm {
  readonly code: BinaryCode
  readonly repeat: number
  /** Bytes in a row. */
  readonly width: number
  /** Of a descriptor: what lies in the heap, and how many of them at most, where the header says so. */
  readonly heap?: { readonly code: BinaryCode; readonly most: number | undefined } | undefined
  /** Characters of each text, where a field is a list of them (the convention `rAw`). */
  readonly textLength?: number | undefined
}

export type BinaryCode = 'L' | 'X' | 'B' | 'I' | 'J' | 'K' | 'A' | 'E' | 'D' | 'C' | 'M' | 'P' | 'Q'

const SIZES: Readonly<Record<BinaryCode, number>> = {
  L: 1,
  X: 1,
  B: 1,
  I: 2,
  J: 4,
  K: 8,
  A: 1,
  E: 4,
  D: 8,
  C: 8,
  M: 16,
  P: 8,
  Q: 16,
}
const TYPES: Readonly<Partial<Record<BinaryCode, DataType>>> = {
  L: { kind: 'bool' },
  X: { kind: 'uint', bits: 8 },
  B: { kind: 'uint', bits: 8 },
  I: { kind: 'int', bits: 16 },
  J: { kind: 'int', bits: 32 },
  K: { kind: 'int', bits: 64 },
  E: { kind: 'float', bits: 32 },
  D: { kind: 'float', bits: 64 },
  C: { kind: 'complex', bits: 64 },
  M: { kind: 'complex', bits: 128 },
}
const BINARY = /^\s*(\d*)\s*([LXBIJKAEDCMPQ])(.*)$/i
const HEAP = /^1?([LXBIJKAEDCM])\s*(?:\(\s*(\d+)\s*\))?/i
const DIMENSIONS = /^\s*\(\s*(\d+(?:\s*,\s*\d+)*)\s*\)\s*$/
const ASCII = /^\s*([AIFED])(\d+)(?:\.(\d+))?\s*$/i

/** Reads TFORMn; undefined for what the standard doesn't know. */
export function binaryForm(text: string): BinaryForm | undefined {
  const [, count, letter, rest = ''] = BINARY.exec(text) ?? []
  if (letter === undefined) return undefined
  const code = letter.toUpperCase() as BinaryCode
  const repeat = count === '' ? 1 : Number(count)
  const width = code === 'X' ? Math.ceil(repeat / 8) : repeat * SIZES[code]
  if (!Number.isSafeInteger(width)) return undefined
  if (code === 'P' || code === 'Q') {
    const [, pointed, most] = HEAP.exec(rest) ?? []
    if (pointed === undefined || repeat > 1) return undefined
    const heap = { code: pointed.toUpperCase() as BinaryCode, most: most === undefined ? undefined : Number(most) }
    return { code, repeat, width, heap }
  }
  const textLength = code === 'A' && /^\d+$/.test(rest.trim()) ? Number(rest) : undefined
  return { code, repeat, width, textLength }
}

/** Bytes of one value. */
export function valueSize(code: BinaryCode): number {
  return SIZES[code]
}

/** The type of one value; undefined for text and descriptors. */
export function valueType(code: BinaryCode): DataType | undefined {
  return TYPES[code]
}

/** Lengths of TDIMn in C order; undefined where it is none, or not of so many values. */
export function dimensionsOf(text: string, values: number): number[] | undefined {
  const lengths = DIMENSIONS.exec(text)?.[1]?.split(',').map(Number)
  if (lengths === undefined || elementCount(lengths) !== values) return undefined
  return lengths.toReversed()
}

/** A column of an ASCII table: its letter, characters, and digits behind a point that isn't written. */
export interface AsciiForm {
  readonly code: 'A' | 'I' | 'F' | 'E' | 'D'
  readonly width: number
  readonly decimals: number
}

/** Reads TFORMn of an ASCII table. */
export function asciiForm(text: string): AsciiForm | undefined {
  const [, letter, width, decimals] = ASCII.exec(text) ?? []
  if (letter === undefined || Number(width) === 0) return undefined
  return { code: letter.toUpperCase() as AsciiForm['code'], width: Number(width), decimals: Number(decimals ?? 0) }
}
