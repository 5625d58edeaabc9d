import { type DataType, itemSize, type Scalar } from './data-type.ts'

/** One element as a little-endian chunk holds it; text and bytes of varying length as they are, in UTF-8. */
export function scalarToBytes(scalar: Scalar, type: DataType): Uint8Array {
  const size = itemSize(type)
  const bytes = new Uint8Array(size ?? 0)
  switch (scalar.kind) {
    case 'bytes':
      if (size === undefined) return scalar.value
      bytes.set(scalar.value.subarray(0, size))
      return bytes
    case 'string':
      if (size === undefined) return new TextEncoder().encode(scalar.value)
      writeUtf32(new DataView(bytes.buffer), scalar.value)
      return bytes
    case 'bool':
      bytes.fill(scalar.value ? 1 : 0, 0, 1)
      return bytes
    case 'number':
    case 'bigint':
      writeNumber(new DataView(bytes.buffer), scalar.value, type)
      return bytes
    case 'complex': {
      const bits = bytes.length === 8 ? 32 : 64
      writeFloat(new DataView(bytes.buffer), scalar.value[0], bits)
      writeFloat(new DataView(bytes.buffer, bytes.length / 2), scalar.value[1], bits)
      return bytes
    }
  }
}

/** Cut off where it is too long; the rest stays NUL. */
function writeUtf32(view: DataView, text: string): void {
  let at = 0
  for (const character of text) {
    if (at + 4 > view.byteLength) return
    view.setUint32(at, character.codePointAt(0) ?? 0, true)
    at += 4
  }
}

/** Integers by their low bits, whether they are signed or not. */
function writeNumber(view: DataView, value: number | bigint, type: DataType): void {
  if (type.kind === 'float') writeFloat(view, Number(value), type.bits)
  else if (view.byteLength === 8) view.setBigInt64(0, BigInt(value), true)
  else if (view.byteLength === 1) view.setInt8(0, Number(value))
  else if (view.byteLength === 2) view.setInt16(0, Number(value), true)
  else view.setInt32(0, Number(value), true)
}

function writeFloat(view: DataView, value: number, bits: 16 | 32 | 64): void {
  if (bits === 64) view.setFloat64(0, value, true)
  else if (bits === 32) view.setFloat32(0, value, true)
  else view.setFloat16(0, value, true)
}
