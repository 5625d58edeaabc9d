import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { toZarrFillValue } from '../../../src/fill-value/to-zarr.ts'
import type { ParseContext } from '../../../src/formats/format.ts'
import { hdf5 } from '../../../src/formats/hdf5/index.ts'
import { Float, isJsonObject, type Json, type JsonObject } from '../../../src/json/json.ts'
import { parseJson } from '../../../src/json/parse.ts'
import type { DataType } from '../../../src/model/data-type.ts'
import type { Member, VirtualArray, VirtualNode } from '../../../src/model/virtual-store.ts'
import type { Source } from '../../../src/source/source.ts'
import { attributesDocument } from '../../../src/zarr/attributes.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { countingSource, parseContext } from './counting-source.ts'
import { leavesOf } from './parse.ts'
import { hashOf, readArray } from './read-array.ts'

/** The files of the shared corpus; undefined where it is not beside this project. */
export function readGolden(folder: URL): ReadonlyMap<string, JsonObject> | undefined {
  const path = new URL('golden.json', folder)
  if (!existsSync(path)) return undefined
  const files = object(object(parseJson(readFileSync(path, 'utf8'), { lenient: true }))['files'])
  return new Map(Object.entries(files).map(([name, file]) => [name, object(file)]))
}

/** Where the bytes of chunks are read. */
interface ReadWorld {
  readonly source: Source
  readonly sourceAt: (index: number, own: Source) => Promise<Source>
}

