import * as zarrita from 'zarrita'
import type { Json, JsonObject } from '../../src/json/json.ts'
import { elementCount } from '../../src/model/shape.ts'
import { list, member } from './golden.ts'
import type { Values } from './values.ts'

const TYPES = /^(bool|string|u?int(8|16|32|64)|float(16|32|64))$/
/** Why zarrita 0.7 cannot read an array (CL-2). */
export function zarritaLimit(document: JsonObject): string | undefined {
  const dataType = document['data_type']
  if (typeof dataType !== 'string' || !TYPES.test(dataType)) return `no data type ${JSON.stringify(dataType)}`
  // Codecs are looked up when the first chunk is decoded.
  if (elementCount(list(document['shape']).map(Number)) === 0) return undefined
  const codecs = list(document['codecs'])
  const shard = codecs.find((codec) => member(codec, 'name') === 'sharding_indexed')
  if (shard === undefined) return unknownCodec(codecs)
  if (codecs.length > 1) return 'no codecs around a shard'
  const inner = member(shard, 'configuration')
  return unknownCodec([...list(member(inner, 'codecs')), ...list(member(inner, 'index_codecs'))])
}

function unknownCodec(codecs: readonly Json[]): string | undefined {
  const name = codecs
    .map((codec) => String(member(codec, 'name')))
    .find((codec) => !zarrita.registry.has(codec as never))
  return name === undefined ? undefined : `no codec ${name}`
}

export interface ZarritaArray {
  readonly values: Values
  readonly shape: readonly number[]
  readonly dimensionNames: readonly string[] | undefined
}

/** Opens and reads one array as a browser's map would, by consolidated metadata or by the array's own document. */
export async function readZarrita(storeUrl: string, path: string, consolidated: boolean): Promise<ZarritaArray> {
  return await readZarritaArray(await openZarrita(new zarrita.FetchStore(storeUrl), consolidated), path)
}

export async function openZarrita(store: zarrita.AsyncReadable, consolidated: boolean): Promise<zarrita.AsyncReadable> {
  return consolidated ? await zarrita.withConsolidatedMetadata(store, { format: 'v3' }) : store
}

export async function readZarritaArray(store: zarrita.AsyncReadable, path: string): Promise<ZarritaArray> {
  const location = zarrita.root(store).resolve(path.split('/').map(encodeURIComponent).join('/'))
  const array = await zarrita.open.v3(location, { kind: 'array' })
  return { values: await readAll(array), shape: array.shape, dimensionNames: array.dimensionNames }
}

async function readAll(array: zarrita.Array<zarrita.DataType>): Promise<Values> {
  if (array.shape.length === 0) return canonical((await array.getChunk([])).data, [], [])
  if (elementCount(array.shape) === 0) {
    return array.dtype === 'string' ? { kind: 'text', values: [] } : { kind: 'fixed', bytes: new Uint8Array(0) }
  }
  const { data, shape, stride } = await zarrita.get(array)
  return canonical(data, shape, stride)
}

/** In C order, whatever order zarrita chose (it keeps the order of a transpose codec). */
function canonical(
  data: zarrita.TypedArray<zarrita.DataType>,
  shape: readonly number[],
  stride: readonly number[],
): Values {
  if (Array.isArray(data)) {
    return { kind: 'text', values: positionsInCOrder(shape, stride).map((position) => String(data[position])) }
  }
  const size = data.BYTES_PER_ELEMENT
  const source = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.length * size)
  if (isCOrder(shape, stride)) return { kind: 'fixed', bytes: source.subarray(0, elementCount(shape) * size) }
  const positions = positionsInCOrder(shape, stride)
  const bytes = new Uint8Array(positions.length * size)
  for (const [index, position] of positions.entries()) {
    for (let offset = 0; offset < size; offset++) bytes[index * size + offset] = source[position * size + offset] ?? 0
  }
  return { kind: 'fixed', bytes }
}

function isCOrder(shape: readonly number[], stride: readonly number[]): boolean {
  return shape.every((length, axis) => length === 1 || stride[axis] === elementCount(shape.slice(axis + 1)))
}

function positionsInCOrder(shape: readonly number[], stride: readonly number[]): number[] {
  let positions = [0]
  for (const [axis, length] of shape.entries()) {
    const step = stride[axis] ?? 1
    positions = positions.flatMap((position) => Array.from({ length }, (_, index) => position + index * step))
  }
  return positions
}
