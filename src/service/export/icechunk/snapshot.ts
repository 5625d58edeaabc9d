// `snapshot.fbs` of Icechunk's specification.
import type { Json } from '../../../json/json.ts'
import { writeJson } from '../../../json/write.ts'
import { FILE_ID_BYTES, idOf, NODE_ID_BYTES } from './files.ts'
import { FlatLayout, FlatWriter } from './flat-writer.ts'
import type { Slab } from './slabs.ts'

/** A manifest that was written, and the part of its array's grid that it has. */
export interface WrittenManifest extends Pick<Slab, 'extents'> {
  readonly id: Uint8Array
  readonly bytes: number
  readonly refs: number
}

/** A group, or an array with its manifests. */
export interface WrittenNode {
  /** From the root, without a slash before it. */
  readonly path: string
  /** Its `zarr.json`. */
  readonly document: Json
  readonly array?: {
    readonly shape: readonly number[]
    readonly chunkShape: readonly number[]
    readonly dimensionNames: readonly (string | null)[]
    readonly manifests: readonly WrittenManifest[]
  }
}

const SNAPSHOT = new FlatLayout([FILE_ID_BYTES, 0, 4, 8, 4, 4, 4])
const NODE = new FlatLayout([NODE_ID_BYTES, 4, 4, 1, 4])
const ARRAY = new FlatLayout([4, 4, 4])
const GROUP = new FlatLayout([])
const NAME = new FlatLayout([4])
const NO_NAME = new FlatLayout([0])
const MANIFEST_REF = new FlatLayout([FILE_ID_BYTES, 4])
const [ARRAY_TYPE, GROUP_TYPE] = [1, 2]
/** `DimensionShape`: two lengths; `ChunkIndexRange`: two numbers; `ManifestFileInfo`: an id, a length at 16, a count at 24. */
const SHAPE_BYTES = 16
const RANGE_BYTES = 8
const FILE_INFO_BYTES = 32

/** The id of a node, of its path. */
export function nodeIdOf(path: string): Uint8Array {
  return idOf(`/${path}`, NODE_ID_BYTES)
}

/** One snapshot without a parent; its id is made of all it says but the time. */
export function snapshotOf(nodes: readonly WrittenNode[], message: string, flushedAt: Date) {
  const writer = new FlatWriter('Ichk')
  const root = writer.table(SNAPSHOT)
  const at = (slot: number) => root + (SNAPSHOT.places[slot] ?? 0)
  const sorted = nodes.toSorted((one, other) =>
    Buffer.compare(Buffer.from(`/${one.path}`), Buffer.from(`/${other.path}`)),
  )
  const list = writer.vector(at(2), sorted.length, 4)
  for (const [index, node] of sorted.entries()) putNode(writer, list + index * 4, node)
  writer.blob(at(4), Buffer.from(message))
  writer.vector(at(5), 0, 4)
  putFiles(writer, at(6), sorted)
  const content = writer.finished()
  const id = idOf(content, FILE_ID_BYTES)
  content.set(id, at(0))
  writer.u64(at(3), flushedAt.getTime() * 1000)
  return { id, content }
}

function putNode(writer: FlatWriter, from: number, { path, document, array }: WrittenNode): void {
  const table = writer.table(NODE)
  const at = (slot: number) => table + (NODE.places[slot] ?? 0)
  writer.link(from, table)
  writer.bytes(at(0), nodeIdOf(path))
  writer.blob(at(1), Buffer.from(`/${path}`))
  writer.blob(at(2), Buffer.from(writeJson(document)))
  writer.u8(at(3), array === undefined ? GROUP_TYPE : ARRAY_TYPE)
  const data = writer.table(array === undefined ? GROUP : ARRAY)
  writer.link(at(4), data)
  if (array !== undefined) putArray(writer, data, array)
}

function putArray(writer: FlatWriter, table: number, array: NonNullable<WrittenNode['array']>): void {
  const at = (slot: number) => table + (ARRAY.places[slot] ?? 0)
  const shape = writer.vector(at(0), array.shape.length, SHAPE_BYTES, 8)
  for (const [axis, length] of array.shape.entries()) {
    writer.u64(shape + axis * SHAPE_BYTES, length)
    writer.u64(shape + axis * SHAPE_BYTES + 8, array.chunkShape[axis] ?? 1)
  }
  const names = writer.vector(at(1), array.shape.length, 4)
  for (const axis of array.shape.keys()) {
    const name = array.dimensionNames[axis] ?? undefined
    const named = writer.table(name === undefined ? NO_NAME : NAME)
    writer.link(names + axis * 4, named)
    if (name !== undefined) writer.blob(named + (NAME.places[0] ?? 0), Buffer.from(name))
  }
  const manifests = writer.vector(at(2), array.manifests.length, 4)
  for (const [index, { id, extents }] of array.manifests.entries()) {
    const ref = writer.table(MANIFEST_REF)
    writer.link(manifests + index * 4, ref)
    writer.bytes(ref + (MANIFEST_REF.places[0] ?? 0), id)
    const ranges = writer.vector(ref + (MANIFEST_REF.places[1] ?? 0), extents.length, RANGE_BYTES)
    for (const [axis, [first, end]] of extents.entries()) {
      writer.u32(ranges + axis * RANGE_BYTES, first)
      writer.u32(ranges + axis * RANGE_BYTES + 4, end)
    }
  }
}

/** All manifests of the snapshot, in the order of their ids. */
function putFiles(writer: FlatWriter, from: number, nodes: readonly WrittenNode[]): void {
  const byId = new Map<string, WrittenManifest>()
  for (const { array } of nodes) {
    for (const one of array?.manifests ?? []) byId.set(Buffer.from(one.id).toString('hex'), one)
  }
  const files = [...byId].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, manifest]) => manifest)
  const start = writer.vector(from, files.length, FILE_INFO_BYTES, 8)
  for (const [index, { id, bytes, refs }] of files.entries()) {
    const at = start + index * FILE_INFO_BYTES
    writer.bytes(at, id)
    writer.u64(at + 16, bytes)
    writer.u32(at + 24, refs)
  }
}
