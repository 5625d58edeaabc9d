// Runs loops over bytes as WebAssembly with SIMD (wasm/*.ts): LZ4, shuffles and predictors are two to four times as fast as in JavaScript, JPEG five times
// (decision 24). `npm run bench decoders` shows each compression beside C.
import { overLimit, unsupported } from '../../../errors.ts'
import { lazily } from '../../../lazily.ts'

/** What of WebAssembly is used; neither Node's types nor those of ECMAScript have it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (module: object) => { readonly exports: object }
}

declare const WebAssembly: WebAssemblyApi

/** What modules of ours (wasm/*.ts) export besides their functions: a memory, and from where on it is the caller's. */
interface Ground {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  readonly room: { readonly value: number }
}

const PAGE = 65_536
/** Modules are built with this bound, too: input, output and what lies between. */
const MOST_BYTES = 2 ** 30
/** A memory that has grown beyond this is given back. */
const MOST_KEPT_BYTES = 2 ** 25

type Places<Lengths extends readonly number[]> = { readonly [Index in keyof Lengths]: number }

/**
 * A module of ours, compiled when it is first needed, with a memory of its own in each thread: that does not count as the thread's,
 * so it is bounded here.
 */
export class Kernel<Functions extends object> {
  readonly #compiled: () => object
  #idle: (Functions & Ground) | undefined

  constructor(wasm: string) {
    this.#compiled = lazily(() => compiled(wasm))
  }

  /**
   * Lends the module's functions and memory, with regions of these lengths in it, which hold anything. Nothing of the memory may be kept or
   * sent to another thread: results are copies.
   */
  use<const Lengths extends readonly number[], Result>(
    lengths: Lengths,
    work: (functions: Functions, memory: Uint8Array<ArrayBuffer>, ...places: Places<Lengths>) => Result,
  ): Result {
    // Who asks while it is lent gets another one.
    const instance = this.#idle ?? (new WebAssembly.Instance(this.#compiled()).exports as Functions & Ground)
    this.#idle = undefined
    const { memory } = instance
    const { places, end } = layOut(instance.room.value, lengths)
    if (end > memory.buffer.byteLength) memory.grow(Math.ceil((end - memory.buffer.byteLength) / PAGE))
    try {
      return work(instance, new Uint8Array(memory.buffer), ...(places as Places<Lengths>))
    } finally {
      if (isKept(memory.buffer)) this.#idle = instance
    }
  }
}

function isKept(buffer: ArrayBuffer): boolean {
  return buffer.byteLength <= MOST_KEPT_BYTES
}

/** One after the other, aligned to vectors. */
function layOut(start: number, lengths: readonly number[]): { readonly places: number[]; readonly end: number } {
  let end = aligned(start)
  const places = lengths.map((length) => {
    const place = end
    end = aligned(end + length)
    return place
  })
  if (end > MOST_BYTES) throw overLimit(`decoding a chunk takes ${end} bytes at once, at most ${MOST_BYTES} are held`)
  return { places, end }
}

function aligned(place: number): number {
  return Math.ceil(place / 16) * 16
}

function compiled(wasm: string): object {
  try {
    return new WebAssembly.Module(bytesOf(wasm))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw unsupported('WebAssembly', `decoding needs WebAssembly with SIMD, which can't be compiled here: ${reason}`)
  }
}

function bytesOf(digits: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(digits.length / 2)
  for (const at of bytes.keys()) bytes[at] = Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16)
  return bytes
}
