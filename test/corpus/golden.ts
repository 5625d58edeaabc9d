import { existsSync, readFileSync } from 'node:fs'
import { isJsonObject, type Json, type JsonObject } from '../../src/json/json.ts'
import { parseJson } from '../../src/json/parse.ts'

/** Where the shared corpus is, when it is there at all. */
export const CORPUS = new URL('../../../shared/corpus/', import.meta.url)
export const CORPUS_ABSENT = existsSync(CORPUS) ? false : 'the shared corpus (../shared/corpus) is not on this machine'

export type Expectation = 'ok' | 'error' | 'chunk-error' | 'unsupported-ok'

/** What an independent reader says of one array; `dataType` is that of `codecs=native`. */
export interface GoldenArray {
  readonly path: string
  readonly shape: readonly number[]
  readonly dataType: Json
  /** Of the canonical bytes (values.ts); absent where the oracle could not read the array. */
  readonly sha256: string | undefined
  readonly fillValue: Json | undefined
  readonly fillIsDefault: boolean
  readonly attributes: JsonObject
  readonly attributesAbsent: readonly Json[]
  readonly notes: readonly Json[]
  readonly dimensionNames: readonly Json[] | undefined
  readonly oracleError: boolean
  /** How the array may be answered when it is not served: the golden file's own words. */
  readonly serve: Json | undefined
}

export interface GoldenFile {
  readonly format: string
  readonly name: string
  readonly expect: Expectation
  readonly arrays: readonly GoldenArray[]
}

/** The golden files of one format's folder. */
export function readGolden(format: string): GoldenFile[] {
  const text = readFileSync(new URL(`${format}/golden.json`, CORPUS), 'utf8')
  const files = member(parseJson(text, { lenient: true }), 'files')
  return Object.entries(object(files)).map(([name, file]) => ({
    format,
    name,
    expect: expectation(member(file, 'expect')),
    arrays: Object.entries(object(member(file, 'arrays') ?? {})).map(([path, array]) => goldenArray(path, array)),
  }))
}

export function goldenArray(path: string, array: Json): GoldenArray {
  const sha256 = member(array, 'sha256')
  return {
    path,
    shape: list(member(array, 'shape')).map(Number),
    dataType: member(array, 'dtype') ?? null,
    sha256: typeof sha256 === 'string' ? sha256 : undefined,
    fillValue: member(array, 'fill_value'),
    fillIsDefault: member(array, 'fill_value_basis') === 'nc_default',
    attributes: object(member(array, 'attributes') ?? {}),
    attributesAbsent: list(member(array, 'attributes_absent')),
    notes: list(member(array, 'notes')),
    dimensionNames: isList(member(array, 'dimension_names')) ? list(member(array, 'dimension_names')) : undefined,
    oracleError: member(array, 'oracle_error') !== undefined,
    serve: member(array, 'serve'),
  }
}

function expectation(value: Json | undefined): Expectation {
  if (value === 'ok' || value === 'error' || value === 'chunk-error' || value === 'unsupported-ok') return value
  throw new Error(`golden file: unknown expectation ${String(value)}`)
}

/** A member of a JSON object; undefined for anything else. */
export function member(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? value[name] : undefined
}

/** The object itself; anything else is a broken document. */
export function object(value: Json | undefined): JsonObject {
  if (isJsonObject(value)) return value
  throw new Error(`expected a JSON object, found ${JSON.stringify(value)}`)
}

/** The list itself, or an empty one when there is none. */
export function list(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : []
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
