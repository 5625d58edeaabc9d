import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { ChunkLayout } from '../../../src/codecs/codec.ts'
import { type Renumbering, renumberer } from '../../../src/codecs/kernels/renumber.ts'
import { bytesOf, mapInto, numbersOf, zeroNumbers } from '../../../src/codecs/numbers.ts'
import { renumber } from '../../../src/codecs/own/renumber.ts'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { type DataType, NUMBER_TYPES } from '../../../src/model/data-type.ts'

const TYPES = [...NUMBER_TYPES].filter(([, { kind }]) => kind === 'int' || kind === 'uint' || kind === 'float')

/**
 * One digest for each target type, of what every value of `VALUES` becomes from every source type under every case of
 * `CASES`, errors included. They were made by the implementation that converted each number by itself (commit 024b8c1).
 */
const GOLDEN: Readonly<Record<string, string>> = {
  int8: 'de9213eecd8a9ee3a5cc25fb066460ee',
  int16: 'b885b559571d63655fd6816288229f74',
  int32: '3ec466314f8c621e10e50acfa366353e',
  int64: '3bd8932dae344fb651a0e00118eb5178',
  uint8: '64f9ae50229baac96484e35f885c563f',
  uint16: '124748d1e2f7921b9cc20c06a0a70699',
  uint32: 'fb0bafda0df4ed136663881db60acb70',
  uint64: 'e21f516980cec471275ddb1125179703',
  float16: 'b434be048e657430b9c5394737e54564',
  float32: '18c7dfdf226841a1d10b90a6a566ad5e',
  float64: '999fa5a3ac8cb3404d455067967e918a',
}

/** Scale and offset of every kind, sentinels, marks, bounds: each alone and together. */
const CASES: readonly Renumbering[] = [
  {},
  { multiply: 1n, add: 0n },
  { multiply: 10n, add: -7n },
  { multiply: -1n, add: 1n },
  { multiply: 3n, add: 2n ** 31n },
  { multiply: 86_400_000_000_000n, add: -(2n ** 60n) },
  { multiply: 2n ** 53n, add: 1n },
  { multiply: 2n ** 70n, add: -(2n ** 64n) },
  { multiply: 0n, add: 5n },
  { multiply: 24, add: 693_595 },
  { multiply: 0.01, add: 273.15 },
  { multiply: 0.1, add: 0 },
  { multiply: -0.25, add: -1e300 },
  { multiply: 1e-320, add: 0 },
  { multiply: 1, add: 0.5 },
  { sentinels: [-128, 255], missing: -1 },
  { sentinels: [-32_768], missing: 99 },
  { sentinels: [-999, 7, 0, 2_147_483_647], missing: 100, marks: [1, 13] },
  { sentinels: [-(2n ** 63n)], missing: -(2n ** 63n), multiply: 1000n, add: 1n },
  { sentinels: [-(2n ** 63n), 2n ** 64n - 1n, 2n ** 53n + 1n], missing: 2n ** 63n - 1n },
  { sentinels: [7] },
  { sentinels: [7.5, -0], missing: 3.25, multiply: 2 },
  { sentinels: [2n ** 53n], missing: 0, marks: [2n ** 53n + 1n, 12] },
  { missing: 42, marks: [-7, 0.5] },
  { least: 0 },
  { least: -100n, multiply: 2n, add: 10n },
  { least: -100, sentinels: [1], missing: -32_767, multiply: 2, add: 0.5 },
  { unwritten: -2_147_483_647, multiply: 3n, add: -(2n ** 33n) },
  { unwritten: -127, least: 0n, sentinels: [12], missing: 9 },
  { unwritten: 9.969209968386869e36, multiply: 1n, add: 1n },
  { isExact: true },
  { isExact: true, multiply: 1_000_000n, add: 2n ** 40n },
  { isExact: true, multiply: 3n, add: 1n, least: 0n, sentinels: [-(2n ** 63n)] },
  { isExact: true, unwritten: -(2n ** 63n), multiply: 7n, add: 0n },
]

