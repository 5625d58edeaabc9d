// What the server and its threads send to each other. A codec pipeline is sent to a thread once and named by a number from then on, so that a thread
// prepares it once, not for each chunk (`npm run bench views`).
import type { ByteRange } from '../../bytes/byte-range.ts'
import { Coding } from '../../compose/coding.ts'
import type { ErrorCode, ErrorContext } from '../../errors.ts'
import { Float, isJsonObject, type Json, type JsonObject } from '../../json/json.ts'
import type { StoredCodec } from '../../model/encoding.ts'
import type { RecodeTask } from '../delivery.ts'

/** What a thread is sent. */
export type ToThread = ({ readonly kind: 'task' } & TaskMessage) | ReadAnswer

/** What a thread sends: ranges of the source that it needs, and in the end what came of its task and how long it has worked by then, at all its tasks. */
export type FromThread =
  | (Outcome & { readonly workedMs: number })
  | { readonly kind: 'read'; readonly id: number; readonly range: ByteRange }

/** The bytes of a range, or why there are none. */
export type ReadAnswer =
  | { readonly kind: 'bytes'; readonly id: number; readonly bytes: Uint8Array }
  | ({ readonly kind: 'unread'; readonly id: number } & Failure)

/** An error of ours that crosses to another thread. */
export interface Failure {
  readonly code: ErrorCode
  readonly message: string
  readonly context: ErrorContext
}

/** A task that names codings by their numbers, those that it wasn't told yet, and those that it may forget after. */
export interface TaskMessage {
  readonly task: RecodeTask<number>
  readonly define: readonly (Pick<Coding, 'encoding' | 'layout' | 'fillValue'> & { readonly number: number })[]
  readonly forget: readonly number[]
}

/** What came of a task. */
export type Outcome = { readonly kind: 'done'; readonly bytes: Uint8Array } | ({ readonly kind: 'failed' } & Failure)

/** Codings that a thread keeps: some kilobytes each. */
const MOST_KNOWN = 256

/** This side of one thread: what it was told. */
export class TaskSender {
  /** The coding that was used last is last. */
  readonly #known = new Map<Coding, number>()
  #next = 0

  /** Stored bytes are copied: they may be a view on memory that others read too. */
  pack(task: RecodeTask): { readonly message: TaskMessage; readonly transfer: ArrayBuffer[] } {
    const define: TaskMessage['define'][number][] = []
    const transfer: ArrayBuffer[] = []
    const copy = (bytes: Uint8Array) => {
      const copied = new Uint8Array(bytes)
      transfer.push(copied.buffer)
      return copied
    }
    const numbered = withCodings(task, (coding) => {
      const known = this.#known.get(coding)
      const number = known ?? this.#next++
      if (known === undefined) define.push({ number, ...plainCoding(coding) })
      this.#known.delete(coding)
      this.#known.set(coding, number)
      return number
    })
    const message = { task: withStored(numbered, copy), define, forget: this.#forget() }
    return { message, transfer }
  }

  #forget(): number[] {
    const forgotten = [...this.#known].slice(0, Math.max(this.#known.size - MOST_KNOWN, 0))
    for (const [coding] of forgotten) this.#known.delete(coding)
    return forgotten.map(([, number]) => number)
  }
}

/** The other side, in the thread. */
export class TaskReceiver {
  readonly #codings = new Map<number, Coding>()

  unpack({ task, define, forget }: TaskMessage): RecodeTask {
    for (const { number, ...coding } of define) this.#codings.set(number, new Coding(coding))
    const named = withCodings(task, (number) => {
      const coding = this.#codings.get(number)
      if (coding === undefined) throw new TypeError(`coding ${number} was never told`)
      return coding
    })
    for (const number of forget) this.#codings.delete(number)
    return named
  }
}

function withCodings<From, To>(task: RecodeTask<From>, change: (coding: From) => To): RecodeTask<To> {
  if (task.kind === 'peel') return { ...task, coding: change(task.coding) }
  const chunks = task.chunks.map((chunk) => ({ ...chunk, coding: change(chunk.coding) }))
  return { ...task, chunks, target: change(task.target) }
}

function withStored<Name>(task: RecodeTask<Name>, change: (bytes: Uint8Array) => Uint8Array): RecodeTask<Name> {
  if (task.kind === 'peel') return { ...task, stored: change(task.stored) }
  return { ...task, chunks: task.chunks.map((chunk) => ({ ...chunk, stored: change(chunk.stored) })) }
}

/** Cloning would lose what a `Float` is; to a codec it is the number that it holds. */
function plainCoding({ encoding, layout, fillValue }: Coding) {
  const plain = ({ name, configuration }: StoredCodec) => ({ name, configuration: withoutFloats(configuration) })
  return { encoding: encoding.map(plain), layout, fillValue }
}

function withoutFloats(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, withoutFloat(value)]))
}

function withoutFloat(value: Json): Json {
  if (value instanceof Float) return value.value
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutFloat)
  return isJsonObject(value) ? withoutFloats(value) : value
}
