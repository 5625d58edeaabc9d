import { hdf5VlenText } from '../../../codecs/hdf5/vlen-text.ts'
import { bitField } from '../../../codecs/own/bit-field.ts'
import { unsupported } from '../../../errors.ts'
import type { DataType } from '../../../model/data-type.ts'
import { rawEncoding, type StoredCodec } from '../../../model/encoding.ts'
import type { Datatype, FloatType } from '../messages/datatype.ts'
import type { Hdf5File } from '../structures/hdf5-file.ts'
import { complexBits, complexPart, fixedText, ieeeBits, isBoolean, wholeBits } from './formats.ts'
import { planRecord, type TextField } from './record-plan.ts'

/** How the elements of a dataset are served. */
export interface ElementPlan {
  readonly dataType: DataType
  /** Lengths of an element that is itself an array: further dimensions of the dataset. */
  readonly innerShape: readonly number[]
  /** From the array to bytes, before the filters. */
  readonly codecs: readonly StoredCodec[]
  /** What is one element of `dataType` in the file. */
  readonly stored: Datatype
  /** Names of record fields that can't be served. */
  readonly dropped: readonly string[]
  /** Record fields that are served as arrays of text beside the records. */
  readonly texts: readonly TextField[]
  /** Numbers that no Zarr type holds exactly: the nearest double is served. */
  readonly isRounded: boolean
}

const MOST_INNER = 32

/** The plan of a type; throws `unsupported-feature` for what has no form in Zarr. */
export function planElement(type: Datatype, file: Hdf5File): ElementPlan {
  const innerShape: number[] = []
  let stored = type
  while (stored.class === 'array') {
    innerShape.push(...stored.shape)
    stored = stored.base
  }
  if (innerShape.length > MOST_INNER)
    throw unsupported('HDF5 array type', `an array type of ${innerShape.length} dimensions`)
  const { dataType, codecs, dropped = [], texts = [], isRounded = false } = planOf(stored, file)
  return { dataType, codecs, dropped, texts, isRounded, innerShape, stored }
}

interface Plan {
  readonly dataType: DataType
  readonly codecs: readonly StoredCodec[]
  readonly dropped?: readonly string[]
  readonly texts?: readonly TextField[]
  readonly isRounded?: boolean
}

function planOf(type: Datatype, file: Hdf5File): Plan {
  switch (type.class) {
    case 'integer':
    case 'bitfield':
      return planInteger(type)
    case 'float':
      return planFloat(type)
    case 'enum': {
      const plan = planOf(type.base, file)
      return isBoolean(type) ? { ...plan, dataType: { kind: 'bool' } } : plan
    }
    case 'string':
      return { dataType: fixedText(type), codecs: rawEncoding('little') }
    case 'vlen-string': {
      const { offsetSize, lengthSize, base } = file
      return { dataType: { kind: 'string' }, codecs: [hdf5VlenText.stored({ offsetSize, lengthSize, base })] }
    }
    case 'opaque':
      return {
        dataType: timeType(type.tag, type.size) ?? { kind: 'opaque', length: type.size },
        codecs: rawEncoding(timeEndian(type.tag)),
      }
    case 'complex':
      return planComplex(type)
    case 'compound':
      return complexPart(type) === undefined ? planRecord(type) : planComplex(type)
    case 'vlen':
      throw unsupported('HDF5 variable-length sequence', `sequences of varying length of ${type.base.class} elements`)
    case 'reference':
      throw unsupported('HDF5 reference', 'references mean nothing outside of their file')
    case 'array':
      throw unsupported('HDF5 array type', 'arrays within arrays')
  }
}

type Integer = Extract<Datatype, { class: 'integer' | 'bitfield' }>

/** An integer that uses all its bits is one of Zarr's; any other is recoded to one that is as wide, as other readers give it. */
function planInteger(type: Integer): Plan {
  const signed = type.class === 'integer' && type.signed
  const kind = signed ? 'int' : 'uint'
  const whole = wholeBits(type)
  if (whole !== undefined) return { dataType: { kind, bits: whole }, codecs: rawEncoding(type.endian) }
  const width = Math.max(type.precision, Math.min(type.size * 8, 64))
  const bits = ([8, 16, 32, 64] as const).find((candidate) => candidate >= width)
  if (bits === undefined) throw unsupported('HDF5 integer', `integers of ${type.precision} bits`)
  const { size, precision, bitOffset: offset, endian: order } = type
  const field = bitField.stored({ size, precision, offset, signed, order })
  return { dataType: { kind, bits }, codecs: [field, ...rawEncoding('little')] }
}

function planFloat(type: FloatType): Plan {
  const bits = ieeeBits(type)
  if (bits !== undefined) return { dataType: { kind: 'float', bits }, codecs: rawEncoding(type.endian) }
  if (type.isVax) throw unsupported('VAX floats', `floats of ${type.size} bytes in VAX order`)
  const { size, endian, precision, bitOffset, signBit, exponentBit, exponentSize } = type
  const { exponentBias, mantissaBit, mantissaSize, isImplied } = type
  const isNarrow = exponentSize <= 8 && mantissaSize - (isImplied ? 0 : 1) <= 23 && exponentBias <= 127
  const float = { signBit, exponentBit, exponentSize, exponentBias, mantissaBit, mantissaSize, isImplied }
  const field = bitField.stored({ size, precision, offset: bitOffset, order: endian, class: 'float', ...float })
  return {
    dataType: { kind: 'float', bits: isNarrow ? 32 : 64 },
    codecs: [field, ...rawEncoding('little')],
    isRounded: exponentSize > 11 || mantissaSize - (isImplied ? 0 : 1) > 52,
  }
}

function planComplex(type: Datatype): Plan {
  const part = complexPart(type)
  const bits = part === undefined ? undefined : complexBits(part)
  if (part === undefined || bits === undefined) {
    throw unsupported(
      'HDF5 complex number',
      `complex numbers of ${type.size} bytes that are not two floats of 32 or 64 bits`,
    )
  }
  return { dataType: { kind: 'complex', bits }, codecs: rawEncoding(part.endian) }
}

/** How h5py marks numpy's times: the type's own spelling, as the tag of opaque values. */
const NUMPY_TIME = /^NUMPY:([<>])([mM])8\[(\d*)([a-zA-Z]+)\]$/

function timeType(tag: string, size: number): DataType | undefined {
  const match = NUMPY_TIME.exec(tag)
  if (match === null || size !== 8) return undefined
  const [, , kind, scale, unit] = match
  return { kind: kind === 'M' ? 'datetime' : 'timedelta', unit: unit ?? 's', scale: scale === '' ? 1 : Number(scale) }
}

function timeEndian(tag: string): 'little' | 'big' {
  return NUMPY_TIME.exec(tag)?.[1] === '>' ? 'big' : 'little'
}
