import assert from 'node:assert/strict'
import { Float, type Json, type JsonObject } from '../../../src/json/json.ts'
import { elementCount } from '../../../src/model/shape.ts'
import { assertDimensionNames, checkWithZarrita, isReadAlike, type ServedProfiles } from '../../corpus/check-array.ts'
import { plain, servedPath } from '../../corpus/expected.ts'
import { list, member, object } from '../../corpus/golden.ts'
import type { ServedStore } from '../../corpus/served-store.ts'
import { assertProblem, get, nodeUrl } from '../../corpus/store-client.ts'
import { hashOf, type Values } from '../../corpus/values.ts'

export type Profiles = ServedProfiles

/** Larger arrays hold next to nothing, or are read chunk by chunk in corpus.test.ts: their documents are compared. */
const MOST_ELEMENTS = 2_000_000
const MOST_CHUNKS = 1000
/** Of arrays in more chunks, which all go one way, one profile is read. */
const FEW_CHUNKS = 60

/** Compares one array of a golden file with what is served of it; returns how it was answered, for the table at the end. */
export async function checkEntry(profiles: Profiles, goldenPath: string, golden: JsonObject): Promise<string> {
  if (golden['dimension_only'] === true) return 'a dimension only'
  const name = golden['netcdf_name']
  const own = typeof name === 'string' ? goldenPath.slice(0, goldenPath.lastIndexOf('/') + 1) + name : goldenPath
  const paths = [profiles.portable, profiles.native, profiles.raw].map((store) =>
    servedPath(store.documents, own.slice(1)),
  )
  const [path = ''] = paths
  const reason = member(
    member(member(profiles.portable.documents.get('')?.['attributes'], 'virtual_zarr'), 'skipped'),
    path,
  )
  const isServed = profiles.portable.documents.has(path)
  if (golden['expect'] === 'skip') assert.ok(!isServed, `${path} must not be served`)
  if (golden['expect'] === 'error') return await checkDamaged(profiles, path)
  if (!isServed) return await checkSkipped(profiles, path, golden, reason)
  assert.equal(reason, undefined, `${path} is served and listed as skipped`)
  return await checkServed(profiles, path, golden)
}

/** What can't be read: not there, or no profile has all of its values. */
async function checkDamaged(profiles: Profiles, path: string): Promise<string> {
  let isServed = false
  for (const store of Object.values(profiles) as ServedStore[]) {
    const document = store.documents.get(path)
    if (document?.['node_type'] !== 'array') continue
    isServed = true
    await assert.rejects(store.readOwn(path), `${path} is damaged`)
  }
  return isServed ? 'damaged: its chunks are refused' : 'damaged: not served'
}

async function checkSkipped(
  profiles: Profiles,
  path: string,
  golden: JsonObject,
  reason: Json | undefined,
): Promise<string> {
  const { portable } = profiles
  assert.notEqual(golden['serve'], 'range', `${path} is skipped: ${String(reason)}`)
  if (golden['expect'] === 'skip' && reason === undefined) return 'not served, as it must be'
  assert.equal(typeof reason, 'string', `${path} is lost: neither served nor listed`)
  assertProblem(await get(nodeUrl(portable.url, path, 'zarr.json')), [422, 501], path)
  return skippedFor(String(reason))
}

/** A line of the table: reasons without what is only one file's. */
export function skippedFor(reason: string): string {
  return `skipped: ${reason.replace(/"[^"]*"|[\w/%]*_[\w/%.]*/g, '…').slice(0, 90)}`
}

