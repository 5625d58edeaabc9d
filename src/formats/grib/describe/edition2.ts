// WMO-306 I.2, sections 1 and 4 of edition 2.

import { Cursor } from '../../../bytes/cursor.ts'
import type { FieldOfEdition2, KeyValue } from '../messages/field.ts'
import type { KeyOf } from '../tables/conditions.ts'
import { findNamed } from '../tables/level-table.ts'
import type { Variant } from '../tables/parameter-table.ts'
import { type TemplateKeys, templateKeys } from '../tables/templates-table.ts'
import { centreOf, processedData } from './centre.ts'
import type { Description } from './description.ts'
import { levelOf, pressureUnits } from './level.ts'
import { type KnownParameters, knownParameter } from './parameter.ts'
import { stepOf, stepTypeOf } from './steps.ts'
import { secondsOf } from './times.ts'

const ECMWF = 98
const PRODUCT_START = 4
/** Of its section, without length and number. */
const LENGTH_OF_44 = 40
/** Code table 4.5: heights that a grid of their own says. */
const GENERAL_VERTICAL = 150
/** Of the local section: its number and the class. */
const MARS_BYTES = 4
/** Production status (code table 1.3) of data sets whose local sections begin otherwise: TIGGE to WPMIP. */
const FIRST_DATASET = 4
const LAST_DATASET = 17
/** Tables up to this version have the parameters' names of before. */
const LAST_VERSION_BEFORE = 33

/** What sections 1 and 4 say. */
export function describeEdition2(field: FieldOfEdition2, known: KnownParameters): Description {
  const head = identificationOf(field)
  const { centre, centreTitle } = centreOf(head.centre, 2)
  const template = (field.product[2] ?? 0) * 256 + (field.product[3] ?? 0)
  const keys = templateKeys(layoutOf(template, field), field.product, PRODUCT_START)
  const headKey = headKeyOf(field, head, keys)
  const dataset = findNamed('dataset', ['2/'], headKey)
  const local = dataset ?? centre
  const stepType = stepTypeOf(keys)
  const keyOf = keysOf(field, head, template, keys, stepType)
  const numbers = [
    field.discipline,
    numberAt(keys, 'parameterCategory') ?? 255,
    numberAt(keys, 'parameterNumber') ?? 255,
  ]
  const variant = variantOf(local, head, headKey)
  return {
    field,
    centre,
    centreTitle,
    subCentre: head.subCentre,
    parameter: knownParameter(
      known,
      `${template} ${local} ${variant} ${numbers} ${head.localTables} ${signature(keys, field)}`,
      { edition: 2, local, isDataset: dataset !== undefined, variant, numbers, keyOf },
    ),
    parameterKey: numbers.join('.'),
    dataType: processedData(head.type),
    typeOfLevel: findNamed('level', [`2/${local}`, '2/'], keyOf) ?? 'unknown',
    level: levelOf(keys),
    stepType,
    time: head.time,
    step: stepOf(keys),
    number: numberAt(keys, 'perturbationNumber') ?? numberAt(keys, 'clusterIdentifier'),
    totalNumber: numberAt(keys, 'numberOfForecastsInEnsemble') ?? numberAt(keys, 'totalNumberOfClusters'),
    direction: numberAt(keys, 'waveDirectionNumber'),
    frequency: numberAt(keys, 'waveFrequencyNumber'),
    directions: numberAt(keys, 'numberOfWaveDirections'),
    frequencies: numberAt(keys, 'numberOfWaveFrequencies'),
    verticalCoordinates: verticalCoordinatesOf(field),
  }
}

/** Of template 44 there are two: its forecast time has the two bytes of the standard, or four in a longer section. */
function layoutOf(template: number, field: FieldOfEdition2): string {
  const isLong = template === 44 && field.product.length - 4 * verticalCoordinatesOf(field) > LENGTH_OF_44
  return isLong ? '4.44-long' : `4.${template}`
}

function verticalCoordinatesOf({ product }: FieldOfEdition2): number {
  return (product[0] ?? 0) * 256 + (product[1] ?? 0)
}

/** Grids of ICON and ORCA: which of a model's grids it is stands in octet 19. */
const UNSTRUCTURED = 101

/** What no definition of a parameter asks for. */
const OF_TIME = /^(?:forecastTime|perturbationNumber|.*EndOfOverallTimeInterval)$/

/** What definitions may ask for. */
function signature(keys: TemplateKeys, { grid }: FieldOfEdition2): string {
  let text = `${grid[7]} ${grid[8]} ${grid[13]}`
  for (const [name, values] of keys)
    if (!OF_TIME.test(name)) text += ` ${values[0]?.value}${values[0]?.isMissing === true ? 'm' : ''}`
  return text
}

