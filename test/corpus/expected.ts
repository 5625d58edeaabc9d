import assert from 'node:assert/strict'
import { Float, isJsonObject, type Json, type JsonObject } from '../../src/json/json.ts'
import { itemSize } from '../../src/model/data-type.ts'
import { dataTypeOf } from '../helpers/data-type.ts'
import { type GoldenArray, member } from './golden.ts'
import { textOf, type Values } from './values.ts'

/** Where a golden path is served: names that break clients are replaced and kept in `virtual_zarr:name` (TREE-7). */
export function servedPath(documents: ReadonlyMap<string, JsonObject>, goldenPath: string): string {
  if (goldenPath === '') return ''
  let path = ''
  for (const name of goldenPath.split('/')) path = childPath(documents, path, name)
  return path
}

function childPath(documents: ReadonlyMap<string, JsonObject>, parent: string, name: string): string {
  const prefix = parent === '' ? '' : `${parent}/`
  if (documents.has(prefix + name)) return prefix + name
  for (const [path, document] of documents) {
    const isChild = path.startsWith(prefix) && path !== parent && !path.slice(prefix.length).includes('/')
    if (isChild && member(document['attributes'], 'virtual_zarr:name') === name) return path
  }
  return prefix + name
}

/** The golden attributes are a selection: each must be served, in the spelling of the requirements. */
export function assertAttributes(
  document: JsonObject,
  golden: GoldenArray,
  omit: readonly string[],
  what: string,
): void {
  const served = document['attributes']
  for (const [name, value] of Object.entries(golden.attributes)) {
    if (omit.includes(name)) continue
    assert.deepEqual(plain(member(served, name)), plain(expectedAttribute(name, value)), `${what}: attribute ${name}`)
  }
  for (const name of golden.attributesAbsent) {
    assert.equal(member(served, String(name)), undefined, `${what}: attribute ${String(name)} must be absent`)
  }
}

/** PACK-8: numeric text in scale_factor and add_offset becomes the number. */
function expectedAttribute(name: string, value: Json): Json {
  const isPacking = name === 'scale_factor' || name === 'add_offset'
  if (isPacking && typeof value === 'string') return plainNumber(Number(value))
  return value
}

function plainNumber(value: number): Json {
  return Number.isInteger(value) ? new Float(value) : value
}

/** Comparable: integers and floating-point numbers stay apart, objects lose their prototype. */
export function plain(json: Json | undefined): unknown {
  if (json instanceof Float) return { float: Object.is(json.value, -0) ? '-0' : json.value }
  if (Array.isArray(json)) return json.map((item: Json) => plain(item))
  if (isJsonObject(json)) return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, plain(value)]))
  return json
}

/** How `portable` spells what `native` holds (TREE-8 and CHUNK-6), as members of a group where it is a structure. */
export function portableValues(native: Values, golden: GoldenArray, portableShape: readonly number[]): Values {
  const type = dataTypeOf(golden.dataType)
  if (type.kind !== 'fixed-text' || native.kind !== 'fixed') return native
  const joined = portableShape.length < golden.shape.length ? (golden.shape.at(-1) ?? 1) : 1
  if (joined === 0) {
    const count = portableShape.reduce((product, length) => product * length, 1)
    return { kind: 'text', values: new Array<string>(count).fill('') }
  }
  const encoding = type.encoding === 'bytes' ? 'utf-8' : 'utf-32'
  return { kind: 'text', values: textOf(native.bytes, type.length * joined, encoding) }
}

/** The data type that `portable` gives a golden one; undefined where it becomes a group, or is not served. */
export function portableType(golden: GoldenArray): Json | undefined {
  const type = dataTypeOf(golden.dataType)
  switch (type.kind) {
    case 'fixed-text':
    case 'string':
      return 'string'
    case 'datetime':
    case 'timedelta':
      return 'int64'
    case 'bool':
    case 'int':
    case 'uint':
    case 'float':
    case 'complex':
      return golden.dataType
    case 'structured':
    case 'opaque':
    case 'bytes':
      return undefined
  }
}

/** The field arrays that a structured array becomes: each field's values out of the packed records. */
export function fieldValues(native: Values, golden: GoldenArray): { name: string; values: Values; type: Json }[] {
  const type = dataTypeOf(golden.dataType)
  const recordSize = itemSize(type)
  if (type.kind !== 'structured' || native.kind !== 'fixed' || recordSize === undefined) return []
  let offset = 0
  return type.fields.map((field) => {
    const size = itemSize(field.type) ?? 0
    const bytes = new Uint8Array((native.bytes.length / recordSize) * size)
    for (let index = 0; index * size < bytes.length; index++) {
      const start = index * recordSize + offset
      bytes.set(native.bytes.subarray(start, start + size), index * size)
    }
    offset += size
    return { name: field.name, values: { kind: 'fixed', bytes }, type: fieldType(field.type) }
  })
}

function fieldType(type: ReturnType<typeof dataTypeOf>): Json {
  return 'bits' in type ? `${type.kind}${type.bits}` : type.kind
}
