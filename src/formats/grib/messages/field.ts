import type { ByteRange } from '../../../bytes/byte-range.ts'

/** What a key of a field holds, as definitions of parameters ask for it: a number, a word, or nothing. */
export interface KeyValue {
  readonly value: number | string
  /** All bits are set: the key says that it has no value. */
  readonly isMissing: boolean
}

/** One field of a file: what its sections say, and where its data are. Sections are without their lengths and numbers. */
export type Field = FieldOfEdition1 | FieldOfEdition2

interface StoredField {
  /** Of the message it is in. */
  readonly offset: number
  /** What a decoder needs, in pieces. */
  readonly parts: readonly ByteRange[]
  /** Where the values lie as big-endian float32, one after the other: nothing is to be decoded. */
  readonly floats: ByteRange | undefined
}

/**
 * The message was not read, or only to see how others of its kind look: an index says what it is. `parts` is the whole message, and its
 * sections must be found in it when its values are read.
 */
interface ListedMessage {
  readonly isListed?: true
}

/** A message of GRIB 1. */
export interface FieldOfEdition1 extends StoredField {
  readonly edition: 1
  readonly product: Uint8Array
  readonly grid: Uint8Array | undefined
  /** Of section 4: flags, scale, reference and width. */
  readonly packing: Uint8Array
  /** Of section 4. */
  readonly dataLength: number
  readonly hasBitmap: boolean
}

/** A field of a message of GRIB 2; sections that are repeated are those before it. */
export interface FieldOfEdition2 extends StoredField, ListedMessage {
  readonly edition: 2
  readonly discipline: number
  readonly identification: Uint8Array
  readonly local: Uint8Array | undefined
  readonly grid: Uint8Array
  readonly product: Uint8Array
  readonly packing: Uint8Array
  readonly hasBitmap: boolean
}

/** Bytes of sections 6 and 7 that are read, and what else stands between sections. */
const BETWEEN = 64

/** How far into its message a field's headers reach. */
export function headerBytesOf(field: Field): number {
  const sections =
    field.edition === 1
      ? [field.product, field.grid, field.packing]
      : [field.identification, field.local, field.grid, field.product, field.packing]
  return sections.reduce((sum, section) => sum + (section?.length ?? 0), BETWEEN)
}
