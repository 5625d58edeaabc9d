import type { Json } from '../json/json.ts'
import type { Diagnostic } from '../model/virtual-store.ts'
import { attributesDocument } from '../zarr/attributes.ts'
import { type ArrayDocument, arrayDocument, type GroupDocument, groupDocument } from '../zarr/metadata.ts'
import type { ArrayNode, GroupNode } from './open-store.ts'

/** Told of what can't be written as it is: once, where documents are written. */
interface Telling {
  readonly path: string
  warn(diagnostic: Diagnostic): void
}

const SILENT: Telling = { path: '', warn: () => undefined }

/** What the document of an array says. Documents are kept as bytes; whoever wants more than these has it made again. */
export function describeArray(
  { array, plan, missing }: Pick<ArrayNode, 'array' | 'plan' | 'missing'>,
  telling = SILENT,
): ArrayDocument {
  return arrayDocument({ array, codecs: plan.codecs, output: missing, ...telling })
}

/** The same as clients are told it: their codecs may make other values of those that are delivered. */
export function describeServed(node: Pick<ArrayNode, 'array' | 'plan' | 'missing'>, telling = SILENT): ArrayDocument {
  const { told } = node.array
  if (told === undefined) return describeArray(node, telling)
  const plan = { ...node.plan, codecs: [...told.codecs, ...node.plan.codecs] }
  return describeArray({ ...node, array: { ...node.array, ...told }, plan }, telling)
}

/** What the document of a group says of itself. */
export function describeGroup(
  { attributes, skipped, truncated }: Pick<GroupNode, 'attributes' | 'skipped' | 'truncated'>,
  telling = SILENT,
): GroupDocument {
  const document = attributesDocument(attributes, telling)
  if (skipped.size === 0 && truncated.length === 0) return groupDocument(document)
  const listed: Record<string, string> = Object.create(null)
  for (const [path, reason] of skipped) listed[path] = reason
  const all: Record<string, Json> = Object.assign(Object.create(null), document)
  all['virtual_zarr'] = {
    ...(skipped.size === 0 ? {} : { skipped: listed }),
    ...(truncated.length === 0 ? {} : { truncated_source: truncated }),
  }
  return groupDocument(all)
}
