import { floatJson } from '../../json/json.ts'
import type { AttributeValue } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import type { GdalMetadata } from './gdal-metadata.ts'

type NamedValue = readonly [string, AttributeValue]

interface Role {
  readonly role: string
  readonly attribute: string
  readonly neutral: number
}

const ROLES: readonly [Role, Role] = [
  { role: 'scale', attribute: 'scale_factor', neutral: 1 },
  { role: 'offset', attribute: 'add_offset', neutral: 0 },
]

/** PACK-7: whether bands have scales or offsets of their own. */
export function packingDiffers(metadata: GdalMetadata, samples: number): boolean {
  return ROLES.some((role) => new Set(valuesOf(metadata, role, samples)).size > 1)
}

/** PACK-7: scale and offset of the bands as attributes, where all bands have the same. */
export function packingAttributes(
  metadata: GdalMetadata,
  samples: number,
  path: string,
  context: ParseContext,
): readonly NamedValue[] {
  const [scales, offsets] = ROLES.map((role) => ({ role, values: valuesOf(metadata, role, samples) }))
  if (scales === undefined || offsets === undefined) return []
  if (scales.values === undefined && offsets.values === undefined) return []
  const isNeutral = [scales, offsets].every(({ role, values = [] }) => values.every((value) => value === role.neutral))
  if (isNeutral) return []
  const given = [scales, offsets].flatMap(({ role, values }) => (values === undefined ? [] : [{ role, values }]))
  if (given.every(({ values }) => values.every((value) => value === values[0]))) {
    return given.map(({ role, values }) => [role.attribute, floatJson(values[0] ?? role.neutral)])
  }
  const message =
    'the bands have different scales or offsets, and are too many for an array each: they are listed, and not applied by readers'
  context.warn({ code: 'packing-per-band', message, path })
  return given.map(({ role, values }) => [`band_${role.attribute}`, values.map(floatJson)])
}

/** One value a band; undefined when no band has any. Text that is no finite number is left out. */
function valuesOf({ items }: GdalMetadata, { role, neutral }: Role, samples: number): number[] | undefined {
  const found = items.filter((item) => item.role === role && item.domain === undefined)
  const values = new Array<number>(samples).fill(neutral)
  let any = false
  for (const { text, sample } of found) {
    const value = text === '' ? Number.NaN : Number(text)
    if (!Number.isFinite(value)) continue
    any = true
    if (sample === undefined) values.fill(value)
    else if (sample < samples) values[sample] = value
  }
  return any ? values : undefined
}
