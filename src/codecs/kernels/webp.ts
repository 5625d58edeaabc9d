// The adapter of the package @cwasm/webp, of which only the WebAssembly is used: libwebp, in an instance a picture.

import { Cursor } from '../../bytes/cursor.ts'
import { latin1Text } from '../../bytes/text.ts'
import { malformed } from '../../errors.ts'
import { lazily } from '../../lazily.ts'
import { compiledFile, instanceOf } from './wasm-decoder.ts'

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  malloc(length: number): number
  free(at: number): void
  /** Returns the address of RGBA pixels, or 0. */
  WebPDecodeRGBA(at: number, length: number, width: number, height: number): number
}

/** A memory that has grown beyond this is given back. */
const MOST_KEPT_BYTES = 2 ** 26

const compiled = lazily(() => compiledFile('@cwasm/webp/webp.wasm'))

class WebpDecoder {
  #exports: Exports | undefined

  /** RGBA pixels of a picture whose size is known from its header. */
  async decode(bytes: Uint8Array, size: WebpSize): Promise<Uint8Array> {
    const exports = this.#exports ?? (await start())
    // Only a memory in which all went well is used again.
    this.#exports = undefined
    let pixels: Uint8Array
    try {
      pixels = decodeIn(exports, bytes, size)
    } catch (cause) {
      throw malformed(`a WebP picture of ${bytes.length} bytes is damaged`, {}, cause)
    }
    if (exports.memory.buffer.byteLength <= MOST_KEPT_BYTES) this.#exports = exports
    return pixels
  }
}

async function start(): Promise<Exports> {
  const refuse = () => {
    throw malformed('libwebp calls the system')
  }
  const system = { fd_close: refuse, fd_seek: refuse, fd_write: refuse }
  return instanceOf(await compiled(), { wasi_snapshot_preview1: system }) as Exports
}

function decodeIn({ memory, malloc, free, WebPDecodeRGBA }: Exports, bytes: Uint8Array, size: WebpSize): Uint8Array {
  const input = malloc(bytes.length)
  const sizes = malloc(8)
  if (input === 0 || sizes === 0) throw malformed('there is no room for the picture')
  new Uint8Array(memory.buffer).set(bytes, input)
  const output = WebPDecodeRGBA(input, bytes.length, sizes, sizes + 4)
  if (output === 0) throw malformed('libwebp refuses it')
  const [width, height] = new Uint32Array(memory.buffer, sizes, 2)
  if (width !== size.width || height !== size.height) throw malformed('its size is not that of its header')
  const pixels = new Uint8Array(memory.buffer, output, width * height * 4).slice()
  for (const at of [input, sizes, output]) free(at)
  return pixels
}

const decoder = lazily(() => new WebpDecoder())

/** The pixels of a WebP picture as RGBA. */
export async function decodeWebp(bytes: Uint8Array, size: WebpSize): Promise<Uint8Array> {
  return await decoder().decode(bytes, size)
}

interface WebpSize {
  readonly width: number
  readonly height: number
}

/** The size of a picture, by its first chunk (RFC 9649). */
export function webpSize(bytes: Uint8Array): WebpSize {
  const cursor = new Cursor(bytes, 'little')
  const isWebp = cursor.remaining >= 30 && text(cursor, 4) === 'RIFF' && cursor.u32() > 0 && text(cursor, 4) === 'WEBP'
  if (!isWebp) throw malformed('a block is no WebP picture')
  const kind = text(cursor, 4)
  cursor.skip(4)
  switch (kind) {
    case 'VP8 ':
      cursor.skip(6)
      return { width: cursor.u16() & 0x3fff, height: cursor.u16() & 0x3fff }
    case 'VP8L': {
      cursor.skip(1)
      const bits = cursor.u32()
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      cursor.skip(4)
      return { width: u24(cursor) + 1, height: u24(cursor) + 1 }
  }
  throw malformed(`a WebP picture begins with a chunk "${kind}"`)
}

function text(cursor: Cursor, length: number): string {
  return latin1Text(cursor.take(length))
}

function u24(cursor: Cursor): number {
  return cursor.u16() + cursor.u8() * 65_536
}
