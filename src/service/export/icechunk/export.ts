import { writeJson } from '../../../json/write.ts'
import { describeArray } from '../../describe.ts'
import type { ArrayNode } from '../../open-store.ts'
import type { StoreDescription } from '../../store-service.ts'
import { type ExportTools, placedReferences, withExportedArray } from '../array.ts'
import { loadIndexes } from '../load-indexes.ts'
import { InlineRoom } from '../made.ts'
import type { SetFile } from '../parquet.ts'
import { aboutExport, groupAttributes, type LeftOut, leaveOut, refuseIfNothingIsExported } from '../plan.ts'
import { ExportProgress } from '../progress.ts'
import { type ExportedArray, type ExportedReference, ReferenceExporter } from '../references.ts'
import { Containers } from './configuration.ts'
import { FILE_ID_BYTES, idOf, idText, metadataFile } from './files.ts'
import { manifestOf, type WrittenChunk, type WrittenRef } from './manifest.ts'
import { type Slab, slabsOf } from './slabs.ts'
import { nodeIdOf, snapshotOf, type WrittenManifest, type WrittenNode } from './snapshot.ts'

/** References of one manifest: a reader reads it whole to find one of them. */
const MOST_REFS = 50_000
/** As Icechunk has it: longer chunks are files of the repository. */
const MOST_INLINE_BYTES = 512
/** Files that are held back, so that what can't be exported is refused before the first of them. */
const HELD_BYTES = 16 * 2 ** 20

/**
 * The store as a repository of Icechunk (format 1) with one snapshot on its branch `main`, file by file. Chunks are virtual: ranges of
 * the source in the version that was read, so that readers notice another one. The branch comes last: it makes the rest a repository.
 */
export async function* exportIcechunk(
  description: StoreDescription,
  progress: ExportProgress = new ExportProgress(description),
): AsyncGenerator<SetFile> {
  const held: SetFile[] = []
  let bytes = 0
  for await (const file of filesOf(description, progress)) {
    bytes += file[1].length
    if (bytes <= HELD_BYTES) held.push(file)
    else {
      yield* held.splice(0)
      yield file
    }
  }
  yield* held
}

async function* filesOf(description: StoreDescription, progress: ExportProgress): AsyncGenerator<SetFile> {
  const references = new ReferenceExporter(description, 'icechunk')
  const room = new InlineRoom()
  const tools: Tools = { references, room, progress, containers: new Containers(), native: new Set() }
  const nodes: WrittenNode[] = []
  const left = progress.leftOut
  await loadIndexes(description.store)
  for (const [path, node] of description.store.nodes) {
    if (node.kind === 'skipped') left[path] = node.skipped.reason
    if (node.kind === 'group')
      nodes.push({ path, document: { zarr_format: 3, node_type: 'group', attributes: groupAttributes(node) } })
    if (node.kind !== 'array') continue
    try {
      nodes.push(yield* arrayFiles(node, path, tools))
    } catch (error) {
      leaveOut(left, path, error, description)
    }
  }
  refuseIfNothingIsExported(description, left)
  yield ['config.yaml', Buffer.from(tools.containers.configuration())]
  const message = `virtual references to ${description.parsed.publicUrl}, version ${description.parsed.version}`
  const { id, content } = snapshotOf(
    nodes.map((node) => withNote(node, left)),
    message,
    new Date(),
  )
  yield [`snapshots/${idText(id)}`, await metadataFile('snapshots', content)]
  yield ['refs/branch.main/ref.json', Buffer.from(writeJson({ snapshot: idText(id) }))]
}

/** The root says what is not in the repository. */
function withNote(node: WrittenNode, left: LeftOut): WrittenNode {
  if (node.path !== '' || node.array !== undefined || Object.keys(left).length === 0) return node
  const document = node.document as { readonly attributes: Record<string, never> }
  return { ...node, document: { ...document, attributes: { ...document.attributes, ...aboutExport(left) } } }
}

interface Tools extends ExportTools {
  readonly containers: Containers
  /** Ids of the chunk files that are written. */
  readonly native: Set<string>
}

/** The files of one array; the first of them shows most of what can't be exported. */
async function* arrayFiles(node: ArrayNode, path: string, tools: Tools): AsyncGenerator<SetFile, WrittenNode> {
  const { exported, first, slabs } = await withExportedArray(node, tools, async (array) => {
    const parts = slabsOf(array.gridShape, MOST_REFS)
    const start = parts.next().value ?? undefined
    return { exported: array, slabs: parts, first: start && (await manifestFiles(array, path, start, tools)) }
  })
  const manifests: WrittenManifest[] = []
  for (let made = first; made !== undefined; ) {
    yield* made.files
    if (made.manifest !== undefined) manifests.push(made.manifest)
    const next: Slab | undefined = slabs.next().value ?? undefined
    made = next && (await manifestFiles(exported, path, next, tools))
  }
  const { array, codecs } = exported
  const document = describeArray({ array, plan: { ...node.plan, codecs }, missing: node.missing })
  const { shape, chunkShape } = array
  return { path, document, array: { shape, chunkShape, dimensionNames: document.dimension_names, manifests } }
}

interface MadeManifest {
  readonly files: readonly SetFile[]
  /** Undefined where none of its chunks was ever written. */
  readonly manifest: WrittenManifest | undefined
}

async function manifestFiles(array: ExportedArray, path: string, slab: Slab, tools: Tools): Promise<MadeManifest> {
  const files: SetFile[] = []
  const refs: WrittenRef[] = []
  for await (const placed of placedReferences(array, slab.first, slab.end)) {
    for (const { coords, reference } of placed) {
      if (reference !== undefined) refs.push({ coords, chunk: chunkOf(reference, files, tools) })
    }
  }
  if (refs.length === 0) return { files, manifest: undefined }
  const { id, content } = manifestOf(nodeIdOf(path), refs)
  const file = await metadataFile('manifests', content)
  files.push([`manifests/${idText(id)}`, file])
  return { files, manifest: { id, bytes: file.length, refs: refs.length, extents: slab.extents } }
}

function chunkOf(reference: ExportedReference, files: SetFile[], { containers, native }: Tools): WrittenChunk {
  if (reference.kind === 'range') {
    const { url, offset, length, condition } = reference
    return { kind: 'virtual', location: containers.location(url), offset, length, condition }
  }
  if (reference.kind === 'object') throw new TypeError('a reference of an export for Icechunk has no length')
  const { bytes } = reference
  if (bytes.length <= MOST_INLINE_BYTES) return { kind: 'inline', bytes }
  const id = idOf(bytes, FILE_ID_BYTES)
  const name = idText(id)
  if (!native.has(name)) files.push([`chunks/${name}`, bytes])
  native.add(name)
  return { kind: 'native', id, length: bytes.length }
}
