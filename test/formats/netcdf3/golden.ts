import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { toCfFillValue } from '../../../src/fill-value/to-cf.ts'
import { toZarrFillValue } from '../../../src/fill-value/to-zarr.ts'
import { netcdf3 } from '../../../src/formats/netcdf3/index.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../src/json/json.ts'
import { parseJson } from '../../../src/json/parse.ts'
import type { DataType } from '../../../src/model/data-type.ts'
import type { VirtualArray, VirtualGroup } from '../../../src/model/virtual-store.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { parseContext } from '../../helpers/parse-context.ts'
import { asStored } from '../../helpers/stored-array.ts'
import { readArray, readChunk } from './read-array.ts'

/** The files of a folder's golden.json; undefined where there is none. */
export function readGolden(folder: URL): ReadonlyMap<string, JsonObject> | undefined {
  const path = new URL('golden.json', folder)
  if (!existsSync(path)) return undefined
  return new Map(
    Object.entries(object(object(parseJson(readFileSync(path, 'utf8')))['files'])).map(([k, v]) => [k, object(v)]),
  )
}

/** Parses one file of a golden folder as its entry says, and compares everything that the entry tells. */
export async function checkGolden(folder: URL, name: string, golden: JsonObject): Promise<void> {
  const source = countingSource(readFileSync(new URL(name, folder)))
  const parse = () => netcdf3.parse(source, parseContext().context)
  if (golden['expect'] === 'error') {
    await assert.rejects(parse, (error) => isVirtualZarrError(error, 'malformed-source'))
    return
  }
  const root = groupOf(await parse())
  if (golden['expect'] === 'chunk-error') {
    await assert.rejects(readEverything(root, source), (error) => isVirtualZarrError(error, 'malformed-source'))
    return
  }
  const arrays = object(golden['arrays'])
  assert.deepEqual([...root.members.keys()].toSorted(), Object.keys(arrays).toSorted())
  const names = golden['group_attributes']
  // CONV-8: where a regular grid lies is said besides.
  const own = [...root.attributes.keys()].filter((key) => !/^(?:spatial|proj):/.test(key))
  if (Array.isArray(names)) assert.deepEqual(own.toSorted(), names.toSorted())
  for (const [path, expected] of Object.entries(arrays)) {
    const array = root.members.get(path)
    assert.ok(array?.kind === 'array', path)
    await checkArray(array, object(expected), path, source)
  }
}

async function checkArray(
  array: VirtualArray,
  golden: JsonObject,
  path: string,
  source: ReturnType<typeof countingSource>,
): Promise<void> {
  assert.deepEqual(array.shape, golden['shape'], `${path}: shape`)
  assert.deepEqual(array.dimensionNames, golden['dimension_names'], `${path}: dimension names`)
  assert.deepEqual(typeName(array.dataType), plain(golden['dtype']), `${path}: data type`)
  const values = await readArray(array, source)
  assert.equal(createHash('sha256').update(values).digest('hex'), golden['sha256'], `${path}: values`)
  assert.deepEqual(
    spelled(toZarrFillValue(array.fillValue, array.dataType)),
    spelled(golden['fill_value']),
    `${path}: fill`,
  )
  checkAttributes(array, object(golden['attributes']), path)
}

function checkAttributes(array: VirtualArray, golden: JsonObject, path: string): void {
  for (const [key, expected] of Object.entries(golden)) {
    const { fillValue, missingValue } = array.sentinels
    if (key === '_FillValue') {
      assert.ok(fillValue !== undefined, `${path}: a sentinel`)
      assert.deepEqual(spelled(toCfFillValue(fillValue, array.dataType)), spelled(expected), `${path}: _FillValue`)
    } else if (key === 'missing_value' && missingValue !== undefined) {
      assert.deepEqual(missingValue.value, bare(expected), `${path}: missing_value`)
    } else {
      assert.deepEqual(array.attributes.get(key), expected, `${path}: ${key}`)
    }
  }
  if (golden['_FillValue'] === undefined) assert.equal(array.sentinels.fillValue, undefined, `${path}: no sentinel`)
}

async function readEverything(root: VirtualGroup, source: ReturnType<typeof countingSource>): Promise<void> {
  for (const array of root.members.values()) {
    if (array.kind !== 'array') continue
    await readChunk(
      await asStored(array).chunks.at(asStored(array).chunks.gridShape.map((length) => length - 1)),
      source,
    )
  }
}

/** The root of a NetCDF-3 file is a group. */
export function groupOf(node: VirtualArray | VirtualGroup): VirtualGroup {
  assert.equal(node.kind, 'group')
  return node as VirtualGroup
}

function typeName(type: DataType): unknown {
  if (type.kind === 'fixed-text') return { name: 'null_terminated_bytes', configuration: { length_bytes: type.length } }
  return type.kind === 'int' || type.kind === 'uint' || type.kind === 'float' ? `${type.kind}${type.bits}` : type
}

/** The same with prototypes, for a comparison with literals. */
function plain(json: Json | undefined): unknown {
  return isJsonObject(json) ? Object.fromEntries(Object.entries(json).map(([k, v]) => [k, plain(v)])) : json
}

/** Text of one NUL is the same as text of none. */
function spelled(json: Json | undefined): Json | undefined {
  return json === 'AA==' ? '' : json
}

function bare(json: Json): unknown {
  return typeof json === 'object' && json !== null && 'value' in json ? json.value : json
}

function object(json: Json | undefined): JsonObject {
  assert.ok(isJsonObject(json))
  return json
}
