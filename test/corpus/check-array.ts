import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject } from '../../src/json/json.ts'
import { dataTypeOf } from '../helpers/data-type.ts'
import { assertAttributes, fieldValues, plain, portableType, portableValues, servedPath } from './expected.ts'
import { type GoldenArray, list, member } from './golden.ts'
import { zarritaLimit } from './read-zarrita.ts'
import type { ServedStore } from './served-store.ts'
import { assertProblem, get, nodeUrl } from './store-client.ts'
import { hashOf, type Values, withoutPadding } from './values.ts'

/** Members of an array's document, and no others (GEN-2). */
const MEMBERS = [
  'attributes',
  'chunk_grid',
  'chunk_key_encoding',
  'codecs',
  'data_type',
  'dimension_names',
  'fill_value',
  'node_type',
  'shape',
  'storage_transformers',
  'zarr_format',
]

/** The three profiles of one source. */
export interface ServedProfiles {
  readonly native: ServedStore
  readonly portable: ServedStore
  readonly raw: ServedStore
}

/** Compares one array with its golden entry: `native` literally, `portable` and `raw` in their own spelling, all by value. */
export async function checkArray(golden: GoldenArray, profiles: ServedProfiles, what: string): Promise<void> {
  const { native } = profiles
  const path = servedPath(native.documents, golden.path)
  const document = documentOf(native, path, what)
  assert.deepEqual(document['shape'], golden.shape, `${what}: shape`)
  assert.deepEqual(plain(document['data_type']), plain(golden.dataType), `${what}: data type`)
  assertFillValue(document, golden, what)
  assertAttributes(document, golden, isText(golden) ? ['_FillValue'] : [], what)
  assertDimensionNames(document, golden.dimensionNames, golden.shape.length, what)
  const values = await native.readOwn(path)
  assert.equal(hashOf(values), golden.sha256, `${what}: values of native`)
  await checkWithZarrita(native, path, document, values, what)
  await checkPortable(golden, values, profiles, what)
}

/** FV-9: the default output has no `_FillValue` on text, though the golden files tell what it would be. */
function isText(golden: GoldenArray): boolean {
  return dataTypeOf(golden.dataType).kind === 'fixed-text'
}

async function checkPortable(
  golden: GoldenArray,
  native: Values,
  profiles: ServedProfiles,
  what: string,
): Promise<void> {
  const { portable } = profiles
  const dataType = portableType(golden)
  const path = servedPath(portable.documents, golden.path)
  if (dataType === undefined) {
    for (const field of fieldValues(native, golden)) {
      await checkPortableArray(
        profiles,
        `${path}${path === '' ? '' : '/'}${field.name}`,
        field.type,
        () => field.values,
        what,
      )
    }
    return
  }
  const document = await checkPortableArray(
    profiles,
    path,
    dataType,
    (shape) => portableValues(native, golden, shape),
    what,
  )
  const isRespelled = dataType !== golden.dataType
  assertAttributes(document, golden, isRespelled ? ['_FillValue', 'missing_value', 'units'] : [], what)
  if (!isRespelled) assertFillValue(document, golden, what)
}

/** Whether zarrita is told the same of both: what it makes of the one, it makes of the other. */
export function isReadAlike(one: JsonObject | undefined, other: JsonObject): boolean {
  return one !== undefined && READ_BY.every((name) => isDeepStrictEqual(one[name], other[name]))
}

/** What the values of an array are read by. */
const READ_BY = ['shape', 'data_type', 'chunk_grid', 'chunk_key_encoding', 'codecs', 'fill_value', 'dimension_names']

async function checkPortableArray(
  { native, portable, raw }: ServedProfiles,
  path: string,
  dataType: Json,
  expected: (shape: readonly number[]) => Values,
  what: string,
): Promise<JsonObject> {
  const document = documentOf(portable, path, `${what} (portable)`)
  assert.deepEqual(plain(document['data_type']), plain(dataType), `${what}: data type of portable`)
  const shape = list(document['shape']).map(Number)
  assertDimensionNames(document, undefined, shape.length, what)
  const values = expected(shape)
  const own = await portable.readOwn(path)
  assert.equal(hashOf(own), hashOf(values), `${what}: values of portable`)
  if (!isReadAlike(native.documents.get(path), document)) {
    await checkWithZarrita(portable, path, document, values, what)
  }
  const plainDocument = documentOf(raw, path, `${what} (raw)`)
  const codecs = list(plainDocument['codecs']).map((codec) => member(codec, 'name'))
  assert.deepEqual(codecs, [dataType === 'string' ? 'vlen-utf8' : 'bytes'], `${what}: codecs of raw`)
  assert.equal(hashOf(await raw.readOwn(path)), hashOf(values), `${what}: values of raw`)
  return document
}

