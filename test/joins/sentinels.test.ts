import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isVirtualZarrError } from '../../src/errors.ts'
import { Float, isJsonObject, type Json, type JsonObject } from '../../src/json/json.ts'
import type { DatasetVariable } from '../helpers/netcdf-dataset.ts'
import type { TestStore } from '../helpers/test-stores.ts'
import { JoinWorld, month, numbers } from './helpers.ts'

type Attributes = NonNullable<DatasetVariable['attributes']>
type Stored = Pick<DatasetVariable, 'type' | 'attributes'>

const SIZES = { byte: 8, short: 16, int: 32 } as const
/** The numbers that attributes speak of, some beside them, and the ends of the types. */
const WHOLE = [-128, -99, -98, -2, -1, 0, 1, 5, 55, 77, 78, 100, 127]

function valuesOf(type: DatasetVariable['type']): readonly number[] {
  if (type === 'short') return [...WHOLE, -32_768, 32_767, 300, -4000]
  if (type === 'int') return [...WHOLE, -32_768, 70_000, -(2 ** 31)]
  return type === 'byte' ? WHOLE : [...WHOLE, 0.5, Number.NaN]
}

const KINDS: readonly Stored[] = (['byte', 'short', 'int', 'float'] as const).flatMap((type) => {
  const end = type === 'float' ? -9999 : -(2 ** ((type === 'byte' ? 8 : type === 'short' ? 16 : 32) - 1))
  const all: Attributes[] = [
    {},
    { _FillValue: -99 },
    { _FillValue: end },
    { _FillValue: -99, missing_value: 77 },
    { missing_value: [77, 55] },
    { scale_factor: 0.1, _FillValue: -99, missing_value: [77, 55] },
    { scale_factor: 0.1, _FillValue: end },
    { scale_factor: 0.2, add_offset: 5, _FillValue: -98 },
    { scale_factor: 0.3, add_offset: 0.05, missing_value: 78 },
    { scale_factor: -0.1, _FillValue: 77 },
  ]
  const unsigned = all.slice(0, 7).map((attributes) => ({ ...attributes, _Unsigned: 'true' }))
  return [...all, ...(type === 'byte' || type === 'short' ? unsigned : [])].map((attributes) => ({ type, attributes }))
})

describe('COMB-3, COMB-4: values of files of any packing, sentinels, sign and type are what each file says, or refused', () => {
  const world = new JoinWorld()
  before(async () => {
    await world.start()
    for (const [place, { type, attributes }] of KINDS.entries()) {
      const values = valuesOf(type)
      const variables = { p: { dims: ['time'], type, values, attributes: attributes ?? {} } } as const
      world.put(`k${place}.nc`, month('2000-01-01', values.length, { variables }))
    }
  })
  after(() => world.close())

  const all = KINDS.flatMap((_one, first) => KINDS.map((_other, second) => [first, second] as const))
  // JOIN_PAIRS=all: a minute and a half of all of them.
  const pairs = all.filter((_pair, place) => process.env['JOIN_PAIRS'] === 'all' || place % 11 === 0)
  for (const [name, members, least] of [
    ['all headers read', { check: 'all' }, 0.6],
    ['only the first read', { check: 'none' }, 0.05],
    ['decoded before they are joined', { check: 'all', options: { packing: 'decoded' } }, 1],
  ] as const) {
    test(`${pairs.length} pairs, ${name}`, async () => {
      let read = 0
      for (const [first, second] of pairs) {
        const wanted = [...truthOf(KINDS[first]), ...truthOf(KINDS[second])]
        const lengths = [first, second].map((kind) => valuesOf(KINDS[kind]?.type ?? 'byte').length)
        const own = members.check === 'none' ? { ...members, lengths } : members
        const store = world.join({
          sources: [`k${first}.nc`, `k${second}.nc`],
          along: 'time',
          variables: ['p'],
          ...own,
        })
        const found = await decoded(store)
        if (found === 'refused') continue
        read++
        const at = wanted.findIndex((value, place) => !isNear(value, found[place] ?? 0))
        const shown = [first, second].map((kind) => JSON.stringify(KINDS[kind])).join(' and ')
        assert.equal(at, -1, `${shown}: ${found[at]} instead of ${wanted[at]} at ${at}`)
      }
      assert.ok(read >= pairs.length * least, `only ${read} of ${pairs.length} were read`)
    })
  }
})

/** What the numbers of a kind mean (CF, section 8.1 and 2.5.1). */
function truthOf(kind: Stored | undefined): number[] {
  const { type, attributes = {} } = kind ?? { type: 'byte' }
  return valuesOf(type).map((value) =>
    meaningOf(value, type === 'float' || type === 'double' ? undefined : SIZES[type], attributes),
  )
}

function meaningOf(value: number, bits: number | undefined, attributes: Readonly<Record<string, unknown>>): number {
  const { _FillValue, missing_value, _Unsigned, scale_factor = 1, add_offset = 0 } = attributes
  if ([_FillValue, missing_value].flat().includes(value)) return Number.NaN
  const read = _Unsigned === 'true' && bits !== undefined && value < 0 ? value + 2 ** bits : value
  return read * Number(scale_factor) + Number(add_offset)
}

/** The values of `p` as a client decodes them by its attributes. */
async function decoded(store: TestStore): Promise<number[] | 'refused'> {
  try {
    const values = await numbers(store, 'p')
    const { attributes, data_type } = await store.document('p')
    const bits = /^int(\d+)$/.exec(String(data_type))?.[1]
    const said = plain(isJsonObject(attributes) ? attributes : {})
    return values.map((value) => meaningOf(value, bits === undefined ? undefined : Number(bits), said))
  } catch (error) {
    if (isVirtualZarrError(error, 'malformed-source')) return 'refused'
    throw error
  }
}

/** Sentinels of floats are spelled as bytes in base64. */
function plain(attributes: JsonObject): Record<string, unknown> {
  const number = (value: Json | undefined): unknown => {
    if (value instanceof Float) return value.value
    if (typeof value === 'bigint') return Number(value)
    if (Array.isArray(value)) return (value as readonly Json[]).map(number)
    return value
  }
  const fill = attributes['_FillValue']
  const bytes = typeof fill === 'string' ? Buffer.from(fill, 'base64') : undefined
  const all = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, number(value)]))
  return bytes?.length === 8 ? { ...all, _FillValue: bytes.readDoubleLE() } : all
}

/** Floats of 32 bits have 24 binary digits. */
function isNear(wanted: number, found: number): boolean {
  if (Number.isNaN(wanted) || Number.isNaN(found)) return Number.isNaN(wanted) && Number.isNaN(found)
  return Math.abs(wanted - found) <= 1e-6 * Math.max(1, Math.abs(wanted))
}
