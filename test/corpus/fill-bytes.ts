import { Float, type Json } from '../../src/json/json.ts'
import { type DataType, itemSize } from '../../src/model/data-type.ts'
import { list } from './golden.ts'

const WORDS: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
}

/** One element in little-endian bytes, from the `fill_value` of a document: how a reader sees a chunk that is absent. */
export function fillBytes(fill: Json, type: DataType): Uint8Array {
  const size = itemSize(type)
  if (size === undefined) throw new Error(`${type.kind} has no fixed size`)
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  switch (type.kind) {
    case 'bool':
      bytes[0] = fill === true ? 1 : 0
      return bytes
    case 'int':
    case 'uint':
    case 'datetime':
    case 'timedelta':
      setInteger(bytes, BigInt(fill === 'NaT' ? -(2n ** 63n) : (fill as number | bigint)))
      return bytes
    case 'float':
      setFloat(view, 0, type.bits, toNumber(fill))
      return bytes
    case 'complex':
      for (const [index, part] of list(fill).entries())
        setFloat(view, (index * size) / 2, type.bits / 2, toNumber(part))
      return bytes
    case 'fixed-text':
      bytes.set(type.encoding === 'bytes' ? fromBase64(fill) : toUtf32(String(fill)))
      return bytes
    case 'opaque':
    case 'structured':
      bytes.set(fromBase64(fill))
      return bytes
    case 'string':
    case 'bytes':
      throw new Error('unreachable: no fixed size')
  }
}

function toNumber(json: Json): number {
  if (json instanceof Float) return json.value
  const value = typeof json === 'string' ? WORDS[json] : json
  if (typeof value !== 'number') throw new Error(`fill value ${String(value)} is no floating-point spelling (JSON-2)`)
  return value
}

function setInteger(bytes: Uint8Array, value: bigint): void {
  const pattern = BigInt.asUintN(bytes.length * 8, value)
  for (let index = 0; index < bytes.length; index++) bytes[index] = Number((pattern >> BigInt(8 * index)) & 0xffn)
}

function setFloat(view: DataView, offset: number, bits: number, value: number): void {
  if (bits === 16) view.setFloat16(offset, value, true)
  else if (bits === 32) view.setFloat32(offset, value, true)
  else view.setFloat64(offset, value, true)
}

function fromBase64(json: Json): Uint8Array {
  return Buffer.from(String(json), 'base64')
}

function toUtf32(text: string): Uint8Array {
  return new Uint8Array(Uint32Array.from(Array.from(text), (letter) => letter.codePointAt(0) ?? 0).buffer)
}
