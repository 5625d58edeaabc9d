import type { DataType, Scalar } from '../model/data-type.ts'
import { type Diagnostic, NO_SENTINELS, type Sentinels } from '../model/virtual-store.ts'
import { type ScalarText, scalarFromText } from './from-text.ts'
import { quoted, typeInWords } from './in-words.ts'
import { trimmedText } from './number-text.ts'
import { isSameScalar } from './numbers.ts'
import { refusedSentinel, type SentinelPolicy } from './raw-sentinel.ts'
import { roundedExtreme } from './rounded-extreme.ts'

/** An item of GDAL's metadata: one text for all bands, or one a band, blank for a band that has none. */
export type ItemText = string | readonly string[]

export interface TiffNodataInput {
  /** Text of tag 42113, or of the bands in a document beside the file. */
  readonly gdalNoData: ItemText | undefined
  /** Items of tag 42112: `_FillValue`, `missing_value`, and those with a prefix (`swe#_FillValue`); others are ignored. */
  readonly items: ReadonlyMap<string, ItemText>
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
  readonly attributes: ReadonlyMap<string, ItemText>
}

const PREFIXED = /#(?:_FillValue|missing_value)$/
const MOST_NAMED = 8

/** FV-TIFF: which of the texts of a TIFF is the nodata value, and what stays text. */
export function readTiffNodata(input: TiffNodataInput): TiffNodata {
  const { gdalNoData, items, dataType } = input
  const texts: (readonly [string, ItemText | undefined])[] = [
    ['gdal_no_data', gdalNoData],
    ['_FillValue', items.get('_FillValue')],
    ['missing_value', items.get('missing_value')],
  ]
  const given = texts.flatMap(([key, text]) => (text === undefined ? [] : givenBy(key, text, input)))
  const chosen = given.find(({ value }) => value !== undefined)
  noteDifferences(given, chosen, input)
  const attributes = new Map<string, ItemText>()
  const original = typeof gdalNoData === 'string' ? gdalNoData.split('\0', 1)[0] : undefined
  if (original !== undefined && original.trim() !== '') attributes.set('gdal_no_data', original)
  for (const { key, text, value } of given) if (value === undefined) attributes.set(`band_${key}`, text)
  for (const [key, text] of items) {
    if (PREFIXED.test(key) && !isDuplicate(text, chosen?.value, dataType)) attributes.set(key, text)
  }
  if (chosen?.value === undefined) return { fillValue: undefined, sentinels: NO_SENTINELS, attributes }
  const fillValue = chosen.value
  const hasMissingValue = distinctTexts(items.get('missing_value') ?? '').some((text) => text.trim() !== '')
  return { fillValue, sentinels: { fillValue, missingValue: hasMissingValue ? fillValue : undefined }, attributes }
}

/** What one key gives; without a value when the bands differ, and no value is that of the array. */
interface Given {
  readonly key: string
  readonly text: ItemText
  readonly value: Scalar | undefined
}

function givenBy(key: string, text: ItemText, input: TiffNodataInput): Given[] {
  const distinct = distinctTexts(text)
  const values = distinct.flatMap((one) => scalarOf(key, one, input) ?? [])
  const [first] = values
  if (first === undefined) return []
  const agree = values.length === distinct.length && values.every((value) => isSameScalar(value, first))
  return [{ key, text, value: agree ? first : undefined }]
}

function scalarOf(key: string, text: string, input: TiffNodataInput): Scalar | undefined {
  const { read, isRounded } = nodataFromText(text, input.dataType)
  if (read.kind === 'absent') return undefined
  if (read.kind === 'error') {
    const message = `${key} is ${quoted(text)}, which ${typeInWords(input.dataType)} can't hold (${read.reason})`
    if (input.policy === 'error') throw refusedSentinel(message, input.path)
    note(input, 'sentinel-dropped', `${message}: it is dropped`)
    return undefined
  }
  if (isRounded) {
    const extreme = String(read.value.value)
    note(
      input,
      'nodata-rounded',
      `${key} ${quoted(text)} is ${extreme}, an end of ${typeInWords(input.dataType)}, rounded: that value is taken`,
    )
  } else if (read.overflow) {
    note(input, 'overflow-to-infinity', `${key} ${quoted(text)} is infinite in ${typeInWords(input.dataType)}`)
  }
  return read.value
}

/** FV-TIFF-7: one warning for all keys. */
function noteDifferences(given: readonly Given[], chosen: Given | undefined, input: TiffNodataInput): void {
  const isAlike = ({ value }: Given) =>
    value !== undefined && chosen?.value !== undefined && isSameScalar(value, chosen.value)
  if (given.every(isAlike)) return
  const values = given.map(({ key, text }) => `${key} ${textInWords(text)}`).join(', ')
  const taken = chosen === undefined ? 'none is that of all bands, they are listed' : `${chosen.key} is taken`
  note(input, 'sentinels-differ', `nodata values differ: ${values}; ${taken}`)
}

function textInWords(text: ItemText): string {
  if (typeof text === 'string') return quoted(text)
  const named = text.slice(0, MOST_NAMED).map(quoted).join(', ')
  return `by band (${named}${text.length > MOST_NAMED ? ', …' : ''})`
}

function distinctTexts(text: ItemText): readonly string[] {
  return typeof text === 'string' ? [text] : [...new Set(text)]
}

function isDuplicate(text: ItemText, chosen: Scalar | undefined, type: DataType): boolean {
  return distinctTexts(text).every((one) => {
    const { read } = nodataFromText(one, type)
    return chosen !== undefined && read.kind === 'ok' && isSameScalar(read.value, chosen)
  })
}

interface NodataText {
  readonly read: ScalarText
  /** The text is not the nearest one of the value. */
  readonly isRounded: boolean
}

/**
 * The nearest value of the type, or its lowest or highest one where the text is that value rounded. GDAL compares within a tolerance, which clients of a store don't.
 */
function nodataFromText(text: string, type: DataType): NodataText {
  const read = scalarFromText(text, type)
  const value = type.kind === 'float' ? roundedExtreme(trimmedText(text), type.bits) : undefined
  if (value === undefined || read.kind !== 'ok' || read.value.value === value) return { read, isRounded: false }
  return { read: { kind: 'ok', value: { kind: 'number', value }, overflow: false }, isRounded: true }
}

function note({ path, warn }: TiffNodataInput, code: string, message: string): void {
  warn({ code, message, path })
}
