import type { DataType, Scalar } from '../model/data-type.ts'
import { type Diagnostic, NO_SENTINELS, type Sentinels } from '../model/virtual-store.ts'
import { scalarFromText } from './from-text.ts'
import { quoted, typeInWords } from './in-words.ts'
import { isSameScalar } from './numbers.ts'
import { refusedSentinel, type SentinelPolicy } from './sentinels.ts'

export interface TiffNodataInput {
  /** Text of tag 42113. */
  readonly gdalNoData: string | undefined
  /** Text items of tag 42112: `_FillValue`, `missing_value`, and those with a prefix (`swe#_FillValue`); others are ignored. */
  readonly items: ReadonlyMap<string, string>
  readonly dataType: DataType
  readonly policy: SentinelPolicy
  readonly path: string
  warn(diagnostic: Diagnostic): void
}

export interface TiffNodata {
  /** The chosen value, which is storage fill too (FV-TIFF-9); undefined when nothing was given. */
  readonly fillValue: Scalar | undefined
  readonly sentinels: Sentinels
  /** Texts that stay attributes. */
  readonly attributes: ReadonlyMap<string, string>
}

const PREFIXED = /#(?:_FillValue|missing_value)$/

/** FV-TIFF: which of the texts of a TIFF is the nodata value, and what stays text. */
export function readTiffNodata(input: TiffNodataInput): TiffNodata {
  const texts: (readonly [string, string | undefined])[] = [
    ['gdal_no_data', input.gdalNoData],
    ['_FillValue', input.items.get('_FillValue')],
    ['missing_value', input.items.get('missing_value')],
  ]
  const given = texts.flatMap(([key, text]) => (text === undefined ? [] : candidate(key, text, input)))
  const chosen = given[0]?.value
  if (given.some(({ value }) => chosen !== undefined && !isSameScalar(value, chosen))) {
    const values = given.map(({ key, text }) => `${key} ${quoted(text)}`).join(', ')
    note(input, 'sentinels-differ', `nodata values differ: ${values}; ${given[0]?.key} is taken`)
  }
  const attributes = new Map<string, string>()
  const original = input.gdalNoData?.split('\0', 1)[0]
  if (original !== undefined && original.trim() !== '') attributes.set('gdal_no_data', original)
  for (const [key, text] of input.items) {
    if (PREFIXED.test(key) && !isDuplicate(text, chosen, input.dataType)) attributes.set(key, text)
  }
  if (chosen === undefined) return { fillValue: undefined, sentinels: NO_SENTINELS, attributes }
  const hasMissingValue = (input.items.get('missing_value') ?? '').trim() !== ''
  const missingValue = hasMissingValue ? chosen : undefined
  return { fillValue: chosen, sentinels: { fillValue: chosen, missingValue }, attributes }
}

interface Candidate {
  readonly key: string
  readonly text: string
  readonly value: Scalar
}

function candidate(key: string, text: string, input: TiffNodataInput): Candidate[] {
  const read = scalarFromText(text, input.dataType)
  if (read.kind === 'absent') return []
  if (read.kind === 'error') {
    const message = `${key} is ${quoted(text)}, which ${typeInWords(input.dataType)} can't hold (${read.reason})`
    if (input.policy === 'error') throw refusedSentinel(message, input.path)
    note(input, 'sentinel-dropped', `${message}: it is dropped`)
    return []
  }
  if (read.overflow) {
    note(input, 'overflow-to-infinity', `${key} ${quoted(text)} is infinite in ${typeInWords(input.dataType)}`)
  }
  return [{ key, text, value: read.value }]
}

function isDuplicate(text: string, chosen: Scalar | undefined, type: DataType): boolean {
  const read = scalarFromText(text, type)
  return chosen !== undefined && read.kind === 'ok' && isSameScalar(read.value, chosen)
}

function note({ path, warn }: TiffNodataInput, code: string, message: string): void {
  warn({ code, message, path })
}
