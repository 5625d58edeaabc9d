import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randoms } from '../../helpers/randoms.ts'
import { codec, decode, LITTLE, layoutOf } from '../codec-of.ts'

const SIZES = [1, 2, 4, 8] as const

interface Packed {
  readonly size: (typeof SIZES)[number]
  readonly bits: number
  readonly codes: readonly bigint[]
  readonly minimum: bigint
  readonly fill: bigint | undefined
  readonly isBig?: boolean
}

/** As H5Zscaleoffset.c writes them: codes one after the other, the highest bit first. */
function chunkOf({ bits, codes, minimum }: Packed): Uint8Array {
  const bytes = Buffer.alloc(21 + Math.ceil((codes.length * bits) / 8))
  bytes.writeUInt32LE(bits)
  bytes[4] = 8
  bytes.writeBigUInt64LE(minimum, 5)
  codes.forEach((code, i) => {
    for (let bit = 0; bit < bits; bit++) {
      const place = i * bits + bit
      const at = 21 + (place >> 3)
      if ((code >> BigInt(bits - 1 - bit)) & 1n) bytes[at] = (bytes[at] ?? 0) | (128 >> (place & 7))
    }
  })
  return bytes
}

function numbersOf({ size, bits, codes, minimum, fill, isBig = false }: Packed): Buffer {
  const numbers = Buffer.alloc(codes.length * size)
  codes.forEach((code, i) => {
    const isFill = fill !== undefined && code === (1n << BigInt(bits)) - 1n
    const number = isFill ? fill : code + minimum
    for (let byte = 0; byte < size; byte++) {
      numbers[i * size + (isBig ? size - 1 - byte : byte)] = Number((number >> BigInt(8 * byte)) & 255n)
    }
  })
  return numbers
}

async function decodedBytes(packed: Packed, stored: Uint8Array): Promise<Uint8Array> {
  const { size, codes, fill, isBig = false } = packed
  const fillWords = fill === undefined ? [0] : [1, Number(fill & 0xffffffffn), Number(fill >> 32n)]
  const clientData = [2, 0, codes.length, 0, size, 0, isBig ? 1 : 0, ...fillWords]
  const layout = layoutOf({ kind: 'uint', bits: size === 8 ? 64 : size === 4 ? 32 : size === 2 ? 16 : 8 }, codes.length)
  const elements = await decode(stored, [LITTLE, codec('vz.scaleoffset', { clientData })], layout)
  return elements.kind === 'fixed' ? elements.bytes : new Uint8Array(0)
}

async function assertDecodes(packed: Packed): Promise<void> {
  const { size, bits, codes } = packed
  const found = Buffer.from(await decodedBytes(packed, chunkOf(packed)))
  const name = `${codes.length} codes of ${bits} bits, numbers of ${size} bytes`
  assert.ok(found.equals(numbersOf(packed)), `${name}, fill ${packed.fill}`)
}

const numbers = randoms(1)

function random(bits: number): bigint {
  const all = (BigInt(numbers.next().value) << 32n) | BigInt(numbers.next().value)
  // The lowest bits of this generator are hardly random, and the highest code is to come often.
  return all % 5n === 0n ? (1n << BigInt(bits)) - 1n : all >> BigInt(64 - bits)
}

for (const size of SIZES) {
  test(`numbers of ${size} bytes are those of a loop over bits, for codes of any width and any number of them`, async () => {
    for (let bits = 0; bits < 8 * size; bits++) {
      for (const count of [1, 7, 8, 9, 15, 16, 17, 203]) {
        const codes = Array.from({ length: count }, () => random(bits))
        const minimum = random(8 * size)
        await assertDecodes({ size, bits, codes, minimum, fill: undefined })
        await assertDecodes({ size, bits, codes, minimum, fill: random(8 * size) })
      }
    }
  })
}

test('more codes than are decoded at once are decoded in parts', async () => {
  for (const [size, bits] of [
    [2, 11],
    [4, 27],
  ] as const) {
    for (const count of [2 ** 15, 2 ** 15 + 1, 2 ** 16 + 13]) {
      const codes = Array.from({ length: count }, () => random(bits))
      await assertDecodes({ size, bits, codes, minimum: 3n, fill: 7n })
    }
  }
})

test('numbers may be big-endian, and are stored as they are where their codes would be as wide', async () => {
  for (const size of SIZES) {
    const codes = Array.from({ length: 9 }, () => random(5))
    await assertDecodes({ size, bits: 5, codes, minimum: 0x0102030405060708n, fill: 1n, isBig: true })
    const wide = { size, bits: 8 * size, codes, minimum: 0n, fill: undefined }
    const stored = Buffer.concat([chunkOf(wide).subarray(0, 21), numbersOf(wide)])
    assert.deepEqual(Buffer.from(await decodedBytes(wide, stored)), numbersOf(wide))
  }
})

test('a chunk that lacks a byte of its codes, or says more bits than a number has, is malformed', async () => {
  for (const size of SIZES) {
    const packed = { size, bits: 7, codes: Array<bigint>(9).fill(1n), minimum: 0n, fill: undefined }
    const stored = chunkOf(packed)
    await assert.rejects(decodedBytes(packed, stored.subarray(0, -1)), { code: 'malformed-source' })
    stored[0] = 8 * size + 1
    await assert.rejects(decodedBytes(packed, stored), { code: 'malformed-source' })
  }
})
