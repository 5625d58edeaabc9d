import { existsSync, readFileSync } from 'node:fs'
import type { Json, JsonObject } from '../../../src/json/json.ts'
import { parseJson } from '../../../src/json/parse.ts'
import { list, member, object } from '../../corpus/golden.ts'

export const CORPUS = new URL('../../../../shared/corpus/dmrpp/', import.meta.url)
export const CORPUS_ABSENT = existsSync(CORPUS) ? false : 'the shared corpus is not beside this project'

/** What the oracle says of one variable: HDF5's or HDF4's own library, and the XML by itself. */
export interface GoldenArray {
  readonly path: string
  readonly dataType: Json | undefined
  readonly shape: readonly Json[]
  readonly chunkShape: readonly Json[] | undefined
  readonly dimensionNames: readonly Json[] | undefined
  readonly fillValue: Json | undefined
  readonly attributes: JsonObject
  readonly sha256: string | undefined
  readonly texts: readonly Json[] | undefined
  /** Whether it has no plain type: it may be skipped, but not wrong. */
  readonly isOptional: boolean
}

export interface GoldenFile {
  readonly name: string
  readonly expect: string
  readonly hasData: boolean
  readonly arrays: readonly GoldenArray[]
}

export function readGolden(): GoldenFile[] {
  const text = readFileSync(new URL('golden.json', CORPUS), 'utf8')
  const files = object(member(parseJson(text, { lenient: true }), 'files'))
  return Object.entries(files).map(([name, file]) => ({
    name,
    expect: String(member(file, 'expect')),
    hasData: typeof member(file, 'data') === 'string',
    arrays: Object.entries(object(member(file, 'arrays') ?? {})).map(([path, array]) => arrayOf(path.slice(1), array)),
  }))
}

function arrayOf(path: string, array: Json): GoldenArray {
  const sha256 = member(array, 'sha256')
  return {
    path,
    dataType: member(array, 'dtype'),
    shape: list(member(array, 'shape')),
    chunkShape: optionalList(member(array, 'chunk_shape')),
    dimensionNames: optionalList(member(array, 'dimension_names')),
    fillValue: member(array, 'fill_value'),
    attributes: object(member(array, 'attributes') ?? {}),
    sha256: typeof sha256 === 'string' ? sha256 : undefined,
    texts: optionalList(member(array, 'string_values')),
    isOptional: member(array, 'expect') !== undefined,
  }
}

function optionalList(value: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(value) ? list(value) : undefined
}
