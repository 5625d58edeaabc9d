import type { KeyOf } from '../tables/conditions.ts'
import { findProperty, type Property, type Search, type Variant } from '../tables/parameter-table.ts'
import type { Parameter } from './description.ts'

/** Where the definitions of a field are looked for. */
export interface ParameterSearch {
  readonly edition: 1 | 2
  /** The folder of the centre, or of the data set that it belongs to. */
  readonly local: string
  /** Of definitions with as many conditions, those of a data set go before the general ones; those of a centre come after them. */
  readonly isDataset: boolean
  readonly variant: Variant
  readonly numbers: readonly number[]
  readonly keyOf: KeyOf
}

/** Parameters that were looked up, by everything that the search depends on. */
export type KnownParameters = Map<string, Parameter>

/** The same with a memory: fields of a file differ mostly in what no definition asks for. */
export function knownParameter(known: KnownParameters, key: string, search: ParameterSearch): Parameter {
  const found = known.get(key) ?? parameterOf(search)
  known.set(key, found)
  return found
}

/** The parameter of a field: by the definitions of its centre and of all, else by ECMWF's. */
function parameterOf({ edition, local, isDataset, variant, numbers, keyOf }: ParameterSearch): Parameter {
  // The last one counts.
  const own = isDataset ? [`${edition}/`, `${edition}/${local}`] : [`${edition}/${local}`, `${edition}/`]
  const ecmwf = [`${edition}/ecmf`, `${edition}/`]
  const withNumbers: KeyOf = (name) => {
    if (!name.startsWith('number ')) return keyOf(name)
    const value = numbers[Number(name.slice('number '.length))]
    return value === undefined ? undefined : { value, isMissing: false }
  }
  const search = (folders: readonly string[], kind: Variant): Search => ({
    folders,
    variant: kind,
    numbers,
    keyOf: withNumbers,
  })
  const find = (property: Property) =>
    findProperty(property, search(own, variant)) ??
    findProperty(property, search(ecmwf, variant)) ??
    (edition === 2 ? findProperty(property, search(ecmwf, 'legacy')) : undefined)
  const shortName = find('shortName') ?? 'unknown'
  // In edition 2 no names of ECMWF stand in for those of other centres.
  const cfVarName = edition === 1 ? find('cfVarName') : findProperty('cfVarName', search(own, variant))
  const paramId = Number(find('paramId') ?? 0)
  return {
    paramId,
    shortName,
    name: find('name') ?? 'unknown',
    units: find('units') ?? 'unknown',
    cfName: find('cfName') ?? 'unknown',
    cfVarName: cfVarName ?? variableName(edition, shortName, paramId),
  }
}

/** What the tables have for parameters without a short name. */
const NAMELESS = '~'

/** A name that begins with a digit is no name of a variable, nor is none at all. */
function variableName(edition: 1 | 2, shortName: string, paramId: number): string {
  if (shortName === NAMELESS || (edition === 1 && /^\d/.test(shortName))) return `p${paramId}`
  return /^\d/.test(shortName) ? `_${shortName}` : shortName
}
