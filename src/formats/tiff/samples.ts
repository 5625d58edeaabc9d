import { unsupported } from '../../errors.ts'
import type { DataType } from '../../model/data-type.ts'
import type { Image } from './image.ts'

/** The type that samples are served in, and whether they are stored as such. */
export interface SampleType {
  readonly dataType: DataType
  /** The stored samples are numbers of the type, in the file's byte order; else they must be unpacked. */
  readonly native: boolean
  /** The file says that they are signed; GDAL, the only reader of odd sizes, takes their bits for those of unsigned numbers. */
  readonly lostSign?: true
}

/** The Zarr type of an image's samples; `unsupported-feature` names those that have none. */
export function sampleType({ kind, bits }: Image): SampleType {
  switch (kind) {
    case 'uint':
      return unsignedType(bits)
    case 'int':
      if (bits === 8 || bits === 16 || bits === 32 || bits === 64) return { dataType: { kind, bits }, native: true }
      return { ...unsignedType(bits), lostSign: true }
    case 'float':
      if (bits === 16 || bits === 32 || bits === 64) return { dataType: { kind, bits }, native: true }
      if (bits === 24) return { dataType: { kind, bits: 32 }, native: false }
      break
    case 'complex':
      if (bits === 64 || bits === 128) return { dataType: { kind, bits }, native: true }
      break
    case 'complex-int':
      if (bits === 16 || bits === 32) return { dataType: { kind: 'complex', bits: 64 }, native: false }
      if (bits === 64) return { dataType: { kind: 'complex', bits: 128 }, native: false }
      break
  }
  throw unsupported(`${kind} samples of ${bits} bits`, `${kind} samples of ${bits} bits are not served`)
}

function unsignedType(bits: number): SampleType {
  const kind = 'uint'
  if (bits === 8 || bits === 16 || bits === 32 || bits === 64) return { dataType: { kind, bits }, native: true }
  if (bits > 32) throw unsupported(`integers of ${bits} bits`, `integers of ${bits} bits are not served`)
  const served = bits < 8 ? 8 : bits < 16 ? 16 : 32
  return { dataType: { kind, bits: served }, native: false }
}