/** A file in the folder of another, as its URL is resolved. */
function fileBeside(file: URL, url: string): Uint8Array | undefined {
  const path = new URL(url.replace(/^memory:\/folder\//, ''), file)
  return existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined
}

/** GUARD-6, in processor time: the machine may be busy. */
const MOST_MILLISECONDS = 2000
/** Larger ones are compared by their structure. */
const MOST_ELEMENTS = 20_000_000

/** Parses one file as its entry says, and compares all arrays with what the entry tells. */
export async function checkFile(folder: URL, name: string, golden: JsonObject): Promise<void> {
  const bytes = new Uint8Array(readFileSync(new URL(name, folder)))
  const source = countingSource(bytes)
  const began = process.cpuUsage()
  const world = parseContext('auto', (url) => fileBeside(new URL(name, folder), url))
  const root = await parsed(bytes, source, world.context)
  const used = process.cpuUsage(began)
  assert.ok((used.user + used.system) / 1000 < MOST_MILLISECONDS, 'the time it took')
  const arrays = Object.entries(object(golden['arrays'] ?? {}))
  if (root === undefined) {
    const mayFail = golden['expect'] === 'error' || golden['expect'] === 'companion' || golden['lenient'] === true
    assert.ok(mayFail, 'it is refused')
    return
  }
  if (golden['expect'] === 'error' && arrays.length === 0) assert.ok(golden['lenient'] === true, 'it is not refused')
  const leaves = root.kind === 'group' ? leavesOf(root) : new Map<string, VirtualArray>([['', root]])
  for (const [path, entry] of arrays)
    await checkEntry(leaves, path, object(entry), { source, sourceAt: world.sourceAt })
}

/** Undefined for a file that is refused: not recognised, malformed or unsupported, and never for another reason. */
async function parsed(bytes: Uint8Array, source: Source, context: ParseContext): Promise<VirtualNode | undefined> {
  if (!hdf5.recognises(bytes.subarray(0, 4096), new URL(source.url))) return undefined
  try {
    return await hdf5.parse(source, context)
  } catch (error) {
    assert.ok(isVirtualZarrError(error), String(error))
    assert.ok(['malformed-source', 'unsupported-feature', 'limit-exceeded'].includes(error.code), error.code)
    return undefined
  }
}

async function checkEntry(
  leaves: ReadonlyMap<string, Exclude<Member, { kind: 'group' }>>,
  path: string,
  golden: JsonObject,
  world: ReadWorld,
): Promise<void> {
  if (golden['dimension_only'] === true) return
  const name = golden['netcdf_name']
  const own = typeof name === 'string' ? path.slice(0, path.lastIndexOf('/') + 1) + name : path
  const lengths = leaves.get(`${own.slice(1)}/lengths`)
  if (golden['dtype'] === 'unsupported:vlen' && lengths?.kind === 'array') {
    return await checkSequences(leaves, own.slice(1), golden, world)
  }
  const leaf = leaves.get(own.slice(1))
  if (golden['expect'] === 'skip') {
    assert.notEqual(leaf?.kind, 'array', `${path} must not be served`)
    return
  }
  if (golden['expect'] === 'error') {
    if (leaf?.kind === 'array')
      await assert.rejects(readArray(leaf, world.source, world.sourceAt), isVirtualZarrError, `${path} is damaged`)
    return
  }
  assert.ok(leaf !== undefined, `${path} is lost`)
  if (leaf.kind === 'skipped') {
    assert.notEqual(golden['serve'], 'range', `${path} is skipped: ${leaf.reason}`)
    return
  }
  await checkArray(leaf, path, golden, world)
}

/** The oracle does not tell the values: as many as the lengths say can be read. */
async function checkSequences(
  leaves: ReadonlyMap<string, Exclude<Member, { kind: 'group' }>>,
  path: string,
  golden: JsonObject,
  { source, sourceAt }: ReadWorld,
): Promise<void> {
  const [values, lengths] = ['values', 'lengths'].map((name) => leaves.get(`${path}/${name}`))
  assert.ok(values?.kind === 'array' && lengths?.kind === 'array', path)
  assert.deepEqual(lengths.shape, golden['shape'], `${path}: shape`)
  const counts = await readArray(lengths, source, sourceAt)
  assert.ok(counts.kind === 'fixed')
  const total = new Uint32Array(counts.bytes.slice().buffer).reduce((sum, count) => sum + count, 0)
  assert.equal(values.shape[0], total, `${path}: values`)
  await readArray(values, source, sourceAt)
}

async function checkArray(array: VirtualArray, path: string, golden: JsonObject, world: ReadWorld): Promise<void> {
  const alternative = object(golden['alt'] ?? {})
  const isPadded = golden['netcdf_shape'] !== undefined && String(array.shape) !== String(golden['shape'])
  const type = String(golden['dtype'])
  const expected = list(isPadded ? golden['netcdf_shape'] : (alternative['shape'] ?? golden['shape']))
  // Elements that are arrays add dimensions, which the oracle tells only where it could read them.
  const served = type === 'unsupported:array' ? array.shape.slice(0, expected.length) : array.shape
  assert.deepEqual(served, expected, `${path}: shape`)
  if (!type.startsWith('unsupported')) {
    assert.equal(typeName(array.dataType), type, `${path}: data type`)
    if (golden['fill_value'] !== undefined) checkFill(array, golden['fill_value'], path)
  }
  if (golden['dimension_names'] !== undefined) {
    assert.deepEqual(array.dimensionNames, golden['dimension_names'], `${path}: dimension names`)
  }
  checkAttributes(array, golden, path)
  // References are served as the paths of what they name.
  if (type !== 'unsupported:reference') await checkChunks(array, golden, path)
  // What beyond its extent NetCDF makes of an array depends on its memory: only the shape is compared.
  const hash = isPadded ? undefined : (golden['sha256'] ?? alternative['sha256'] ?? alternative['json_sha256'])
  const count = array.shape.reduce((product, length) => product * length, 1)
  // Records are hashed with the gaps that the file has between their fields.
  if (typeof hash !== 'string' || count > MOST_ELEMENTS || array.dataType.kind === 'structured') return
  const values = await readOrRefuse(array, world, golden)
  if (values !== undefined) assert.ok([hashOf(values), hashOf(values, 'ascii')].includes(hash), `${path}: values`)
}

/** A filter that is not built is a listed skip, told when the array's codecs are planned. */
async function readOrRefuse(array: VirtualArray, world: ReadWorld, golden: JsonObject) {
  try {
    return await readArray(array, world.source, world.sourceAt)
  } catch (error) {
    if (isVirtualZarrError(error, 'unsupported-feature') && golden['serve'] !== 'range') return undefined
    // A stream that inflates to a million times its chunk is refused, whatever its beginning would be.
    if (isVirtualZarrError(error, 'malformed-source') && /inflates to more/.test(error.message)) return undefined
    if (isVirtualZarrError(error, 'malformed-source') && golden['serve'] !== 'range' && golden['alt'] === undefined)
      return undefined
    throw error
  }
}

function typeName(type: DataType): string {
  if (type.kind === 'fixed-text') return 'null_terminated_bytes'
  return 'bits' in type ? `${type.kind}${type.bits}` : type.kind
}

function checkFill(array: VirtualArray, expected: Json, path: string): void {
  const fill = toZarrFillValue(array.fillValue, array.dataType)
  const isText = array.dataType.kind === 'fixed-text'
  assert.deepEqual(
    isText ? textOf(fill) : plain(fill),
    isText ? textOf(expected) : plain(expected),
    `${path}: fill value`,
  )
}

/** NULs at the end do not matter. */
function textOf(base64: Json): string {
  return Buffer.from(String(base64), 'base64').toString('latin1').replace(/\0+$/, '')
}

function checkAttributes(array: VirtualArray, golden: JsonObject, path: string): void {
  const { dataType, sentinels } = array
  const output = dataType.kind === 'fixed-text' ? 'strict' : 'cf'
  const served = attributesDocument(array.attributes, { path, warn: () => {}, array: { dataType, sentinels, output } })
  for (const [name, value] of Object.entries(object(golden['attributes'] ?? {}))) {
    assert.deepEqual(plain(served[name]), plain(value), `${path}: attribute ${name}`)
  }
  for (const name of list(golden['attributes_absent'])) {
    assert.equal(served[String(name)], undefined, `${path}: attribute ${String(name)} must be absent`)
  }
}

async function checkChunks(array: VirtualArray, golden: JsonObject, path: string): Promise<void> {
  const inner = array.shape.length - list(golden['shape']).length
  for (const [key, place] of Object.entries(object(golden['chunks'] ?? {}))) {
    const [offset, length, mask] = list(place).map(Number)
    const isRun = key === 'contiguous'
    if (isRun && (array.shape.includes(0) || length === 0)) continue
    const coords = isRun
      ? array.shape.map(() => 0)
      : [...key.split('/').map(Number), ...new Array<number>(inner).fill(0)]
    const ref = await asStored(array).chunks.at(coords)
    assert.ok(ref.kind === 'range', `${path}: chunk ${key} is ${ref.kind}`)
    assert.equal(ref.offset, offset, `${path}: offset of chunk ${key}`)
    if (!isRun) assert.equal(ref.length, length, `${path}: size of chunk ${key}`)
    const filters = list(member(golden['hdf5'], 'filters')).length
    const isEdgeRaw = member(golden['hdf5'], 'dont_filter_partial') === true
    if (!isRun && filters <= 5 && !isEdgeRaw)
      assert.equal(ref.encoding, (mask ?? 0) & (2 ** filters - 1), `${path}: mask of ${key}`)
  }
}

/** Comparable: integers, floats and big integers by value. */
function plain(json: Json | undefined): unknown {
  if (json instanceof Float) return json.value
  if (typeof json === 'bigint') return Number(json)
  if (Array.isArray(json)) return json.map((item: Json) => plain(item))
  if (isJsonObject(json)) return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, plain(value)]))
  return json
}

function member(json: Json | undefined, name: string): Json | undefined {
  return isJsonObject(json) ? json[name] : undefined
}

function list(json: Json | undefined): readonly Json[] {
  return Array.isArray(json) ? json : []
}

function object(json: Json | undefined): JsonObject {
  assert.ok(isJsonObject(json))
  return json
}
