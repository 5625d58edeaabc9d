import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { JsonObject } from '../../../src/json/json.ts'
import { CORPUS, CORPUS_ABSENT, member } from '../../corpus/golden.ts'
import { corpusOfFiles } from '../../corpus/served-corpus.ts'
import { ServedStore } from '../../corpus/served-store.ts'
import {
  assertInTime,
  assertProblem,
  consolidatedDocuments,
  get,
  parseReply,
  type Reply,
} from '../../corpus/store-client.ts'
import { readGolden } from './golden.ts'
import { checkEntry, type Profiles, skippedFor } from './served-array.ts'

describe('the shared corpus of HDF5 files, through the running service', { skip: CORPUS_ABSENT }, () => {
  const tally = new Map<string, number>()
  const count = (what: string) => void tally.set(what, (tally.get(what) ?? 0) + 1)
  const corpus = corpusOfFiles()
  after(() => {
    console.table([...tally].sort().map(([answer, arrays]) => ({ answer, arrays })))
  })

  const files = CORPUS_ABSENT ? [] : [...(readGolden(new URL('hdf5/', CORPUS)) ?? [])]
  for (const [name, golden] of files.filter(([, { expect }]) => expect !== 'companion')) {
    const path = name.split('/').map(encodeURIComponent).join('/')
    const url = (options: string) => corpus.storeUrl(`hdf5/${path}`, options)
    test(`${name}: every array equals the oracle's, in portable, native and raw, or is a listed skip`, () =>
      checkFile(golden, url, count))
  }
})

async function checkFile(
  golden: JsonObject,
  url: (options: string) => string,
  count: (what: string) => void,
): Promise<void> {
  const entries = Object.entries((member(golden, 'arrays') ?? {}) as JsonObject)
  const reply = await get(`${url('')}zarr.json`)
  assertInTime(reply, 'opening')
  if (reply.status !== 200) {
    const problem = assertProblem(reply, [400, 413, 415, 422, 501], textOf(reply))
    if (golden['expect'] === 'error' || golden['lenient'] === true) return
    for (const [path, entry] of entries) count(checkUnserved(path, entry as JsonObject, String(problem['detail'])))
    return
  }
  const profiles: Profiles = {
    portable: new ServedStore(url(''), consolidatedDocuments(parseReply(reply))),
    native: await ServedStore.open(url(';codecs=native')),
    raw: await ServedStore.open(url(';codecs=raw')),
  }
  for (const [path, entry] of entries) count(await checkEntry(profiles, path, entry as JsonObject))
}

/** A file of which nothing can be served is refused, and the refusal lists its arrays. */
function checkUnserved(path: string, golden: JsonObject, detail: string): string {
  if (golden['dimension_only'] === true) return 'a dimension only'
  const [, reason] = detail.split(`${path.slice(1)}: `)
  assert.ok(reason !== undefined, `${path} is not listed: ${detail}`)
  assert.notEqual(golden['serve'], 'range', `${path} is skipped: ${reason}`)
  return skippedFor(reason.split(';')[0] ?? '')
}

function textOf(reply: Reply): string {
  return new TextDecoder().decode(reply.bytes.subarray(0, 500))
}