/** The ends of every type, halves between neighbours, and what special numbers there are. */
const VALUES: readonly (number | bigint)[] = [
  ...[0, -0, 1, -1, 2, 3, 6, 7, 12, 13, 42, 99, 100, 127, 128, -127, -128, 129, 254, 255, 256, -999],
  ...[2047, 2048, 2049, 2051, -2049, 32_767, 32_768, -32_767, -32_768, -32_769, 65_504, 65_519, 65_520, 65_535, 65_536],
  ...[2 ** 24, 2 ** 24 + 1, 2 ** 24 + 3, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) + 1, 2 ** 32 - 1, 2 ** 32],
  ...[2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, -(2n ** 53n), 1n - 2n ** 53n, 2n ** 60n],
  ...[2n ** 62n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n, -(2n ** 63n), 1n - 2n ** 63n],
  ...[0.5, 1.5, 2.5, -0.5, -1.5, 7.5, 0.1, 1e-7, 2 ** -24, 1e-45, 5e-324, 1e300, -1e300, 3.4028235677973366e38],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 9.969209968386869e36, 3.25, -0.25],
]

/** The values that a type holds exactly, or holds once they are rounded. */
function numbersIn(type: DataType): Uint8Array {
  const wide = 'bits' in type && type.bits === 64
  const held = VALUES.filter((value) => {
    if (type.kind === 'float') return true
    if (!Number.isInteger(Number(value))) return false
    const exact = BigInt(value)
    const bits = 'bits' in type ? type.bits : 0
    return (type.kind === 'int' ? BigInt.asIntN(bits, exact) : BigInt.asUintN(bits, exact)) === exact
  })
  return bytesOf(mapInto(zeroNumbers(held.length, type), (i) => (wide ? (held[i] ?? 0) : Number(held[i]))))
}

type Outcome = Uint8Array | string

/** The bytes that a chunk becomes, or the error that it is. */
function outcome(bytes: Uint8Array, type: string, dataType: DataType, renumbering: Renumbering): Outcome {
  const source = NUMBER_TYPES.get(type)
  const layout: ChunkLayout = { shape: [numbersOf(bytes, source ?? dataType).length], dataType }
  try {
    const elements = renumber.prepare({ type, ...renumbering }, layout).decode({ kind: 'fixed', bytes })
    assert.equal(elements.kind, 'fixed')
    return new Uint8Array(elements.kind === 'fixed' ? elements.bytes : [])
  } catch (error) {
    if (isVirtualZarrError(error)) return error.message
    // Conversions of fractions to BigInt: the wording is the engine's.
    if (error instanceof RangeError) return error.name
    throw error
  }
}

for (const [toName, to] of TYPES) {
  test(`numbers of every type become ${toName} as they did, whatever their packing and sentinels`, () => {
    const digest = createHash('sha256')
    for (const [fromName, from] of TYPES) {
      const all = numbersIn(from)
      const size = 'bits' in from ? from.bits / 8 : 1
      for (const renumbering of CASES) {
        const good: Uint8Array[] = []
        const expected: Uint8Array[] = []
        let failing: { value: Uint8Array; message: string } | undefined
        for (let at = 0; at < all.length; at += size) {
          const value = all.slice(at, at + size)
          const single = outcome(value, fromName, to, renumbering)
          digest.update(single).update('\n')
          if (typeof single === 'string') failing = { value, message: single }
          else {
            good.push(value)
            expected.push(single)
          }
        }
        if (good.length === 0) continue
        // Longer than any block: the same values at other places, and an error after many that are none.
        const repeats = Math.ceil(9001 / good.length)
        const long = Buffer.concat(Array.from({ length: repeats }, () => good).flat())
        const longExpected = Buffer.concat(Array.from({ length: repeats }, () => expected).flat())
        const result = outcome(long, fromName, to, renumbering)
        assert.ok(typeof result !== 'string', `${fromName} to ${toName}: ${String(result)}`)
        assert.ok(
          longExpected.equals(result),
          `${fromName} to ${toName}, ${inspect(renumbering)}: a long chunk differs`,
        )
        if (failing !== undefined)
          assert.equal(outcome(Buffer.concat([long, failing.value, long]), fromName, to, renumbering), failing.message)
      }
    }
    assert.equal(digest.digest('hex').slice(0, 32), GOLDEN[toName])
  })
}