/** Names of parameters changed after version 33 of the tables: for those who follow the version, and for those who never did. */
function variantOf(local: string, { tables }: Identification, headKey: KeyOf): Variant {
  const folders = [`2/${local}`, '2/']
  const said = findNamed('names', folders, headKey)
  if (said !== undefined) return said === '0' ? 'before' : 'after'
  const followsTables = findNamed('byTables', folders, headKey) === '1'
  return followsTables && tables <= LAST_VERSION_BEFORE ? 'before' : 'after'
}

/** What decides which definitions hold for a message. */
function headKeyOf(field: FieldOfEdition2, head: Identification, keys: TemplateKeys): KeyOf {
  const own = new Map<string, number | undefined>([
    ['productionStatusOfProcessedData', head.status],
    ['tablesVersion', head.tables],
    ['subCentre', head.subCentre],
    ['marsClass', marsClassOf(field, head)],
  ])
  return (name) => {
    const value = own.get(name)
    return value === undefined ? keys.get(name)?.[0] : { value, isMissing: false }
  }
}

/** The class of ECMWF's archive, in the local section of messages that follow ECMWF; data sets have other local sections. */
function marsClassOf({ local }: FieldOfEdition2, { centre, subCentre, status }: Identification): number | undefined {
  const isOfEcmwf = centre === ECMWF || subCentre === ECMWF
  if (
    !isOfEcmwf ||
    local === undefined ||
    local.length < MARS_BYTES ||
    (FIRST_DATASET <= status && status <= LAST_DATASET)
  ) {
    return undefined
  }
  return (local[2] ?? 0) * 256 + (local[3] ?? 0)
}

interface Identification {
  readonly centre: number
  readonly subCentre: number
  readonly tables: number
  readonly localTables: number
  readonly time: number
  readonly status: number
  readonly type: number
}

function identificationOf({ identification, offset }: FieldOfEdition2): Identification {
  const cursor = new Cursor(identification, 'big', { format: 'grib', base: offset })
  const [centre, subCentre, tables, localTables] = [cursor.u16(), cursor.u16(), cursor.u8(), cursor.u8()]
  cursor.skip(1)
  const time = secondsOf(cursor.u16(), cursor.u8(), cursor.u8(), cursor.u8(), cursor.u8())
  cursor.skip(1)
  return { centre, subCentre, tables, localTables, time, status: cursor.u8(), type: cursor.u8() }
}

function numberAt(keys: TemplateKeys, name: string): number | undefined {
  const value = keys.get(name)?.[0]?.value
  return typeof value === 'number' ? value : undefined
}

/** Kinds of templates that definitions ask for. */
const KINDS: ReadonlyMap<string, readonly number[]> = new Map([
  ['is_chemical', [40, 41, 42, 43]],
  ['is_chemical_distfn', [57, 58, 67, 68]],
  ['is_chemical_srcsink', [76, 77, 78, 79]],
  ['is_aerosol', [44, 45, 46, 47, 50, 85]],
  ['is_aerosol_optical', [48, 49]],
])

/** Other names of keys. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['aerosolType', 'constituentType'],
  ['atmosphericChemicalConsituentType', 'constituentType'],
])

function keysOf(
  field: FieldOfEdition2,
  head: Identification,
  template: number,
  keys: TemplateKeys,
  stepType: string | undefined,
): KeyOf {
  const plain = (value: number | string): KeyValue => ({ value, isMissing: false })
  return (name) => {
    const found = keys.get(ALIASES.get(name) ?? name)?.[0]
    if (found !== undefined) return found
    const kind = KINDS.get(name)
    if (kind !== undefined) return plain(Number(kind.includes(template)))
    if (name === 'localTablesVersion') return plain(head.localTables)
    if (name === 'stepType') return stepType === undefined ? undefined : plain(stepType)
    if (name === 'pressureUnits') return plain(pressureUnits(keys))
    if (name === 'NV') return plain(verticalCoordinatesOf(field))
    if (name === 'genVertHeightCoords')
      return plain(Number(numberAt(keys, 'typeOfFirstFixedSurface') === GENERAL_VERTICAL))
    const gridTemplate = (field.grid[7] ?? 0) * 256 + (field.grid[8] ?? 0)
    if (name === 'gridDefinitionTemplateNumber') return plain(gridTemplate)
    if (name === 'numberOfGridInReference' && gridTemplate === UNSTRUCTURED) return plain(field.grid[13] ?? 0)
    return undefined
  }
}
