import { overLimit } from '../../errors.ts'
import { writeJson } from '../../json/write.ts'
import { elementCount } from '../../model/shape.ts'
import { turn } from '../../turns.ts'
import { inlinedBytes } from '../../views/inline.ts'
import type { GroupNode } from '../open-store.ts'
import type { StoreDescription } from '../store-service.ts'
import { type ArrayExport, withArrayExport } from './array.ts'
import { loadIndexes } from './load-indexes.ts'
import { InlineRoom } from './made.ts'
import { aboutExport, groupAttributes, type LeftOut, leaveOut, refuseIfNothingIsExported } from './plan.ts'
import { ExportProgress } from './progress.ts'
import { type ExportedReference, ReferenceExporter } from './references.ts'

/** Most references one document may hold: its text is made in memory. */
const MOST_REFERENCES = 2_000_000
/** References to one piece of text, at least. */
const JOINED = 1000

/** What one reference takes in memory until its text is written and sent. */
const REFERENCE_BYTES = 256

/** What making the document of a store takes in memory, about. */
export function exportedBytes({ store }: StoreDescription): number {
  let count = 0
  let inlined = 0
  for (const node of store.nodes.values()) {
    if (node.kind !== 'array') continue
    count += elementCount(node.grid)
    if (node.array.isInlined === true) inlined += inlinedBytes(node.array)
  }
  // Values, and their text.
  return Math.min(count, MOST_REFERENCES) * REFERENCE_BYTES + inlined * 3
}

/** A document of references, in pieces of text. */
export interface ExportedDocument {
  readonly pieces: readonly string[]
  /** Arrays that no references can describe, with the reason; also written into the document. */
  readonly notExported: Readonly<LeftOut>
}

/** The store as a Kerchunk document (version 1), with metadata of Zarr v2: what its readers know. */
export async function exportKerchunk(
  description: StoreDescription,
  progress: ExportProgress = new ExportProgress(description),
): Promise<ExportedDocument> {
  const tools = { references: new ReferenceExporter(description), room: new InlineRoom(), progress }
  const left = progress.leftOut
  const pieces: string[] = []
  let count = 0
  await loadIndexes(description.store)
  for (const [path, node] of description.store.nodes) {
    const wait = turn()
    if (wait !== undefined) await wait
    const prefix = path === '' ? '' : `${path}/`
    if (node.kind === 'skipped') left[path] = node.skipped.reason
    if (node.kind === 'group') pieces.push(...groupMembers(node, prefix))
    if (node.kind !== 'array') continue
    try {
      const members = await withArrayExport(
        node,
        tools,
        async (array) => await arrayMembers(array, prefix, MOST_REFERENCES - count),
      )
      count += members.count
      pieces.push(...members.pieces)
    } catch (error) {
      leaveOut(left, path, error, description)
    }
  }
  refuseIfNothingIsExported(description, left)
  const about = Object.keys(left).length === 0 ? '' : `,"metadata":${writeJson(aboutExport(left))}`
  return { pieces: ['{"version":1,"refs":{', ...joined(pieces), `}${about}}`], notExported: left }
}

function* joined(pieces: readonly string[]): Generator<string> {
  for (const [index, piece] of pieces.entries()) yield index === 0 ? piece : `,${piece}`
}

function groupMembers(group: GroupNode, prefix: string): string[] {
  return [
    member(`${prefix}.zgroup`, writeJson({ zarr_format: 2 })),
    member(`${prefix}.zattrs`, writeJson(groupAttributes(group))),
  ]
}

interface Members {
  readonly pieces: readonly string[]
  readonly count: number
}

async function arrayMembers(array: ArrayExport, prefix: string, most: number): Promise<Members> {
  const total = elementCount(array.gridShape)
  if (total > most) throw overLimit(`the store has more than ${MOST_REFERENCES} chunks, too many for one document`)
  const pieces: string[] = []
  const batch: string[] = []
  const name = writeJson(prefix).slice(0, -1)
  let count = 0
  for await (const references of array.references(0, total)) {
    for (const { coords, reference } of references) {
      if (reference === undefined) continue
      batch.push(`${name}${coords.join('.') || '0'}":${referenceText(reference)}`)
      count++
    }
    if (batch.length >= JOINED) pieces.push(batch.splice(0).join(','))
  }
  if (batch.length > 0) pieces.push(batch.join(','))
  const { zarray, zattrs } = array.documents()
  const documents = [member(`${prefix}.zarray`, writeJson(zarray)), member(`${prefix}.zattrs`, writeJson(zattrs))]
  return { pieces: [...documents, ...pieces], count }
}

function member(key: string, text: string): string {
  return `${writeJson(key)}:${writeJson(text)}`
}

function referenceText(reference: ExportedReference): string {
  switch (reference.kind) {
    case 'inline':
      return `"base64:${Buffer.from(reference.bytes).toString('base64')}"`
    case 'range':
      return `[${writeJson(reference.url)},${reference.offset},${reference.length}]`
    case 'object':
      return `[${writeJson(reference.url)}]`
  }
}
