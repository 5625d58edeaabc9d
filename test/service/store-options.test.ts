import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../src/errors.ts'
import { OPTION_NAMES, parseKeyOf, parseStoreOptions, viewKeyOf } from '../../src/service/store-options.ts'

const parse = (options: Record<string, string>) => parseStoreOptions(new Map(Object.entries(options)))

test('OPT-1: without options every default holds', () => {
  const options = parse({})
  assert.equal(options.codecs, 'portable')
  assert.equal(options.missing, 'cf')
  assert.equal(options.parse.layout, 'dataset')
  assert.equal(options.parse.nullFill, 'zero')
})

test('GEN-9: an unknown option is refused, and the message lists what there is', () => {
  assert.throws(
    () => parse({ codec: 'raw' }),
    (error) =>
      isVirtualZarrError(error, 'invalid-request') && OPTION_NAMES.every((name) => error.message.includes(name)),
  )
})

test('a bad value is refused, and the message lists the good ones', () => {
  assert.throws(
    () => parse({ codecs: 'fast' }),
    (error) => isVirtualZarrError(error, 'invalid-request') && error.message.includes('portable, native, raw'),
  )
  for (const bad of [
    { null_fill: 'minus one' },
    { group: '../etc' },
    { variables: 'a,,b' },
    { version: 'a b' },
    { format: 'exe' },
  ]) {
    assert.throws(
      () => parse(bad as Record<string, string>),
      (error) => isVirtualZarrError(error, 'invalid-request'),
      JSON.stringify(bad),
    )
  }
})

test('stores that are read alike share one parse, whatever their order of options', () => {
  const portable = parse({ codecs: 'portable', sentinel: 'warn' })
  const native = parse({ sentinel: 'warn', codecs: 'native' })
  assert.equal(parseKeyOf(portable), parseKeyOf(native))
  assert.notEqual(viewKeyOf(portable), viewKeyOf(native))
  assert.notEqual(parseKeyOf(portable), parseKeyOf(parse({ sentinel: 'error' })))
})

test('V2-2: null_fill takes a number in any float spelling', () => {
  for (const text of ['-1', '1e20', '.5', 'NaN', '-inf', '+3.25']) {
    assert.deepEqual(parse({ null_fill: text }).parse.nullFill, { text })
  }
})

test('V2-2: missing=strict takes no default for a fill value of null', () => {
  assert.equal(parse({ missing: 'strict' }).parse.nullFill, 'refuse')
  assert.equal(parse({ missing: 'strict', null_fill: 'zero' }).parse.nullFill, 'zero')
})

test('names of groups and variables may have slashes around them; "/" is the root', () => {
  assert.equal(parse({ group: '/a/b/' }).group, 'a/b')
  assert.equal(parse({ group: '/' }).group, undefined)
  assert.deepEqual(parse({ variables: '/a/b, c' }).variables, ['a/b', 'c'])
})
