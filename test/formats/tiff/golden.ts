import { existsSync, readFileSync } from 'node:fs'
import type { Json, JsonObject } from '../../../src/json/json.ts'
import { parseJson } from '../../../src/json/parse.ts'
import { list, member, object } from '../../corpus/golden.ts'

/** The shared corpus of TIFF files, when it is there at all. */
export const CORPUS = new URL('../../../../shared/corpus/tiff/', import.meta.url)
export const CORPUS_ABSENT = existsSync(CORPUS) ? false : 'the shared corpus (../shared/corpus) is not on this machine'

export type Expectation = 'ok' | 'error' | 'chunk-error' | 'ok-or-error' | 'unsupported-ok' | 'metadata-only'

/** What independent readers say of one directory of the main chain. */
export interface GoldenArray {
  readonly name: string
  readonly expect: Expectation
  readonly shape: readonly number[] | undefined
  readonly dataTypes: readonly Json[]
  readonly dimensionNames: readonly Json[]
  readonly sha256: string | undefined
  readonly fillValue: Json | undefined
  readonly attributes: JsonObject
  readonly absent: readonly string[]
}

export interface GoldenFile {
  readonly name: string
  readonly expect: Expectation
  readonly arrays: readonly GoldenArray[]
  /** Hashes of the images that other directories point to. */
  readonly subHashes: readonly string[]
}

/** All files of the corpus; numbers are exact. */
export function readGolden(): readonly GoldenFile[] {
  const text = readFileSync(new URL('golden.json', CORPUS), 'utf8')
  const files = object(member(parseJson(text, { lenient: true }), 'files'))
  return Object.entries(files).map(([name, file]) => {
    const expect = String(member(file, 'expect')) as Expectation
    const arrays = Object.entries(object(member(file, 'arrays') ?? {}))
    const subs = Object.values(object(member(file, 'subifds') ?? {}))
    return {
      name,
      expect,
      arrays: arrays.map(([index, array]) => goldenArray(index, array, expect, name)),
      subHashes: subs.map((sub) => String(member(sub, 'sha256'))),
    }
  })
}

/**
 * JPEG directories of the corpus as rasterio 1.5 reads them (make-jpeg-golden.py): the corpus' own values have the colours of libjpeg 9, within a
 * tolerance.
 */
const JPEG: Readonly<Record<string, Readonly<Record<string, { readonly sha256: string }>>>> = JSON.parse(
  readFileSync(new URL('jpeg-golden.json', import.meta.url), 'utf8'),
)

function goldenArray(name: string, array: Json, expect: Expectation, file: string): GoldenArray {
  const exact = member(array, 'fill_value_exact')
  const jpeg = JPEG[file]?.[name]
  const sha256 = jpeg?.sha256 ?? member(array, 'sha256')
  const shape = member(array, 'shape')
  return {
    name,
    expect: String(member(array, 'expect') ?? expect) as Expectation,
    shape: shape === undefined ? undefined : list(shape).map(Number),
    dataTypes: [member(array, 'dtype') ?? [], ...list(member(array, 'dtype_alternatives'))].flat() as readonly Json[],
    dimensionNames: list(member(array, 'dimension_names')),
    sha256: typeof sha256 === 'string' ? sha256 : undefined,
    fillValue: typeof exact === 'string' ? BigInt(exact) : member(array, 'fill_value'),
    attributes: object(member(array, 'attributes') ?? {}),
    absent: list(member(array, 'absent_attributes')).map(String),
  }
}
