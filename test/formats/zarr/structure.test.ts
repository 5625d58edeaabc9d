import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isJsonObject, type Json, type JsonObject } from '../../../src/json/json.ts'
import { parseJson } from '../../../src/json/parse.ts'
import { writeJson } from '../../../src/json/write.ts'
import { type RunningApp, runApp, storeUrlOf } from '../../helpers/app.ts'

/** One hierarchy with something wrong in it, and what zarr-python makes of it: `test/fixtures/zarr/make_structure.py`. */
interface Case {
  readonly name: string
  readonly files: JsonObject
  readonly refused?: string
  /** Shape and values by path; null for values that nobody reads. */
  readonly arrays?: Readonly<Record<string, readonly [readonly number[], readonly string[] | null]>>
}

const [right = {}, ...cases] = readFileSync(new URL('../../fixtures/zarr/structure.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  // Not JSON.parse: 2.0 is no 2 here.
  .map((line) => parseJson(line) as JsonObject)

/** Where zarr-python opens what is no Zarr: a truth value as a length, a length beyond 2^53, a group that it sees no member of. */
const REFUSED_BY_US =
  /^(?:\.zarray|array zarr\.json): shape (?:true|9223372036854775808)$|^group zarr\.json: zarr_format 2$/
/** Said by the specification, though zarr-python does not know it. */
const RIGHT_BY_SPECIFICATION = /^group zarr\.json: extra \{"must_understand": false\}$/
/** The fill value of 0 that older writers left on every type, records among them. */
const RIGHT_BY_HABIT = /^\.zarray: dtype \[\[/
const RIGHT = new RegExp(`${RIGHT_BY_SPECIFICATION.source}|${RIGHT_BY_HABIT.source}`)
/** Diagnostics that tell of a choice, not of a fault. */
const OF_CHOICE = new Set(['null-fill', 'dimension-names-invented', 'fill-migrated'])
const OF_CHOICE_HERE = /^array zarr\.json: (?:dimension_names|fill_value)|^\.zarray: fill_value left out$/

let app: RunningApp

before(async () => {
  app = await runApp({})
})
after(async () => await app.close())

function expanded(value: Json): Json {
  if (typeof value === 'string') return value.startsWith('$') ? (right[value] ?? null) : value
  if (!isJsonObject(value)) return value
  const { $of, without, with: more, ...own } = value
  const base = typeof $of === 'string' ? right[$of] : own
  const lost = Array.isArray(without) ? without : []
  const members = Object.entries({ ...(isJsonObject(base) ? base : {}), ...(isJsonObject(more) ? more : {}) })
  const kept = members.filter(([name]) => !lost.includes(name))
  return Object.fromEntries(kept.map(([name, member]) => [name, expanded(member)]))
}

function put(folder: string, files: JsonObject): void {
  const write = (key: string, bytes: Uint8Array) => {
    const path = join(app.folder, folder, key)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
  for (const [key, value] of Object.entries(files)) {
    write(key, Buffer.from(writeJson(expanded(value))))
    const name = key.slice(key.lastIndexOf('/') + 1)
    if (name !== '.zarray' && name !== 'zarr.json') continue
    const prefix = key.slice(0, key.length - name.length) + (name === 'zarr.json' ? 'c/' : '')
    write(`${prefix}0`, new Uint8Array(Int16Array.of(1, 2).buffer))
    write(`${prefix}1`, new Uint8Array(Int16Array.of(3, 4).buffer))
  }
}

const urlOf = (folder: string) => `${pathToFileURL(join(app.folder, folder)).href}/`

const get = async (url: string) => await app.http.inject({ method: 'GET', url })

interface Answer {
  readonly isRefused: boolean
  readonly why: string
  readonly told: readonly string[]
  readonly arrays: Readonly<
    Record<string, { readonly shape: readonly number[]; readonly chunk_shape: readonly number[] }>
  >
  readonly skipped: JsonObject
}

async function answerOf(folder: string): Promise<Answer> {
  const answer = await get(`/inspect?url=${encodeURIComponent(urlOf(folder))}`)
  const { detail = '', warnings = [], arrays = {}, skipped = {} } = answer.json()
  const told = (warnings as { code: string }[]).map(({ code }) => code)
  return { isRefused: answer.statusCode !== 200, why: `${answer.statusCode} ${detail}`, told, arrays, skipped }
}

/** The values of an array of int16 as its chunks hold them; undefined where one of them fails. */
async function valuesOf(
  folder: string,
  path: string,
  shape: readonly number[],
): Promise<readonly string[] | undefined> {
  const store = storeUrlOf(app, urlOf(folder)).slice(0, -1)
  const document = (await get(`${store};codecs=raw/${path === '' ? '' : `${path}/`}zarr.json`)).json()
  const { chunk_shape } = document.chunk_grid.configuration
  const values: string[] = []
  for (let chunk = 0; chunk * chunk_shape[0] < (shape[0] ?? 0); chunk++) {
    const answer = await get(`${store};codecs=raw/${path === '' ? '' : `${path}/`}c/${chunk}`)
    if (answer.statusCode !== 200 && answer.statusCode !== 404) return undefined
    const isBig = document.codecs[0].configuration.endian === 'big'
    const bytes = isBig ? Buffer.from(answer.rawPayload).swap16() : answer.rawPayload
    const held = answer.statusCode === 404 ? new Array(chunk_shape[0]).fill(document.fill_value) : numbers(bytes)
    values.push(...held.map(String))
  }
  return values.slice(0, shape[0])
}

function numbers(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(2 * index))
}

/** Whether something is said of what is wrong, or nothing of it can be read. */
async function isTold(folder: string, { told, skipped, arrays }: Answer, name: string): Promise<boolean> {
  if (Object.keys(skipped).length > 0) return true
  if (told.some((code) => !OF_CHOICE.has(code) || OF_CHOICE_HERE.test(name))) return true
  for (const [path, { shape }] of Object.entries(arrays)) {
    if (shape.length !== 1 || (await valuesOf(folder, path, shape)) !== undefined) return false
  }
  return Object.keys(arrays).length > 0
}

test(`${cases.length} hierarchies with one thing wrong: what zarr-python refuses is refused or told, what it opens is opened with its values`, async () => {
  const faults: string[] = []
  for (const [index, given] of cases.entries()) {
    const { name, files, refused, arrays } = given as unknown as Case
    const folder = `s${index}.zarr`
    put(folder, files)
    const answer = await answerOf(folder)
    if (refused !== undefined) {
      const isRight = answer.isRefused || RIGHT.test(name) || (await isTold(folder, answer, name))
      if (!isRight) faults.push(`${name}: nothing is said, while zarr-python says ${refused}`)
      continue
    }
    if (answer.isRefused) {
      if (!REFUSED_BY_US.test(name))
        faults.push(`${name}: ${answer.why}, while zarr-python shows ${JSON.stringify(arrays)}`)
      continue
    }
    for (const [path, [shape, values]] of Object.entries(arrays ?? {})) {
      assert.deepEqual(answer.arrays[path]?.shape, shape, `${name}: ${path}`)
      if (values !== null && shape.length === 1) assert.deepEqual(await valuesOf(folder, path, shape), values, name)
    }
  }
  assert.deepEqual(faults, [])
})
