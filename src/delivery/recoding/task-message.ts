import type { ErrorCode, ErrorContext } from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { parseJson } from '../../json/parse.ts'
import { writeJson } from '../../json/write.ts'
import type { StoredCodec } from '../../model/encoding.ts'
import type { RecodeTask } from '../delivery.ts'

/** A task as it crosses to a worker: codecs as JSON text, since structured cloning would lose what `Float` is. */
export interface PackedTask {
  readonly task: RecodeTask
  readonly codecs: readonly string[]
}

/** What a worker answers. */
export type Outcome =
  | { readonly kind: 'done'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string; readonly context: ErrorContext }

/** Stored bytes are copied: they may be a view on memory that others read too. */
export function packTask(task: RecodeTask): { readonly packed: PackedTask; readonly transfer: ArrayBuffer[] } {
  if (task.kind === 'peel') {
    const stored = new Uint8Array(task.stored)
    const packed = { task: { ...task, stored, codecs: [] }, codecs: [textOf(task.codecs)] }
    return { packed, transfer: [stored.buffer] }
  }
  const pieces = task.pieces.map((piece) => ({ ...piece, stored: new Uint8Array(piece.stored), encoding: [] }))
  const codecs = [textOf(task.target), ...task.pieces.map((piece) => textOf(piece.encoding))]
  return {
    packed: { task: { ...task, pieces, target: [] }, codecs },
    transfer: pieces.map((piece) => piece.stored.buffer),
  }
}

/** The inverse, in the worker. */
export function unpackTask({ task, codecs }: PackedTask): RecodeTask {
  const [first = [], ...others] = codecs.map(codecsOf)
  if (task.kind === 'peel') return { ...task, codecs: first }
  const pieces = task.pieces.map((piece, place) => ({ ...piece, encoding: others[place] ?? [] }))
  return { ...task, pieces, target: first }
}

function textOf(codecs: readonly StoredCodec[]): string {
  return writeJson(codecs.map(({ name, configuration }) => ({ name, configuration })))
}

function codecsOf(text: string): StoredCodec[] {
  const json = parseJson(text)
  return (Array.isArray(json) ? json : []).map((item) => ({
    name: String(item['name']),
    configuration: isJsonObject(item['configuration']) ? item['configuration'] : {},
  }))
}
