// Icechunk's specification, "Chunk Manifest Files"; the numbers of fields are those of `manifest.fbs`.
import { GrowingBytes } from '../../bytes/growing.ts'
import { type ErrorContext, malformed } from '../../errors.ts'
import { ChunkRows, type ChunkTable } from '../../model/chunk-table.ts'
import { elementCount } from '../../model/shape.ts'
import { MOST_TEXT_BYTES, TextTable } from '../../model/text-table.ts'
import { turn } from '../../turns.ts'
import type { FlatBuffer, FlatVector } from './flat-buffer.ts'
import { FILE_ID_BYTES, idText, NODE_ID_BYTES } from './object-id.ts'

const MANIFEST = { arrays: 1, dictionary: 2 } as const
const ARRAY = { nodeId: 0, refs: 1 } as const
const REF = {
  index: 0,
  inline: 1,
  offset: 2,
  length: 3,
  chunkId: 4,
  location: 5,
  etag: 6,
  lastModified: 7,
  compressedLocation: 8,
} as const
/** What the smallest reference takes: an offset, a table, its coordinates. */
const LEAST_REF_BYTES = 16
/** References between two looks at the clock. */
const REFS_AT_ONCE = 4096

/** What the column `target` says of a reference; from `FIRST_LOCATION` on it is the number of a location. */
const NATIVE = 0
export const INLINE = 1
export const BROKEN = 2
export const FIRST_LOCATION = 3

/** Why a reference leads nowhere: the column `offset` of one that is broken. */
export const BREAKAGES = [
  'names neither a chunk of the repository nor a location, and holds no bytes',
  'names a position beyond 2^53',
  'names a location of too many bytes',
] as const

/** The references of one array in one manifest. */
export type RefTable = ChunkTable<'target' | 'offset' | 'length' | 'id0' | 'id1' | 'id2'>

/** The references of a manifest, some bytes each, and what they share. */
export interface ManifestContent {
  readonly arrays: ReadonlyMap<string, RefTable>
  readonly inline: Uint8Array
  /** Locations as `locations.ts` reads them. */
  readonly locations: TextTable
  /** What compressed locations are decompressed with. */
  readonly dictionary: Uint8Array | undefined
  readonly weight: number
}

/** A manifest under way. */
interface Collecting {
  readonly content: FlatBuffer
  readonly inline: GrowingBytes
  readonly locations: TextTable
  readonly place: ErrorContext
  refs: number
}

/** Reads the references of arrays whose grids are known. */
export async function refsOfManifest(
  content: FlatBuffer,
  grids: ReadonlyMap<string, readonly number[]>,
  place: ErrorContext,
): Promise<ManifestContent> {
  const root = content.root()
  const collecting: Collecting = { content, inline: new GrowingBytes(), locations: new TextTable(), place, refs: 0 }
  const arrays = new Map<string, RefTable>()
  for (const table of content.tables(content.required(root, MANIFEST.arrays, 'list of arrays'))) {
    const nodeId = idText(content.struct(content.required(table, ARRAY.nodeId, 'id of a node'), NODE_ID_BYTES))
    const grid = grids.get(nodeId)
    const refs = content.vector(content.required(table, ARRAY.refs, 'list of references'), 4)
    if (grid !== undefined) arrays.set(nodeId, await tableOf(refs, grid, collecting))
  }
  collecting.locations.freeze()
  const { locations } = collecting
  const inline = collecting.inline.finished()
  // Not a view: it would hold all of the content.
  const dictionary = content.bytesOf(content.field(root, MANIFEST.dictionary))?.slice()
  const tablesWeight = [...arrays.values()].reduce((sum, { weight }) => sum + weight + 500, 0)
  const weight = tablesWeight + inline.length + locations.weight() + (dictionary?.length ?? 0) + 500
  return { arrays, inline, locations, dictionary, weight }
}

async function tableOf(refs: FlatVector, grid: readonly number[], collecting: Collecting): Promise<RefTable> {
  const { content, place } = collecting
  const rows = new ChunkRows('target', 'offset', 'length', 'id0', 'id1', 'id2')
  // Nobody's lists overlap: what they hold together is less than the file.
  collecting.refs += refs.count
  if (collecting.refs * LEAST_REF_BYTES > content.bytes.length) {
    throw malformed(`${collecting.refs} references are said to be in ${content.bytes.length} bytes`, place)
  }
  for (let index = 0; index < refs.count; index++) {
    const wait = index % REFS_AT_ONCE === 0 ? turn() : undefined
    if (wait !== undefined) await wait
    addRef(content.follow(refs.start + index * 4), grid, rows, collecting)
  }
  return rows.table(elementCount(grid))
}

