import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inspect } from 'node:util'
import { Float } from '../../src/json/json.ts'
import { DamagedEntry, Decoder } from '../../src/manifests/decode.ts'
import { Encoder } from '../../src/manifests/encode.ts'
import { NotWritten, recipe } from '../../src/model/recipe.ts'

const NO_ANCHORS = new Map<unknown, number>()

function written(value: unknown, anchors: ReadonlyMap<unknown, number> = NO_ANCHORS, secrets: string[] = []) {
  const encoder = new Encoder({ anchors, secrets, mostBytes: 2 ** 20 })
  encoder.write(value)
  return encoder.finished()
}

function readAgain(value: unknown): unknown {
  const decoder = new Decoder(written(value), {
    anchors: [],
    makers: new Map([counting, joined].map((m) => [m.recipe, m])),
  })
  const again = decoder.read()
  decoder.end()
  return again
}

const counting = recipe('counting', (step: number) => (times: number) => times * step)
/** One that has read something since it was made. */
const joined = recipe('joined', (words: readonly string[], held?: string[]) => {
  const seen = held ?? []
  return {
    see: (word: string) => void seen.push(word),
    text: () => [...words, ...seen].join(' '),
    held: () => seen,
  }
})

describe('values come back as they were written', () => {
  for (const value of [
    undefined,
    null,
    true,
    false,
    0,
    -0,
    1,
    127,
    128,
    -1,
    2 ** 53 - 1,
    -(2 ** 53 - 1),
    2 ** 60,
    0.1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    5e-324,
    0n,
    -1n,
    2n ** 64n,
    -(2n ** 70n),
    '',
    'a',
    'ä',
    'π',
    '\ud800',
    '\0',
    [],
    [undefined, [null]],
    {},
    { a: undefined, '': 1, constructor: 2 },
    new Map<unknown, unknown>([
      ['a', [1]],
      [2, new Map()],
    ]),
    new Set([1, 'a']),
    new Uint8Array([0, 255]),
    new Float64Array([Number.NaN, -0]),
    new BigInt64Array([-1n]),
    new Uint32Array(0),
    new Float(5),
  ]) {
    test(inspect(value), () => {
      const again = readAgain(value)
      assert.deepStrictEqual(again, value)
      assert.ok(Object.is(again, value) || typeof value !== 'number')
    })
  }

  test('a name like __proto__ is a name, with and without a prototype', () => {
    const bare = Object.assign(Object.create(null), { ['__proto__']: 1 })
    const again = readAgain([JSON.parse('{"__proto__": {"x": 1}}'), bare]) as [object, object]
    assert.deepEqual(Object.keys(again[0]), ['__proto__'])
    assert.equal(Object.getPrototypeOf(again[0]), Object.prototype)
    assert.equal('x' in again[0], false)
    assert.equal(Object.getPrototypeOf(again[1]), null)
  })

  test('what is shared stays shared', () => {
    const shared = { a: [1] }
    const [one, other, list] = readAgain([shared, shared, shared.a]) as [typeof shared, typeof shared, number[]]
    assert.equal(one, other)
    assert.equal(one.a, list)
  })

  test('a view of a larger buffer takes its own bytes only', () => {
    const view = new Uint8Array(1_000_000).subarray(5, 8)
    assert.ok(written(view).length < 16)
    assert.equal((readAgain(view) as Uint8Array).buffer.byteLength, 3)
  })

  test('what is more than data is made again, with what it has seen since', () => {
    const words = joined(['a'])
    words.see('b')
    const [times, again] = readAgain([counting(3), words]) as [(n: number) => number, typeof words]
    assert.equal(times(5), 15)
    assert.equal(again.text(), 'a b')
    again.see('c')
    assert.equal((readAgain(again) as typeof words).text(), 'a b c')
  })
})

describe('what can not be written is refused, and nothing else is written in its place', () => {
  const loop: unknown[] = []
  const own = joined(loop as string[])
  loop.push(own)
  class Odd {
    readonly value = 1
  }
  const getter = {
    get size() {
      return 1
    },
  }
  for (const [what, value] of Object.entries({
    function: () => 1,
    instance: new Odd(),
    symbol: Symbol('a'),
    getter,
    loop: own,
  })) {
    test(what, () => assert.throws(() => written({ value }), NotWritten))
  }

  test('a copy of what has a recipe has none: it may do something else', () => {
    const words = joined(['a'])
    assert.throws(() => written({ ...words }), NotWritten)
  })

  test('more bytes than there may be', () => {
    assert.throws(() => written(new Uint8Array(2 ** 20)), NotWritten)
  })

  test('values within each other without end', () => {
    let deep: unknown = 1
    for (let i = 0; i < 2000; i++) deep = [deep]
    assert.throws(() => written(deep), NotWritten)
  })

  test('a text with a secret in it; as a whole it may be known by a number', () => {
    const url = 'https://example.org/a?token=hunter22'
    assert.throws(() => written(`see ${url}`, new Map([[url, 0]]), ['hunter22']), NotWritten)
    const bytes = written({ url }, new Map([[url, 0]]), ['hunter22'])
    assert.ok(!Buffer.from(bytes).toString('latin1').includes('hunter22'))
    assert.deepEqual(new Decoder(bytes, { anchors: [url], makers: new Map() }).read(), { url })
  })
})

describe('a decoder is safe whatever it is given', () => {
  const value = {
    list: [1, 'a', { b: new Uint8Array([1, 2, 3]) }],
    map: new Map([['π', 2n ** 70n]]),
    made: counting(2),
    again: [-1.5],
  }
  const bytes = written(value)
  const makers = new Map([[counting.recipe, counting]])
  const attempt = (damaged: Uint8Array) => {
    try {
      const decoder = new Decoder(damaged, { anchors: [], makers })
      decoder.read()
      decoder.end()
    } catch (error) {
      assert.ok(error instanceof DamagedEntry, String(error))
    }
  }

  test('each byte of it changed to every other', () => {
    for (let at = 0; at < bytes.length; at++) {
      for (let byte = 0; byte < 256; byte++) attempt(Uint8Array.from(bytes, (was, i) => (i === at ? byte : was)))
    }
  })

  test('cut off anywhere, or with something behind it', () => {
    for (let length = 0; length < bytes.length; length++) {
      assert.throws(() => {
        const decoder = new Decoder(bytes.subarray(0, length), { anchors: [], makers })
        decoder.read()
      }, DamagedEntry)
    }
    const decoder = new Decoder(Buffer.concat([bytes, Buffer.from([0])]), { anchors: [], makers })
    decoder.read()
    assert.throws(() => decoder.end(), DamagedEntry)
  })

  test('a count of a thousand million costs nothing', () => {
    for (const tag of [7, 8, 9, 11, 13, 14, 15]) attempt(Uint8Array.from([tag, 0xff, 0xff, 0xff, 0xff, 0x0f, 0]))
    attempt(Uint8Array.from([15, 0, 0xff, 0xff, 0xff, 0xff, 0x0f]))
  })
})
