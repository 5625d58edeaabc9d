import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../src/errors.ts'
import { Float, type JsonObject } from '../../src/json/json.ts'
import { parseJson, readJsonInTurns } from '../../src/json/parse.ts'
import { processorMilliseconds } from '../helpers/processor-time.ts'

function refuses(text: string, code: 'malformed-source' | 'limit-exceeded' = 'malformed-source', options = {}): void {
  assert.throws(
    () => parseJson(text, options),
    (error) => isVirtualZarrError(error, code),
    text.slice(0, 40),
  )
}

test('an integer token is a number up to 2^53 and a bigint beyond', () => {
  assert.equal(parseJson('9007199254740991'), 9007199254740991)
  assert.equal(parseJson('9007199254740993'), 9007199254740993n)
  assert.equal(parseJson('-9223372036854775808'), -9223372036854775808n)
  assert.equal(parseJson('18446744073709551615'), 18446744073709551615n)
})

test('a float token of integral value keeps its point', () => {
  assert.deepEqual(parseJson('5.0'), new Float(5))
  assert.deepEqual(parseJson('1e3'), new Float(1000))
  assert.deepEqual(parseJson('-0.0'), new Float(-0))
  assert.deepEqual(parseJson('-0'), new Float(-0))
  assert.equal(parseJson('5.5'), 5.5)
})

test('names are names, whatever they say', () => {
  const value = parseJson('{"__proto__": {"a": 1}, "constructor": 2, "toString": 3}') as JsonObject
  assert.equal(Object.getPrototypeOf(value), null)
  assert.deepEqual(Object.keys(value), ['__proto__', 'constructor', 'toString'])
  assert.equal(({} as { a?: number }).a, undefined)
})

test('text is decoded with its escapes', () => {
  assert.equal(parseJson('"a\\"\\\\\\u00e9\\n\\ud83d\\ude00"'), 'a"\\é\n😀')
  assert.equal(parseJson('"ends in a backslash\\\\"'), 'ends in a backslash\\')
  assert.equal(parseJson('"\u2028\u007f"'), '\u2028\u007f')
})

test('what JSON.parse accepts is accepted and equal, the rest is refused', () => {
  const texts = ['[]', ' { } ', '[1,[2,{"a":null}],true,false]', '"', '[1,]', '{"a":1,}', "{'a':1}", '01', '1.', '.5']
  texts.push(
    '+1',
    '-',
    '1e',
    '[1 2]',
    '{"a" 1}',
    '{"a":1 "b":2}',
    'nul',
    'truefalse',
    '',
    ' ',
    '"\n"',
    '"\\x"',
    '[',
    '{',
  )
  texts.push(
    'NaN',
    '[Infinity]',
    '-Infinity',
    '1 1',
    '\u00a01',
    '{"a":1,"a":2}',
    '0x10',
    '1_000',
    '--1',
    '1-1',
    '"\\u12"',
  )
  for (const text of texts) {
    let expected: unknown
    try {
      expected = JSON.parse(text)
    } catch {
      refuses(text)
      continue
    }
    assert.equal(JSON.stringify(parseJson(text)), JSON.stringify(expected), text)
  }
})

test('bare NaN and infinities are read where leniency is asked for', () => {
  const value = parseJson('[NaN, Infinity, -Infinity, 1e400, -1e400]', { lenient: true })
  assert.deepEqual(value, [Number.NaN, Infinity, -Infinity, Infinity, -Infinity])
  refuses('1e400')
  refuses('-Inf', 'malformed-source', { lenient: true })
})

test('a byte order mark is ignored', () => {
  assert.equal(parseJson('\ufeff1'), 1)
})

test('depth, length, number of values and length of numbers are limited', () => {
  refuses('['.repeat(1e6), 'limit-exceeded')
  refuses('{"a":'.repeat(1e5), 'limit-exceeded')
  refuses('[1,2,3]', 'limit-exceeded', { budget: { left: 3 } })
  refuses('[1,2,3]', 'limit-exceeded', { maxLength: 6 })
  refuses('1'.repeat(1e6))
  assert.deepEqual(parseJson('[[1]]', { maxDepth: 2 }), [[1]])
})

test('an error says where and what was expected', () => {
  assert.throws(() => parseJson('{"a": x}'), /character 6: a value is expected, found "x}"/)
  assert.throws(() => parseJson('[1'), /character 2: .* found the end/)
})

test('a string full of quotes and backslashes takes linear time', () => {
  const text = `"${'\\"'.repeat(500_000)}"`
  const start = processorMilliseconds()
  assert.equal((parseJson(text) as string).length, 500_000)
  refuses(`"${'\\'.repeat(1_000_001)}"`)
  assert.ok(processorMilliseconds() - start < 5000)
})

test('a long document is read in turns, as it is read at once, and refused the same', async () => {
  const nested = '{"a":[1,2.5,"x",{"b":[],"c":{}},null,true],"__proto__":{"d":-0.0}}'
  const texts = [nested, '7', '"x"', '[]', '{}', `[${nested},${nested}]`, `[${'1,'.repeat(50_000)}1]`]
  for (const text of texts) assert.deepEqual(await readJsonInTurns(text), parseJson(text), text.slice(0, 40))
  const refused = [
    '',
    '[',
    '[1',
    '[1,',
    '[1,]',
    '[1}',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{"a":1]',
    '[] []',
  ]
  for (const text of refused) {
    const told = (error: unknown) => (error instanceof Error ? error.message : '')
    const atOnce = await Promise.resolve(text).then(parseJson).catch(told)
    assert.equal(await readJsonInTurns(text).catch(told), atOnce, text)
    assert.match(String(atOnce), /is expected, found/, text)
  }
})

test('while a long document is read, others have their turn', async () => {
  let turns = 0
  let isRead = false
  const count = () => {
    turns++
    if (!isRead) setImmediate(count)
  }
  setImmediate(count)
  const began = processorMilliseconds()
  await readJsonInTurns(`{"a":[${'1.5,'.repeat(1_000_000)}1]}`)
  isRead = true
  const milliseconds = processorMilliseconds() - began
  assert.ok(turns >= milliseconds / 200, `${turns} turns in ${milliseconds} ms`)
})

test('a text that is longer than any document may hold is refused, however it is escaped', () => {
  for (const part of ['x', '\\n', '\\"', '\\\\']) refuses(`["${part.repeat(9_000_000)}"]`, 'limit-exceeded')
})