async function checkServed(profiles: Profiles, path: string, golden: JsonObject): Promise<string> {
  const { native, portable } = profiles
  const document = object(native.documents.get(path))
  if (golden['dtype'] === 'unsupported:vlen') return await checkSequences(profiles, path, golden)
  checkDocument(document, golden, path)
  const answer = golden['serve'] === 'range' ? 'equal, range' : 'equal, transcoded'
  const elements = elementCount(list(document['shape']).map(Number))
  if (elements > MOST_ELEMENTS || chunkCount(document) > MOST_CHUNKS) return 'too large: only its document is compared'
  const values = await valuesOrRefusal(native, path, golden)
  if (typeof values === 'string') return values
  const expected = hashIn(golden, document)
  if (expected !== undefined) assert.ok(hashesOf(values).includes(expected), `${path}: values of native`)
  if (chunkCount(document) > FEW_CHUNKS) return answer
  if (!isOtherInZarrita(document)) await checkWithZarrita(native, path, document, values, `${path} (native)`)
  const own = portable.documents.get(path)
  if (own?.['node_type'] === 'array') {
    await checkPortable(profiles, path, portableText(values, golden, document, own))
    return answer
  }
  // Records: the values of their fields are compared by test/interop.
  for (const [below, { node_type: type }] of portable.documents) {
    if (below.startsWith(`${path}/`) && type === 'array') await checkPortable(profiles, below, undefined)
  }
  return 'equal in all profiles, records'
}

/** The oracle does not tell the values: as many as the lengths say can be read, by zarrita too. */
async function checkSequences(profiles: Profiles, path: string, golden: JsonObject): Promise<string> {
  const { native } = profiles
  const [values, lengths] = ['values', 'lengths'].map((name) => object(native.documents.get(`${path}/${name}`)))
  assert.deepEqual(lengths?.['shape'], golden['shape'], `${path}: shape`)
  const counts = await native.readOwn(`${path}/lengths`)
  assert.ok(counts.kind === 'fixed')
  const total = new Uint32Array(counts.bytes.slice().buffer).reduce((sum, count) => sum + count, 0)
  assert.equal(list(values?.['shape'])[0], total, `${path}: values`)
  await checkPortable(profiles, `${path}/lengths`, counts)
  const isNumbers = profiles.portable.documents.get(`${path}/values`)?.['node_type'] === 'array'
  const isText = typeof values?.['data_type'] !== 'string'
  const read = await native.readOwn(`${path}/values`)
  if (isNumbers) await checkPortable(profiles, `${path}/values`, isText ? undefined : read)
  return 'sequences: values and lengths'
}

/** Damaged data that the oracle nonetheless reads a part of may be refused. */
async function valuesOrRefusal(store: ServedStore, path: string, golden: JsonObject): Promise<Values | string> {
  try {
    return await store.readOwn(path)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (/inflates to more/.test(error.message)) return 'refused: a chunk that inflates to far more than it holds'
    const isDamaged = golden['serve'] !== 'range' && golden['alt'] === undefined
    if (isDamaged && /problems\/malformed-source/.test(error.message)) return 'refused: damaged'
    throw error
  }
}

function chunkCount(document: JsonObject): number {
  const chunk = list(member(member(document['chunk_grid'], 'configuration'), 'chunk_shape')).map(Number)
  const shape = list(document['shape']).map(Number)
  return shape.reduce((count, length, axis) => count * Math.ceil(length / (chunk[axis] ?? 1)), 1)
}

/** zarrita 0.7 takes a fill value of -0 as 0, and one beyond 2^53 as the nearest double. */
function isOtherInZarrita({ fill_value: fill }: JsonObject): boolean {
  return typeof fill === 'bigint' || (fill instanceof Float && Object.is(fill.value, -0))
}

/** What the file holds; not told of what NetCDF pads, and with the gaps between fields of records. */
function hashIn(golden: JsonObject, { shape }: JsonObject): string | undefined {
  const isPadded = golden['netcdf_shape'] !== undefined && String(shape) !== String(golden['shape'])
  if (isPadded || golden['dtype'] === 'unsupported:compound') return undefined
  const hash = golden['sha256'] ?? member(golden['alt'], 'sha256') ?? member(golden['alt'], 'json_sha256')
  return typeof hash === 'string' ? hash : undefined
}

/** Python spells texts in ASCII too. */
function hashesOf(values: Values): string[] {
  if (values.kind === 'fixed') return [hashOf(values)]
  const escaped = JSON.stringify(values.values).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return [hashOf(values), hashOf({ kind: 'fixed', bytes: new TextEncoder().encode(escaped) })]
}

