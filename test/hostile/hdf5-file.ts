/** Builds HDF5 files of superblock 0 and object headers of version 1: no checksums, every lie is possible. */
export class Hdf5Builder {
  readonly #parts: Uint8Array[] = []
  /** The superblock and the root's symbol table entry come first. */
  #end = 96

  /** Where the next object will be. */
  get next(): number {
    return this.#end
  }

  /** Appends an object; its address is returned. */
  put(bytes: Uint8Array): number {
    const address = this.#end
    const filler = (8 - (bytes.length % 8)) % 8
    this.#parts.push(bytes, new Uint8Array(filler))
    this.#end += bytes.length + filler
    return address
  }

  finish(root: number): Uint8Array {
    const head = Buffer.alloc(96)
    head.set([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0, 0, 8, 8, 0])
    head.writeUInt16LE(4, 16)
    head.writeUInt16LE(16, 18)
    head.writeBigUInt64LE(0n, 24)
    head.writeBigUInt64LE(2n ** 64n - 1n, 32)
    head.writeBigUInt64LE(BigInt(this.#end), 40)
    head.writeBigUInt64LE(2n ** 64n - 1n, 48)
    head.writeBigUInt64LE(BigInt(root), 64)
    return Buffer.concat([head, ...this.#parts])
  }
}

export interface Message {
  readonly type: number
  readonly body: Uint8Array
}

/** An object header of one block. */
export function objectHeader(messages: readonly Message[]): Uint8Array {
  const parts = messages.map(({ type, body }) => {
    const padded = Math.ceil(body.length / 8) * 8
    const message = Buffer.alloc(8 + padded)
    message.writeUInt16LE(type, 0)
    message.writeUInt16LE(padded, 2)
    message.set(body, 8)
    return message
  })
  const blocks = Buffer.concat(parts)
  const head = Buffer.alloc(16)
  head[0] = 1
  head.writeUInt16LE(Math.min(messages.length, 65_535), 2)
  head.writeUInt32LE(1, 4)
  head.writeUInt32LE(blocks.length, 8)
  return Buffer.concat([head, blocks])
}

export function hardLink(name: string, address: number): Message {
  const text = Buffer.from(name)
  const body = Buffer.alloc(3 + text.length + 8)
  body.set([1, 0, text.length])
  body.set(text, 3)
  body.writeBigUInt64LE(BigInt(address), 3 + text.length)
  return { type: 0x06, body }
}

/** Two undefined addresses: the links are in the header. */
export const LINK_INFO: Message = { type: 0x02, body: Buffer.concat([Buffer.alloc(2), Buffer.alloc(16, 0xff)]) }

function dataspace(shape: readonly number[]): Uint8Array {
  const body = Buffer.alloc(8 + shape.length * 8)
  body.set([1, shape.length])
  for (const [axis, length] of shape.entries()) body.writeBigUInt64LE(BigInt(length), 8 + axis * 8)
  return body
}

/** Unsigned bytes. */
const UINT8 = Buffer.from([0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0])

/** Text of varying length, UTF-8: references of 16 bytes to objects of global heaps. */
export const VLEN_TEXT = Buffer.from([...[0x19, 1, 1, 0, 16, 0, 0, 0], ...[0x13, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0]])

/** A filter pipeline of nothing but deflate. */
export const DEFLATED: Message = {
  type: 0x0b,
  body: Buffer.from([1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0, 0]),
}

export interface BuiltDataset {
  readonly shape: readonly number[]
  readonly type?: { readonly message: Uint8Array; readonly size: number }
  readonly chunks?: { readonly shape: readonly number[]; readonly tree: number }
  readonly further?: readonly Message[]
}

/** A dataset, of bytes if nothing else is said; never written where it is not chunked. */
export function dataset({ shape, type, chunks, further = [] }: BuiltDataset): Uint8Array {
  const { message, size } = type ?? { message: UINT8, size: 1 }
  return objectHeader([
    { type: 0x01, body: dataspace(shape) },
    { type: 0x03, body: message },
    { type: 0x08, body: chunks === undefined ? contiguous(shape) : chunkedBy(chunks.shape, chunks.tree, size) },
    ...further,
  ])
}

function contiguous(shape: readonly number[]): Uint8Array {
  const body = Buffer.alloc(18, 0xff)
  body.set([3, 1])
  body.writeBigUInt64LE(BigInt(shape.reduce((product, length) => product * length, 1)), 10)
  return body
}

function chunkedBy(shape: readonly number[], tree: number, size: number): Uint8Array {
  const body = Buffer.alloc(3 + 8 + (shape.length + 1) * 4)
  body.set([3, 2, shape.length + 1])
  body.writeBigUInt64LE(BigInt(tree), 3)
  for (const [axis, length] of [...shape, size].entries()) body.writeUInt32LE(length, 11 + axis * 4)
  return body
}

/** An attribute of bytes, version 1. */
export function attribute(name: string, shape: readonly number[], data: Uint8Array): Message {
  const parts = [Buffer.from(`${name}\0`), UINT8, dataspace(shape)]
  const head = Buffer.alloc(8)
  head[0] = 1
  for (const [i, part] of parts.entries()) head.writeUInt16LE(part.length, 2 + i * 2)
  const padded = parts.map((part) => Buffer.concat([part, Buffer.alloc((8 - (part.length % 8)) % 8)]))
  return { type: 0x0c, body: Buffer.concat([head, ...padded, data]) }
}

/** A node of a B-tree of chunks (version 1) of rank 1: keys at multiples of `step`, all leading to these children. */
export function chunkNode(level: number, children: readonly number[], step: number, first = 0): Uint8Array {
  const body = Buffer.alloc(24 + (children.length + 1) * 24 + children.length * 8)
  body.write('TREE', 'latin1')
  body.set([1, level], 4)
  body.writeUInt16LE(children.length, 6)
  body.fill(0xff, 8, 24)
  for (let i = 0; i <= children.length; i++) {
    const key = 24 + i * 32
    body.writeUInt32LE(1, key)
    body.writeBigUInt64LE(BigInt(first + i * step), key + 8)
    const child = children[i]
    if (child !== undefined) body.writeBigUInt64LE(BigInt(child), key + 24)
  }
  return body
}

/** A node of a B-tree with one chunk of rank 1, the first. */
export function oneChunk(address: number, length: number): Uint8Array {
  const body = chunkNode(0, [address], 1)
  body.set(Buffer.from(Uint32Array.of(length).buffer), 24)
  return body
}

/** References to objects of global heaps, each a text of so many bytes. */
export function heapReferences(
  count: number,
  at: (index: number) => { readonly length: number; readonly address: number; readonly object: number },
): Buffer {
  const bytes = Buffer.alloc(count * 16)
  for (let i = 0; i < count; i++) {
    const { length, address, object } = at(i)
    bytes.writeUInt32LE(length, i * 16)
    bytes.writeUInt32LE(address % 2 ** 32, i * 16 + 4)
    bytes.writeUInt32LE(Math.floor(address / 2 ** 32), i * 16 + 8)
    bytes.writeUInt32LE(object, i * 16 + 12)
  }
  return bytes
}

/** A collection of a global heap with these texts, numbered from 1; at least as long as those of the library. */
export function heapCollection(texts: readonly string[]): Buffer {
  const objects = texts.map((text, place) => {
    const object = Buffer.alloc(16 + Math.ceil(Buffer.byteLength(text) / 8) * 8)
    object.writeUInt16LE(place + 1, 0)
    object.writeUInt16LE(1, 2)
    object.writeUInt32LE(Buffer.byteLength(text), 8)
    object.write(text, 16)
    return object
  })
  const length = objects.reduce((sum, object) => sum + object.length, 16)
  const collection = Buffer.alloc(Math.max(4096, length + 16))
  collection.write('GCOL\x01', 'latin1')
  collection.writeUInt32LE(collection.length, 8)
  Buffer.concat(objects).copy(collection, 16)
  // Object 0 is the free space.
  if (collection.length >= length + 16) collection.writeUInt32LE(collection.length - length, length + 8)
  return collection
}
