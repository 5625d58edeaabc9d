import { floatJson, type Json } from '../json/json.ts'
import { type DataType, type Scalar, zeroOf } from '../model/data-type.ts'
import { type Diagnostic, NO_SENTINELS, type Sentinels } from '../model/virtual-store.ts'
import { attributeSentinel, type SentinelPolicy } from './raw-sentinel.ts'
import { readSentinels } from './sentinels.ts'

export interface FitsBlankInput {
  readonly blank: number | bigint | undefined
  readonly bscale: number
  readonly bzero: number
  readonly dataType: DataType
  readonly policy: SentinelPolicy
  readonly path: string
  warn(diagnostic: Diagnostic): void
}

export interface FitsBlank {
  readonly fillValue: Scalar
  readonly sentinels: Sentinels
  /** `scale_factor` and `add_offset`, both or none. */
  readonly attributes: ReadonlyMap<string, Json>
}

/** FV-FITS: `BLANK` counts in stored units; a floating image marks missing points by NaN. */
export function readFitsBlank(input: FitsBlankInput): FitsBlank {
  const attributes = new Map<string, Json>()
  if (input.bscale !== 1 || input.bzero !== 0) {
    attributes.set('scale_factor', floatJson(input.bscale))
    attributes.set('add_offset', floatJson(input.bzero))
  }
  if (input.dataType.kind === 'float') {
    if (input.blank !== undefined) {
      const message = `BLANK is ${input.blank} on a floating image, whose missing points are NaN: it is ignored`
      input.warn({ code: 'sentinel-dropped', message, path: input.path })
    }
    return { fillValue: { kind: 'number', value: Number.NaN }, sentinels: NO_SENTINELS, attributes }
  }
  const { sentinels } = readSentinels({
    ...input,
    fillValue: attributeSentinel(input.blank),
    missingValue: undefined,
    warn: input.warn,
  })
  return { fillValue: sentinels.fillValue ?? zeroOf(input.dataType), sentinels, attributes }
}