/** Fixed text in `portable`: what is padding depends on the file, and NetCDF's characters are joined. */
function portableText(native: Values, golden: JsonObject, document: JsonObject, portable: JsonObject): Values {
  if (native.kind !== 'fixed' || member(document['data_type'], 'name') !== 'null_terminated_bytes') return native
  const shape = list(document['shape']).map(Number)
  const isJoined = list(portable['shape']).length < shape.length
  const length =
    Number(member(member(document['data_type'], 'configuration'), 'length_bytes')) *
    (isJoined ? (shape.at(-1) ?? 1) : 1)
  const padding = isJoined ? 'nullpad' : member(golden['hdf5'], 'strpad')
  const texts: string[] = []
  for (let start = 0; start < native.bytes.length; start += length)
    texts.push(unpadded(native.bytes.subarray(start, start + length), padding))
  return { kind: 'text', values: texts }
}

function unpadded(bytes: Uint8Array, padding: Json | undefined): string {
  const text = Buffer.from(bytes)
  const end = padding === 'nullterm' ? text.indexOf(0) : -1
  const cut = end < 0 ? text : text.subarray(0, end)
  const decoded = decode(cut)
  return padding === 'spacepad' ? decoded.replace(/[ \0]+$/, '') : decoded.replace(/\0+$/, '')
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}

async function checkPortable(
  { native, portable, raw }: Profiles,
  path: string,
  expected: Values | undefined,
): Promise<void> {
  const document = object(portable.documents.get(path))
  const values = await portable.readOwn(path)
  if (expected !== undefined) assert.deepEqual(values, expected, `${path}: values of portable`)
  const isKnown = isOtherInZarrita(document) || isReadAlike(native.documents.get(path), document)
  if (!isKnown) await checkWithZarrita(portable, path, document, values, `${path} (portable)`)
  const plainDocument = object(raw.documents.get(path))
  const codecs = list(plainDocument['codecs']).map((codec) => member(codec, 'name'))
  assert.deepEqual(codecs, [document['data_type'] === 'string' ? 'vlen-utf8' : 'bytes'], `${path}: codecs of raw`)
  assert.equal(hashOf(await raw.readOwn(path)), hashOf(values), `${path}: values of raw`)
}

function checkDocument(document: JsonObject, golden: JsonObject, path: string): void {
  const shape = list(document['shape']).map(Number)
  const alternative = list(member(golden['alt'], 'shape') ?? golden['shape'])
  const type = String(golden['dtype'])
  const isPadded = golden['netcdf_shape'] !== undefined && String(shape) !== String(golden['shape'])
  const expected = isPadded ? list(golden['netcdf_shape']) : alternative
  // Elements that are arrays add dimensions, which the oracle tells only where it could read them.
  assert.deepEqual(type === 'unsupported:array' ? shape.slice(0, expected.length) : shape, expected, `${path}: shape`)
  assertDimensionNames(
    document,
    golden['dimension_names'] === undefined ? undefined : list(golden['dimension_names']),
    shape.length,
    path,
  )
  const isText = type === 'null_terminated_bytes'
  const configuration = { length_bytes: golden['length_bytes'] ?? null }
  if (!type.startsWith('unsupported')) {
    const dataType = isText ? { name: type, configuration } : type
    assert.deepEqual(plain(document['data_type']), plain(dataType), `${path}: data type`)
    if (golden['fill_value'] !== undefined)
      assert.deepEqual(
        comparable(document['fill_value'], isText),
        comparable(golden['fill_value'], isText),
        `${path}: fill value`,
      )
  }
  const attributes = object(document['attributes'])
  for (const [name, value] of Object.entries(object(golden['attributes'] ?? {}))) {
    // FV-9: text has no `_FillValue` in the default output.
    if (isText && name === '_FillValue') continue
    assert.deepEqual(comparable(attributes[name], false), comparable(value, false), `${path}: attribute ${name}`)
  }
  for (const name of list(golden['attributes_absent']))
    assert.equal(attributes[String(name)], undefined, `${path}: attribute ${String(name)} must be absent`)
}

/** Numbers by value; fixed text without its padding. */
function comparable(json: Json | undefined, isText: boolean): unknown {
  if (isText) return Buffer.from(String(json), 'base64').toString('latin1').replace(/\0+$/, '')
  if (json instanceof Float) return json.value
  if (typeof json === 'bigint') return Number(json)
  if (Array.isArray(json)) return json.map((item: Json) => comparable(item, false))
  return plain(json)
}
