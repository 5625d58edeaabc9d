import { Readable } from 'node:stream'
import { malformed, overLimit, VirtualZarrError } from '../errors.ts'
import type { SourceObject } from '../source/source.ts'
import type { Frame } from './envelope.ts'
import { MOST_STORED_BYTES } from './limits.ts'

/** The whole body of an object in memory, exactly as long as its host said. */
export async function readBody(object: SourceObject): Promise<Uint8Array> {
  if (object.length > MOST_STORED_BYTES) {
    object.body.destroy()
    throw overLimit(`a stored chunk is ${object.length} bytes long, at most ${MOST_STORED_BYTES} are recoded`, {
      url: object.url,
    })
  }
  const bytes = new Uint8Array(object.length)
  let at = 0
  for await (const part of object.body as AsyncIterable<Uint8Array>) {
    if (part.length > bytes.length - at) throw wrongLength(object, at + part.length)
    bytes.set(part, at)
    at += part.length
  }
  if (at !== bytes.length) throw wrongLength(object, at)
  return bytes
}

/** A body with its first bytes cut off, `length` bytes of it, in a frame. */
export function framedBody(body: Readable, skip: number, length: number, frame: Frame): Readable {
  const stream = Readable.from(framed(body, skip, length, frame), { objectMode: false })
  // A stream that nobody begins to read would leave the object's open.
  return stream.once('close', () => body.destroy())
}

async function* framed(body: Readable, skip: number, length: number, frame: Frame): AsyncGenerator<Uint8Array> {
  if (frame.prefix.length > 0) yield frame.prefix
  let at = -skip
  for await (const part of body as AsyncIterable<Uint8Array>) {
    const from = Math.max(-at, 0)
    const to = Math.min(length - at, part.length)
    if (to > from) yield part.subarray(from, to)
    at += part.length
  }
  if (at < length) throw malformed(`an object ends after ${at + skip} bytes, ${length + skip} were announced`)
  if (frame.suffix.length > 0) yield frame.suffix
}

function wrongLength({ url, length }: SourceObject, found: number): Error {
  return new VirtualZarrError('source-unavailable', `an object of ${length} bytes came with ${found}`, { url })
}
