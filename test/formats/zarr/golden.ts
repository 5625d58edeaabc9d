import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { toCfFillValue } from '../../../src/fill-value/to-cf.ts'
import { toZarrFillValue } from '../../../src/fill-value/to-zarr.ts'
import { Float, isJsonObject, type Json, type JsonObject } from '../../../src/json/json.ts'
import { parseJson } from '../../../src/json/parse.ts'
import type { VirtualArray, VirtualNode } from '../../../src/model/virtual-store.ts'
import { hashOf } from '../../corpus/values.ts'
import { dataTypeOf } from '../../helpers/data-type.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { arrayAt, at, leaves, type MemoryStore, memoryStore } from './memory-store.ts'
import { readValues } from './read-values.ts'

const DOCUMENTS = ['zarr.json', '.zmetadata', '.zgroup', '.zarray']

/** The entries of a folder's golden.json, by the names of the stores. */
export function readGolden(folder: URL): readonly (readonly [string, JsonObject])[] {
  const golden = object(parseJson(readFileSync(new URL('golden.json', folder), 'utf8'), { lenient: true }))
  return Object.entries(object(golden['files'])).map(([name, file]) => [name, object(file)])
}

/** Whether a store parses to the structure that another reader sees in it. */
export async function checkStore(folder: URL, name: string, golden: JsonObject): Promise<void> {
  const { store, key } = storeFrom(folder, name)
  const arrays = Object.entries(object(golden['arrays'] ?? {})).map(([path, array]) => ({ path, array: object(array) }))
  let root: VirtualNode
  try {
    root = await store.open(key)
  } catch (error) {
    assert.ok(isVirtualZarrError(error), String(error))
    assert.equal(golden['expect'], 'unsupported-ok', error.message)
    return
  }
  if (arrays.length > 0) assert.deepEqual(leaves(root).sort(), arrays.map(({ path }) => path).sort())
  for (const { path, array } of arrays) {
    if (array['oracle_error'] === undefined) {
      checkArray(arrayAt(root, path), array, path)
      await checkValues(arrayAt(root, path), array, store, path)
    } else assert.ok(['array', 'skipped'].includes(at(root, path).kind))
  }
  if (!name.endsWith('.zip')) checkChunkKeys(root, store)
}

function checkArray(array: VirtualArray, golden: JsonObject, what: string): void {
  assert.deepEqual(array.shape, golden['shape'], what)
  assert.deepEqual(array.dataType, dataTypeOf(golden['dtype']), what)
  assert.deepEqual(toZarrFillValue(array.fillValue, array.dataType), golden['fill_value'], what)
  const isSharded = asStored(array).encodings[0]?.some(({ name }) => name === 'sharding_indexed')
  if (!isSharded) assert.deepEqual(array.chunkShape, golden['chunk_shape'], what)
  if (golden['dimension_names'] !== undefined) assert.deepEqual(array.dimensionNames, golden['dimension_names'], what)
  const { _FillValue: sentinel, missing_value: missing, ...attributes } = object(golden['attributes'])
  for (const [name, value] of Object.entries(attributes)) {
    assert.deepEqual(plain(array.attributes.get(name) as Json), plain(value), `${what} ${name}`)
  }
  const { fillValue, missingValue } = array.sentinels
  assert.deepEqual(fillValue && toCfFillValue(fillValue, array.dataType), sentinel, what)
  if (typeof missing === 'number' || missing instanceof Float) {
    assert.deepEqual(missingValue, { kind: 'number', value: Number(plain(missing)) }, what)
  }
}

async function checkValues(array: VirtualArray, golden: JsonObject, store: MemoryStore, what: string): Promise<void> {
  if (golden['sha256'] === undefined || golden['serve'] !== undefined) return
  assert.equal(hashOf(await readValues(array, store)), golden['sha256'], what)
}

/** Every object of the folder that is no document is a chunk of the model, under that very URL. */
function checkChunkKeys(root: VirtualNode, store: MemoryStore): void {
  const chunks = new Set<string>()
  for (const path of leaves(root)) {
    const array = at(root, path)
    if (array.kind !== 'array') return
    for (const coords of gridOf(array)) {
      const ref = asStored(array).chunks.at(coords)
      assert.ok(!(ref instanceof Promise) && ref.kind === 'object')
      chunks.add(`${store.references[ref.source]}${ref.key}`.slice(store.url.length))
    }
  }
  for (const key of store.files.keys()) {
    if (/(^|\/)(zarr\.json|\.z[a-z]+|DO_NOT_REMOVE_ME)$/.test(key)) continue
    // Objects that zarr-python doesn't read either: v2 chunks beside a v3 document with other keys.
    assert.ok(chunks.has(key.split('/').map(encodeURIComponent).join('/')), `${key} is no chunk`)
  }
}

/** The coordinates of the first chunks of an array. */
export function* gridOf(array: VirtualArray): Generator<number[]> {
  const { gridShape } = asStored(array).chunks
  const count = gridShape.reduce((product, length) => product * length, 1)
  for (let position = 0; position < Math.min(count, 10_000); position++) {
    let rest = position
    yield gridShape
      .map((_, axis) => gridShape[gridShape.length - 1 - axis] ?? 1)
      .map((length) => {
        const coordinate = rest % length
        rest = Math.floor(rest / length)
        return coordinate
      })
      .reverse()
  }
}

/** A store of a folder of stores, in memory, and the document that a probe of it finds. */
export function storeFrom(corpus: URL, name: string): { store: MemoryStore; key: string } {
  const place = new URL(name, corpus)
  if (statSync(place).isFile()) return { store: memoryStore({ [name]: readFileSync(place) }), key: name }
  const folder = fileURLToPath(place)
  const files: Record<string, Uint8Array> = {}
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    files[relative(folder, path)] = readFileSync(path)
  }
  const key = DOCUMENTS.find((document) => files[document] !== undefined)
  assert.ok(key !== undefined, `${name} has no document`)
  return { store: memoryStore(files), key }
}

function object(json: Json | undefined): JsonObject {
  assert.ok(isJsonObject(json))
  return json
}

/** Numbers without the point that the exact reader keeps, objects without null prototypes. */
function plain(json: Json): unknown {
  if (json instanceof Float) return json.value
  if (Array.isArray(json)) return json.map(plain)
  if (!isJsonObject(json)) return json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, plain(value)]))
}
