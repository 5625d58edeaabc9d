// WMO-306 I.2, section 1, and ECMWF's local part of it.

import type { FieldOfEdition1, KeyValue } from '../messages/field.ts'
import type { KeyOf } from '../tables/conditions.ts'
import { findNamed } from '../tables/level-table.ts'
import { templateKeys } from '../tables/templates-table.ts'
import { centreOf, marsType } from './centre.ts'
import type { Description } from './description.ts'
import { type KnownParameters, knownParameter } from './parameter.ts'
import { secondsOf, unitSeconds } from './times.ts'

const ECMWF = 98
const LOCAL_START = 41
/** A period before the reference time. */
const BEFORE = 6
/** Ranges that end with their second time: sums and means, extremes, and NCEP's averages of forecasts. */
const PERIODS = [
  [2, 5],
  [7, 7],
  [118, 119],
  [128, 140],
] as const
/** Types of levels that have two numbers of a byte: a layer. */
const LAYERS: ReadonlySet<number> = new Set([101, 104, 106, 108, 110, 112, 114, 116, 120, 121, 128, 141])

/** What section 1 says. */
export function describeEdition1(field: FieldOfEdition1, known: KnownParameters): Description {
  const { product } = field
  const byte = (octet: number) => product[octet - 1] ?? 0
  const [centreCode, subCentre] = [byte(5), byte(26)]
  const { centre, centreTitle } = centreOf(centreCode, 1)
  const local = centreCode === ECMWF || subCentre === ECMWF ? localKeys(product) : undefined
  const keyOf = keysOf(product, centreCode, local)
  const folders = [`1/${centre}`, '1/']
  const ecmwf = ['1/ecmf', '1/']
  const numbers = [byte(4), byte(9)]
  // Tables, centre, level and time range; local keys.
  const signature = `1 ${centre} ${numbers} ${product.subarray(9, 12)} ${byte(21)} ${local?.get('localElementNumber')?.[0]?.value}`
  const stepType = findNamed('step', folders, keyOf) ?? String(byte(21))
  const parameterKeyOf: KeyOf = (name) => (name === 'stepType' ? { value: stepType, isMissing: false } : keyOf(name))
  const localType = local?.get('marsType')?.[0]?.value
  const number = (name: string) => numberOf(local?.get(name)?.[0])
  return {
    field,
    centre,
    centreTitle,
    subCentre,
    parameter: knownParameter(known, signature, {
      edition: 1,
      isDataset: false,
      local: centre,
      variant: 'after',
      numbers,
      keyOf: parameterKeyOf,
    }),
    parameterKey: numbers.join('.'),
    dataType: typeof localType === 'number' ? marsType(localType) : undefined,
    typeOfLevel: findNamed('level', folders, keyOf) ?? findNamed('level', ecmwf, keyOf) ?? 'unknown',
    level: LAYERS.has(byte(10)) ? byte(11) : byte(11) * 256 + byte(12),
    stepType,
    time: secondsOf(yearOf(byte(13), byte(25)), byte(14), byte(15), byte(16), byte(17)),
    step: stepOf(byte),
    number: number('perturbationNumber') ?? number('number') ?? number('clusterNumber'),
    totalNumber: number('numberOfForecastsInEnsemble') ?? number('totalNumber'),
    direction: number('directionNumber'),
    frequency: number('frequencyNumber'),
    directions: number('numberOfDirections'),
    frequencies: number('numberOfFrequencies'),
    verticalCoordinates: field.grid?.[3] ?? 0,
  }
}

/** Years are of a century that begins with 1. */
function yearOf(ofCentury: number, century: number): number {
  return (century - 1) * 100 + ofCentury
}

/** Hours to the end of what the field is about: code table 5, with NCEP's averages of forecasts. */
function stepOf(byte: (octet: number) => number): number | undefined {
  const seconds = unitSeconds(byte(18), 1)
  if (seconds === undefined) return undefined
  const [first, second, range] = [byte(19), byte(20), byte(21)]
  const isPeriod = PERIODS.some(([from, to]) => range >= from && range <= to)
  const count = range === 10 ? first * 256 + second : range === BEFORE ? -second : isPeriod ? second : first
  return (count * seconds) / 3600
}

function localKeys(product: Uint8Array) {
  const number = product[LOCAL_START - 1]
  return number === undefined ? undefined : templateKeys(`${ECMWF}.${number}`, product, LOCAL_START)
}

function numberOf(key: KeyValue | undefined): number | undefined {
  return typeof key?.value === 'number' ? key.value : undefined
}

function keysOf(
  product: Uint8Array,
  centre: number,
  local: ReadonlyMap<string, readonly KeyValue[]> | undefined,
): KeyOf {
  const byte = (octet: number) => product[octet - 1] ?? 0
  const isLayer = LAYERS.has(byte(10))
  const both = byte(11) * 256 + byte(12)
  const level = isLayer ? byte(11) : both
  const known: ReadonlyMap<string, number> = new Map([
    ['indicatorOfTypeOfLevel', byte(10)],
    ['level', level],
    ['topLevel', level],
    ['bottomLevel', isLayer ? byte(12) : both],
    ['timeRangeIndicator', byte(21)],
    ['centre', centre],
  ])
  return (name) => {
    const value = known.get(name)
    if (value !== undefined) return { value, isMissing: name === 'level' && both === 65_535 }
    return local?.get(name)?.[0]
  }
}
