import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { decodeChunk } from '../../src/codecs/decode.ts'
import { planDelivery } from '../../src/delivery/plan.ts'
import { isVirtualZarrError } from '../../src/errors.ts'
import { isJsonObject, type Json } from '../../src/json/json.ts'
import { parseJson } from '../../src/json/parse.ts'
import { writeJson } from '../../src/json/write.ts'
import type { DataType } from '../../src/model/data-type.ts'
import type { StoredCodec } from '../../src/model/encoding.ts'
import { virtualArray } from '../delivery/world.ts'
import { codec, FLOAT64, LITTLE } from './codec-of.ts'

/** What may stand where a number, a word, a type, a list or an object is expected. */
const HOSTILE = parseJson(
  `[NaN, Infinity, -Infinity, "NaN", "x", -1, null, 1e400, 1e300, 0, 0.5, true, [], [-1], [null], [[NaN]], {}, {"a": NaN},
    9007199254740993, "<i3", "<U99999999999", "<M8[s]", "|b1", "<f8", "|V8", [9999999999]]`,
  { lenient: true },
) as readonly Json[]

interface Vector {
  readonly codecs: readonly { readonly name: string; readonly configuration?: Json }[]
  readonly dataType: DataType
  readonly shape: readonly number[]
  readonly stored: string
}

/** One vector for each list of codecs with the same members. */
function vectors(): readonly Vector[] {
  const read = (name: string) => readFileSync(new URL(`vectors/${name}`, import.meta.url), 'utf8')
  const { vectors: common } = JSON.parse(read('vectors.json')) as { readonly vectors: readonly Vector[] }
  const lines = read('imagecodecs.jsonl').trim().split('\n')
  const all = [...common, ...lines.map((line) => JSON.parse(line) as Vector)]
  const kinds = new Map<string, Vector>()
  for (const vector of all) {
    const members = vector.codecs.map(({ name, configuration }) => [name, ...Object.keys(configuration ?? {})])
    kinds.set(JSON.stringify([members, vector.dataType.kind]), vector)
  }
  return [...kinds.values()]
}

/** The value with each of its members, at any depth, replaced in turn. */
function* spoiled(value: Json, other: Json): Generator<Json> {
  yield other
  if (Array.isArray(value)) {
    for (const [at, item] of (value as readonly Json[]).entries()) {
      for (const spoilt of spoiled(item, other)) yield (value as readonly Json[]).with(at, spoilt)
    }
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      for (const spoilt of spoiled(member, other)) yield { ...value, [name]: spoilt }
    }
  }
}

/** What happens to an array with these codecs: its codecs as clients are told, or the code of the named error. */
async function outcome(vector: Vector, encoding: readonly StoredCodec[]): Promise<string> {
  const { shape, dataType } = vector
  try {
    const array = virtualArray({ shape, chunkShape: shape, dataType, encodings: [encoding] }, [])
    const told = (['portable', 'native', 'raw'] as const).map((profile) => planDelivery(array, profile).codecs)
    await decodeChunk(Buffer.from(vector.stored, 'base64'), encoding, { shape, dataType }, { limit: 2 ** 20 })
    return writeJson(told as unknown as Json)
  } catch (error) {
    if (isVirtualZarrError(error)) return error.code
    return String(error)
  }
}

test('any value in any place of a codec configuration is a plan or a named error, never a failure of the server', async () => {
  const outcomes = new Map<string, number>()
  for (const vector of vectors()) {
    for (const [at, { configuration = {} }] of vector.codecs.entries()) {
      for (const hostile of HOSTILE) {
        for (const spoilt of spoiled(configuration, hostile)) {
          if (!isJsonObject(spoilt)) continue
          const encoding = vector.codecs.map(({ name, configuration }, place) =>
            codec(name, place === at ? spoilt : isJsonObject(configuration) ? configuration : {}),
          )
          const found = await outcome(vector, encoding)
          const kind = /^(?:malformed-source|unsupported-feature|limit-exceeded)$/.test(found) ? found : 'served'
          outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1)
          if (kind === 'served') assert.match(found, /^\[/, String(encoding.map(({ name }) => name)))
        }
      }
    }
  }
  assert.ok((outcomes.get('malformed-source') ?? 0) > 1000 && (outcomes.get('served') ?? 0) > 1000, 'both happen')
})

test('a configuration that can not be computed with is refused when the array is planned, not with its chunks', () => {
  const scaled = { scale: 2, offset: 1, dtype: '<f8', astype: '<f8' }
  const cases: readonly (readonly [string, StoredCodec])[] = [
    ...[Number.NaN, Number.POSITIVE_INFINITY, 'NaN', 'x', null, [], true].flatMap((scale) => [
      ['fixedscaleoffset scale', codec('numcodecs.fixedscaleoffset', { ...scaled, scale })] as const,
      ['fixedscaleoffset offset', codec('numcodecs.fixedscaleoffset', { ...scaled, offset: scale })] as const,
    ]),
    ['fixedscaleoffset without scale', codec('numcodecs.fixedscaleoffset', { offset: 1, dtype: '<f8' })],
    ['a type that is no text', codec('numcodecs.delta', { dtype: '<f8', astype: -1 })],
    ['scale_offset', codec('scale_offset', { scale: 'x' })],
    ['scale_offset', codec('scale_offset', { scale: Number.NaN })],
    ['a member that nothing is done with', codec('numcodecs.quantize', { digits: Number.NaN, dtype: '<f8' })],
  ]
  for (const [name, filter] of cases) {
    const array = virtualArray({ shape: [4], chunkShape: [4], dataType: FLOAT64, encodings: [[filter, LITTLE]] }, [])
    for (const profile of ['portable', 'native', 'raw'] as const) {
      assert.throws(() => planDelivery(array, profile), { code: 'malformed-source' }, name)
    }
  }
  const shuffled = [LITTLE, codec('imagecodecs_bitshuffle', { itemsize: 0 })]
  const array = virtualArray({ shape: [4], chunkShape: [4], dataType: FLOAT64, encodings: [shuffled] }, [])
  assert.throws(() => planDelivery(array, 'native'), { code: 'malformed-source' })
})
