import { readFileSync } from 'node:fs'
import { isJsonObject, type Json, type JsonObject } from '../../../src/json/json.ts'
import { parseJson } from '../../../src/json/parse.ts'
import { object } from '../../corpus/golden.ts'

export const FIXTURES = new URL('../../fixtures/icechunk/', import.meta.url)

/** What Icechunk itself reads of a fixture, at one of its refs: hashes of values by path. */
export interface GoldenRef {
  readonly ref: string
  readonly snapshot: string
  readonly arrays: ReadonlyMap<string, string>
}

/** The refs of the fixture of a format. */
export function goldenRefs(format: 1 | 2): GoldenRef[] {
  const golden = object(parseJson(readFileSync(new URL(`golden-${format}.json`, FIXTURES), 'utf8')))
  return Object.entries(object(golden['refs'])).map(([ref, json]) => {
    const { snapshot, arrays } = object(json)
    return { ref, snapshot: String(snapshot), arrays: hashes(arrays) }
  })
}

function hashes(json: Json | undefined): ReadonlyMap<string, string> {
  return new Map(Object.entries(object(json)).map(([path, hash]) => [path, String(hash)]))
}

/** Hashes of a golden file of the shared corpus, by path; of arrays that its oracle could read. */
export function knownHashes(arrays: JsonObject): ReadonlyMap<string, string> {
  const known = new Map<string, string>()
  for (const [path, array] of Object.entries(arrays)) {
    const hash = isJsonObject(array) ? array['sha256'] : undefined
    if (typeof hash === 'string') known.set(path, hash)
  }
  return known
}
