import { Float } from '../json/json.ts'
import type { AttributeValue } from '../model/virtual-store.ts'
import { parseNumberText, trimmedText } from './number-text.ts'

/** The number that `scale_factor` or `add_offset` is, also as text or in a list of one (PACK-8); undefined where it is no finite one. */
export function packingFactor(raw: AttributeValue | undefined): number | undefined {
  const single = Array.isArray(raw) && raw.length === 1 ? (raw[0] as AttributeValue) : raw
  if (typeof single === 'string') {
    const parsed = parseNumberText(trimmedText(single))
    return parsed?.kind === 'finite' && Number.isFinite(parsed.double) ? parsed.double : undefined
  }
  const isNumber = typeof single === 'number' || typeof single === 'bigint' || single instanceof Float
  const value = isNumber ? Number(single instanceof Float ? single.value : single) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}