/** zarrita reads it equal; where its limits say so, it doesn't, or the limit is out of date. */
export async function checkWithZarrita(
  store: ServedStore,
  path: string,
  document: JsonObject,
  expected: Values,
  what: string,
): Promise<void> {
  const limit = zarritaLimit(document)
  if (limit !== undefined) {
    const equal = store.readZarrita(path).then((array) => hashOf(array.values) === hashOf(expected))
    assert.equal(await equal.catch(() => false), false, `${what}: zarrita has ${limit}, and reads it`)
    return
  }
  const array = await store.readZarrita(path)
  assert.deepEqual(array.shape, document['shape'], `${what}: shape in zarrita`)
  assert.deepEqual(array.dimensionNames, document['dimension_names'], `${what}: dimension names in zarrita`)
  assert.equal(hashOf(array.values), hashOf(expected), `${what}: values in zarrita, ${store.url}`)
}

function documentOf(store: ServedStore, path: string, what: string): JsonObject {
  const document = store.documents.get(path)
  assert.ok(document, `${what}: ${path} is not served; skipped: ${JSON.stringify(plain(skippedOf(store)))}`)
  assert.deepEqual(Object.keys(document).sort(), MEMBERS, `${what}: GEN-2 members`)
  assert.equal(document['node_type'], 'array', what)
  return document
}

function skippedOf(store: ServedStore): Json | undefined {
  return member(member(store.documents.get('')?.['attributes'], 'virtual_zarr'), 'skipped')
}

function assertFillValue(document: JsonObject, golden: GoldenArray, what: string): void {
  // FV-NC3-2: the default of the type, or zero, since every stored chunk is complete.
  if (golden.fillIsDefault && isZero(document['fill_value'])) return
  const isBytes = member(golden.dataType, 'name') === 'null_terminated_bytes'
  const [served, expected] = [document['fill_value'], golden.fillValue].map((fill) =>
    isBytes ? bytesOf(fill) : plain(fill),
  )
  assert.deepEqual(served, expected, `${what}: fill value`)
}

/** Of fixed length: NULs at the end are padding. */
function bytesOf(fill: Json | undefined): Uint8Array {
  return withoutPadding(Buffer.from(String(fill), 'base64'))
}

function isZero(json: Json | undefined): boolean {
  const value = plain(json)
  return (
    value === 0 ||
    value === '' ||
    (typeof value === 'object' && value !== null && 'float' in value && value.float === 0)
  )
}

/** DM-1: every dimension has a name of its own; those of the golden file where it tells them. */
export function assertDimensionNames(
  document: JsonObject,
  expected: readonly Json[] | undefined,
  rank: number,
  what: string,
): void {
  const names = list(document['dimension_names'])
  assert.equal(names.length, rank, `${what}: dimension names`)
  assert.ok(
    names.every((name) => typeof name === 'string' && name !== ''),
    `${what}: DM-1 every dimension has a name`,
  )
  assert.equal(new Set(names).size, rank, `${what}: dimension names are unique`)
  for (const [axis, name] of (expected ?? []).entries()) {
    // TREE-6: a name that an array uses twice gets `_2`, `_3`.
    const count = (expected ?? []).slice(0, axis + 1).filter((other) => other === name).length
    if (name === null) continue
    assert.equal(names[axis], count === 1 ? name : `${String(name)}_${count}`, `${what}: dimension name ${axis}`)
  }
}

/** An array that need not be served: it is, or it is listed as skipped and its keys say why. */
export async function checkSkipped(golden: GoldenArray, store: ServedStore, what: string): Promise<void> {
  const path = servedPath(store.documents, golden.path)
  if (store.documents.has(path)) return
  const reason = member(skippedOf(store), path)
  assert.equal(typeof reason, 'string', `${what}: neither served nor listed under virtual_zarr.skipped`)
  assertProblem(await get(nodeUrl(store.url, path, 'zarr.json')), [422, 501], what)
}
