import { isSameScalar } from '../../fill-value/numbers.ts'
import { toZarrFillValue } from '../../fill-value/to-zarr.ts'
import type { JsonObject } from '../../json/json.ts'
import { type Scalar, zeroOf } from '../../model/data-type.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'

/** How Zarr v2 says what is unwritten and what is masked. */
export interface V2Fill {
  /** The `fill_value` of the `.zarray`; undefined is null. */
  readonly fillValue: Scalar | undefined
  /** The attribute `_FillValue`, where it is not the one of the array's own document. */
  readonly attribute?: JsonObject | undefined
}

/**
 * In v2 the fill value is also what xarray masks (V2-1): one value must do for both. With null, unwritten chunks read as zero and
 * `_FillValue` counts. Undefined where neither says it.
 */
export function v2Fill(array: VirtualArray, isComplete: boolean): V2Fill | undefined {
  const { fillValue, dataType, sentinels } = array
  const sentinel = sentinels.fillValue
  // What no chunk needs gives way to what is masked.
  if (isComplete || (sentinel !== undefined && isSameScalar(sentinel, fillValue))) return { fillValue: sentinel }
  if (sentinel === undefined && isNotANumber(fillValue)) return { fillValue }
  if (!isSameScalar(fillValue, zeroOf(dataType))) return undefined
  if (sentinel === undefined) return { fillValue: undefined }
  if (isNotANumber(sentinel)) return { fillValue: undefined, attribute: {} }
  if (sentinel.kind === 'number' && !Number.isFinite(sentinel.value)) return undefined
  if (sentinel.kind === 'complex' || sentinel.kind === 'bytes') return undefined
  // Readers of v2 take the attribute as it is spelled, those of v3 decode it.
  return { fillValue: undefined, attribute: { _FillValue: toZarrFillValue(sentinel, dataType) } }
}

function isNotANumber(scalar: Scalar): boolean {
  return scalar.kind === 'number' && Number.isNaN(scalar.value)
}