type RefRows = ChunkRows<'target' | 'offset' | 'length' | 'id0' | 'id1' | 'id2'>

/** Adds a reference, in the order in which Icechunk's own reader looks at its fields. */
function addRef(table: number, grid: readonly number[], rows: RefRows, collecting: Collecting): void {
  const { content, locations } = collecting
  const position = positionOf(table, grid, content)
  if (position === undefined) return
  const chunkId = content.field(table, REF.chunkId)
  const offset = numberAt(content, content.field(table, REF.offset))
  const length = numberAt(content, content.field(table, REF.length))
  const location = chunkId === 0 ? locationBytes(table, content) : undefined
  if (!Number.isSafeInteger(offset + length)) push(rows, position, BROKEN, 1, 0)
  else if (chunkId !== 0) push(rows, position, NATIVE, offset, length, content.struct(chunkId, FILE_ID_BYTES))
  else if (location === undefined) addInline(table, position, rows, collecting)
  else if (location.length > MOST_TEXT_BYTES) push(rows, position, BROKEN, 2, 0)
  else push(rows, position, FIRST_LOCATION + locations.add(location), offset, length)
}

function addInline(table: number, position: number, rows: RefRows, { content, inline, place }: Collecting): void {
  const bytes = content.bytesOf(content.field(table, REF.inline))
  if (bytes === undefined) {
    push(rows, position, BROKEN, 0, 0)
    return
  }
  const start = inline.length
  if (start + bytes.length > content.bytes.length) throw malformed('inline chunks stand within each other', place)
  inline.push(bytes)
  push(rows, position, INLINE, start, bytes.length)
}

function push(
  { positions, columns }: RefRows,
  position: number,
  target: number,
  offset: number,
  length: number,
  id?: Uint8Array,
): void {
  const words = id === undefined ? undefined : new DataView(id.buffer, id.byteOffset, FILE_ID_BYTES)
  positions.push(position)
  columns.target.push(target)
  columns.offset.push(offset)
  columns.length.push(length)
  columns.id0.push(words?.getUint32(0) ?? 0)
  columns.id1.push(words?.getUint32(4) ?? 0)
  columns.id2.push(words?.getUint32(8) ?? 0)
}

/** The id of a native chunk, as the name of its file. */
export function chunkIdAt({ columns: { id0, id1, id2 } }: RefTable, place: number): string {
  const id = Buffer.alloc(FILE_ID_BYTES)
  id.writeUInt32BE(id0[place] ?? 0, 0)
  id.writeUInt32BE(id1[place] ?? 0, 4)
  id.writeUInt32BE(id2[place] ?? 0, 8)
  return idText(id)
}

/** The position in the grid; undefined outside of it, where an array was made smaller. */
function positionOf(table: number, grid: readonly number[], content: FlatBuffer): number | undefined {
  const { start, count } = content.vector(content.required(table, REF.index, 'coordinates'), 4)
  if (count !== grid.length) throw content.fail(`a reference has ${count} coordinates, expected ${grid.length}`, table)
  let position = 0
  for (let axis = 0; axis < count; axis++) {
    const length = grid[axis] ?? 0
    const coordinate = content.u32(start + axis * 4)
    if (coordinate >= length) return undefined
    position = position * length + coordinate
  }
  return position
}

function numberAt(content: FlatBuffer, field: number): number {
  return field === 0 ? 0 : content.u64(field)
}

/** What names the file of a virtual chunk, in one version: how it is spelled, the date, the tag, the location. */
function locationBytes(table: number, content: FlatBuffer): Uint8Array | undefined {
  const compressed = content.bytesOf(content.field(table, REF.compressedLocation))
  const location = compressed ?? content.bytesOf(content.field(table, REF.location))
  if (location === undefined) return undefined
  const etag = content.bytesOf(content.field(table, REF.etag)) ?? new Uint8Array(0)
  const modified = content.field(table, REF.lastModified)
  const head = Buffer.alloc(LOCATION_HEAD)
  head.writeUInt8(compressed === undefined ? 0 : 1, 0)
  head.writeUInt32LE(modified === 0 ? 0 : content.u32(modified), 1)
  head.writeUInt16LE(Math.min(etag.length, 0xffff), 5)
  return Buffer.concat([head, etag, location])
}

const LOCATION_HEAD = 7

/** The parts of what `locationBytes` made. */
export function partsOfLocation(bytes: Uint8Array) {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = LOCATION_HEAD + head.readUInt16LE(5)
  return {
    isCompressed: head.readUInt8(0) === 1,
    lastModified: head.readUInt32LE(1),
    etag: head.subarray(LOCATION_HEAD, end),
    location: head.subarray(end),
  }
}
