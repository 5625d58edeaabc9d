import { swapBytes } from '../../../codecs/kernels/swap-bytes.ts'
import { scalarFromBytes } from '../../../fill-value/from-bytes.ts'
import { isSameScalar } from '../../../fill-value/numbers.ts'
import { type Scalar, zeroOf } from '../../../model/data-type.ts'
import { scalarToBytes } from '../../../model/scalar-bytes.ts'
import type { Sentinels, VirtualArray } from '../../../model/virtual-store.ts'
import type { NumberType } from '../structures/number-type.ts'
import type { Stored } from '../structures/stored.ts'

export interface SdsFill extends Pick<VirtualArray, 'fillValue' | 'fillOrigin'> {
  /** What values that nobody wrote read as, where that is something else; as it is stored. */
  readonly unwritten: Uint8Array | undefined
}

/** What the library fills with that knows no other fill value (netCDF's defaults), by the number of the type: its bits, whether signed or not. */
const DEFAULTS: ReadonlyMap<number, number> = new Map([
  [20, -127],
  [21, 129],
  [22, -32_767],
  [23, 32_769],
  [24, -2_147_483_647],
  [25, 2_147_483_649],
  [5, 9.969209968386869e36],
  [6, 9.969209968386869e36],
])

/** `_FillValue` is what is filled with; without it that is the zero of the type (FV-3), and the library's own default is served as values. */
export function fillOf(type: NumberType, sentinels: Sentinels, stored: Stored | undefined): SdsFill {
  const { fillValue, missingValue } = sentinels
  // A value of `missing_value` that only `_FillValue` can spell masks, but nothing is filled with it.
  if (fillValue !== undefined && fillValue !== missingValue) {
    return { fillValue, fillOrigin: 'attribute _FillValue', unwritten: otherBytes(fillValue, type, stored) }
  }
  const zero = zeroOf(type.dataType)
  const said = stored?.kind === 'chunked' ? otherBytes(zero, type, stored) : defaultBytes(type)
  return { fillValue: zero, fillOrigin: 'zero of the type', unwritten: said }
}

/** The fill value of chunks, where it is not the one that is served. */
function otherBytes(served: Scalar, { dataType, size, endian }: NumberType, stored: Stored | undefined) {
  if (stored?.kind !== 'chunked' || stored.fill.length !== size) return undefined
  const own = scalarFromBytes(stored.fill, dataType, endian)
  return own === undefined || isSameScalar(own, served) ? undefined : stored.fill
}

function defaultBytes({ code, dataType, endian }: NumberType): Uint8Array | undefined {
  const value = DEFAULTS.get(code)
  if (value === undefined) return undefined
  const bytes = scalarToBytes({ kind: 'number', value }, dataType)
  return endian === 'big' ? swapBytes(bytes, dataType) : bytes
}
