import type { ErrorCode, ErrorContext } from '../../errors.ts'
import { Float, isJsonObject, type Json, type JsonObject } from '../../json/json.ts'
import type { StoredCodec } from '../../model/encoding.ts'
import type { RecodeTask } from '../delivery.ts'

/** What a worker answers. */
export type Outcome =
  | { readonly kind: 'done'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string; readonly context: ErrorContext }

/** A task that can cross to a worker. Stored bytes are copied: they may be a view on memory that others read too. */
export function packTask(task: RecodeTask): { readonly packed: RecodeTask; readonly transfer: ArrayBuffer[] } {
  if (task.kind === 'peel') {
    const stored = new Uint8Array(task.stored)
    return { packed: { ...task, stored, codecs: cloneable(task.codecs) }, transfer: [stored.buffer] }
  }
  const pieces = task.pieces.map((piece) => {
    return { ...piece, stored: new Uint8Array(piece.stored), encoding: cloneable(piece.encoding) }
  })
  const transfer = pieces.map(({ stored }) => stored.buffer)
  return { packed: { ...task, pieces, target: cloneable(task.target) }, transfer }
}

/** Cloning would lose what a `Float` is; to a codec it is the number that it holds. */
function cloneable(codecs: readonly StoredCodec[]): StoredCodec[] {
  return codecs.map(({ name, configuration }) => ({ name, configuration: members(configuration) }))
}

function members(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, plain(value)]))
}

function plain(value: Json): Json {
  if (value instanceof Float) return value.value
  if (Array.isArray(value)) return (value as readonly Json[]).map(plain)
  return isJsonObject(value) ? members(value) : value
}