function inspect(renumbering: Renumbering): string {
  return JSON.stringify(renumbering, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

test('integers of random bits become what each becomes by itself', () => {
  let state = 29n
  const random = () => {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n)
    return state ^ (state >> 29n)
  }
  for (const [fromName, from] of TYPES) {
    if (from.kind === 'float') continue
    const words = BigUint64Array.from({ length: 5000 }, random)
    const source = numbersOf(new Uint8Array(words.buffer), from)
    for (const renumbering of [
      { multiply: 0.01, add: 273.15 },
      { multiply: 1n, add: 0n, sentinels: [5], missing: -1_234_567_890_123 },
    ]) {
      for (const to of [
        { kind: 'float', bits: 32 },
        { kind: 'float', bits: 64 },
        { kind: 'int', bits: 64 },
      ] as const) {
        if (to.kind === 'int' && (typeof renumbering.multiply !== 'bigint' || fromName === 'uint64')) continue
        const convert = renumberer(renumbering, to)
        const expected = bytesOf(mapInto(zeroNumbers(source.length, to), (i) => convert(source[i] ?? 0)))
        const result = outcome(bytesOf(source), fromName, to, renumbering)
        assert.ok(
          typeof result !== 'string' && Buffer.from(expected).equals(result),
          `${fromName} to ${to.kind}${to.bits}`,
        )
      }
    }
  }
})

/** `xarray.conventions.decode_cf_variable` of xarray 2026.9.0 with numpy 2.5.5: scale_factor 0.01 and add_offset 273.15, as float64. */
const DECODED_BY_XARRAY = [
  {
    type: 'int8',
    fill: -128,
    stored: [-127, -1, 0, 1, 50, 127],
    decoded: [271.88, 273.14, 273.15, 273.15999999999997, 273.65, 274.41999999999996],
  },
  {
    type: 'int16',
    fill: -32_768,
    stored: [-32_767, -999, 0, 1, 12_345, 32_767],
    decoded: [
      -54.52000000000004, 263.15999999999997, 273.15, 273.15999999999997, 396.59999999999997, 600.8199999999999,
    ],
  },
  {
    type: 'int32',
    fill: -2_147_483_648,
    stored: [-2_147_483_647, -1, 0, 16_777_217, 2_147_483_647],
    decoded: [-21_474_563.32, 273.14, 273.15, 168_045.32, 21_475_109.619999997],
  },
  {
    type: 'uint16',
    fill: 65_535,
    stored: [0, 1, 32_768, 65_534],
    decoded: [273.15, 273.15999999999997, 600.8299999999999, 928.49],
  },
] as const

test('packed integers are decoded to the doubles that xarray makes of them', () => {
  for (const { type, fill, stored, decoded } of DECODED_BY_XARRAY) {
    const from = NUMBER_TYPES.get(type)
    assert.ok(from !== undefined)
    const all = [...stored, fill]
    const bytes = bytesOf(mapInto(zeroNumbers(all.length, from), (i) => all[i] ?? 0))
    const float64 = { kind: 'float', bits: 64 } as const
    const result = outcome(bytes, type, float64, { multiply: 0.01, add: 273.15, sentinels: [fill] })
    assert.ok(typeof result !== 'string')
    assert.deepEqual([...numbersOf(result, float64)], [...decoded, Number.NaN])
  }
})
