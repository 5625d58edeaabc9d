import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseTemplate, parseTemplates } from '../../../src/formats/kerchunk/template/templates.ts'
import type { Value } from '../../../src/formats/kerchunk/template/value.ts'
import { processorMilliseconds } from '../../helpers/processor-time.ts'
import { parseReferences, ZGROUP, zarray } from './parse.ts'

const failure = (code: string) => ({ name: 'VirtualZarrError', code })

function render(text: string, variables: Record<string, Value> = {}, templates: Record<string, string> = {}): string {
  return parseTemplates(templates, {}).render(parseTemplate(text), new Map(Object.entries(variables)))
}

describe('templates', () => {
  // Each expectation is what Jinja 3.1 renders, but for names without a value, which are refused here.
  const cases: [string, string, Record<string, Value>?, Record<string, string>?][] = [
    ['plain', 'plain'],
    ['{{u}}/x', 'host/x', {}, { u: 'host' }],
    ['{{ u }}', 'host', {}, { u: 'host' }],
    ["http://{{f(c='text')}}", 'http://text', {}, { f: '{{c}}' }],
    ['{{f(i=i)}}', 'data/part2.bin', { i: 2n }, { dir: 'data', f: '{{dir}}/part{{i}}.bin' }],
    ['{{(i + 1) * 1000}}', '4000', { i: 3n }],
    ['{{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 7 - 2 * 3 }} {{ 12 // 5 * 2 % 3 }}', '3 -4 2 1 1'],
    ['{{ -(i + 1) - -2 }}', '-2', { i: 3n }],
    ["{{ '%03d' % i }} {{ '%3d' % i }} {{ '%d' % i }} {{ '%04d' % -i }}", '007   7 7 -007', { i: 7n }],
    ["{{ '100%% of %s' % name }}{{ 'it\\'s' }}", "100% of ait's", { name: 'a' }],
    ['{{ 9007199254740993 + 1 }}', '9007199254740994'],
  ]
  for (const [text, expected, variables, templates] of cases) {
    test(text, () => assert.equal(render(text, variables, templates), expected))
  }

  test('what is not understood, not known or without end is refused', () => {
    const refused: [string, Record<string, string>?][] = [
      ['{{ x }}'],
      ['{{ }}'],
      ['{{ 1 + }}'],
      ['{{ 1 1 }}'],
      ['{{ (1 }}'],
      ['{% for i in x %}'],
      ['{# x #}'],
      ["{{ ''.__class__ }}"],
      ["{{ ''.__class__() }}"],
      ['{{ 1 // 0 }}'],
      ['{{ 1 % 0 }}'],
      ["{{ 'a' * 5 }}"],
      ["{{ '%9999999d' % 1 }}"],
      ["{{ '%9999d' % 1 }}"],
      ["{{ '%d %d' % 1 }}"],
      ["{{ '%d' % 'a' }}"],
      ["{{ '%.2f' % 1 }}"],
      ['{{ f(1) }}', { f: 'x' }],
      ['{{ range(5) }}'],
      ['{{ a }}', { a: '{{ a }}' }],
      [
        '{{ a }}',
        {
          a: '{{b}}{{b}}{{b}}{{b}}{{b}}{{b}}{{b}}{{b}}{{b}}{{b}}',
          b: '{{c}}{{c}}{{c}}{{c}}{{c}}{{c}}{{c}}{{c}}{{c}}{{c}}',
          c: '{{d}}{{d}}{{d}}{{d}}{{d}}{{d}}{{d}}{{d}}{{d}}{{d}}',
          d: '{{e}}{{e}}{{e}}{{e}}{{e}}{{e}}{{e}}{{e}}{{e}}{{e}}',
          e: 'x',
        },
      ],
      [`{{ ${'('.repeat(5000)}1${')'.repeat(5000)} }}`],
      [`{{ ${'-'.repeat(5000)}1 }}`],
      [`{{ ${'1+'.repeat(6000)}1 }}`],
      [`{{ "${'x'.repeat(20_000)}" }}`],
    ]
    for (const [text, templates] of refused) {
      const started = processorMilliseconds()
      assert.throws(() => render(text, {}, templates), failure('unsupported-feature'), text.slice(0, 60))
      assert.ok(processorMilliseconds() - started < 2000, text.slice(0, 60))
    }
  })
})

test('what Jinja has and references do not use is refused by name', () => {
  const refused: readonly (readonly [text: string, named: RegExp])[] = [
    ['{{ 7 / 2 }}', /"\/ 2"/],
    ['{{ 2 ** 3 }}', /"\*" where a value is expected/],
    ['{{ 1.5 }}', /"1\.5"/],
    ["{{ 'a' ~ 'b' }}", /"~ 'b'"/],
    ["{{ '%02d'|format(1) }}", /"\|format\(1\)"/],
    ["{{ '{:02d}'.format(1) }}", /"\.format\(1\)"/],
    ["{{ ['a', 'b'][0] }}", /"\['a', 'b'\]\["/],
    ["{{ 'a' if 1 else 'b' }}", /"if" where the end is expected/],
    ['{{ 1 == 1 }}', /"=" where the end is expected/],
    ['{{ true }}', /the name "true"/],
    ['{{ range(5) }}', /"5" where the name of an argument is expected/],
    ["{{ '%s-%02d' % ('a', 1) }}", /"," where \) is expected/],
  ]
  for (const [text, named] of refused) {
    assert.throws(() => render(text), { code: 'unsupported-feature', message: named })
  }
})

describe('generators', () => {
  const withGen = (gen: unknown, shape = [8], chunks = [2]) =>
    parseReferences({
      version: 1,
      templates: { u: 'server.org' },
      gen: [gen],
      refs: { '.zgroup': ZGROUP, 'a/.zarray': zarray(shape, chunks), 'a/0': ['x', 9, 9] },
    })

  test('keys and places by expressions; they win over the references', async () => {
    const { chunk } = await withGen({
      key: 'a/{{i}}',
      url: 'http://{{u}}/f{{i}}',
      offset: '{{(i + 1) * 1000}}',
      length: '1000',
      dimensions: { i: { start: 0, stop: 4, step: 2 } },
    })
    assert.partialDeepStrictEqual(await chunk('a', 0), { url: 'http://server.org/f0', offset: 1000, length: 1000 })
    assert.partialDeepStrictEqual(await chunk('a', 2), { url: 'http://server.org/f2', offset: 3000 })
    assert.deepEqual(await chunk('a', 1), { kind: 'missing' })
  })

  test('the product of several dimensions, lists among them; without a place the whole object is meant', async () => {
    const gen = { key: 'a/{{i}}.{{j}}', url: 'f{{i}}_{{j}}', dimensions: { i: [0, 1], j: { stop: 2 } } }
    const { chunk } = await withGen(gen, [4, 4], [2, 2])
    assert.partialDeepStrictEqual(await chunk('a', 1, 0), { kind: 'object', url: 'https://example.com/data/f1_0' })
  })

  test('too many, or without sense, are refused', async () => {
    const key = 'a/{{i}}'
    const whole = { key, url: 'x', dimensions: { i: { stop: 1e12 } } }
    await assert.rejects(withGen(whole), failure('limit-exceeded'))
    const product = { key, url: 'x', dimensions: { i: { stop: 1e5 }, j: { stop: 1e5 }, k: { stop: 1e5 } } }
    await assert.rejects(withGen(product), failure('limit-exceeded'))
    const odd = [
      { key, url: 'x', dimensions: { i: { stop: 5, step: 0 } } },
      { key, url: 'x', offset: '1', dimensions: {} },
      { key },
      5,
      { key, url: 'x', offset: 'a', length: 'b', dimensions: { i: [1] } },
    ]
    for (const gen of odd) await assert.rejects(withGen(gen), failure('malformed-source'), JSON.stringify(gen))
  })

  test('dimensions of text are names; of anything but text and whole numbers, they are refused', async () => {
    const gen = { key: 'a/{{i}}', url: 'x', offset: '{{i}}', length: '8' }
    const { chunk } = await withGen({ ...gen, dimensions: { i: ['1', 2] } })
    assert.partialDeepStrictEqual(await chunk('a', 2), { offset: 2, length: 8 })
    for (const item of [1.5, true, null, [1]]) {
      await assert.rejects(withGen({ ...gen, dimensions: { i: [item] } }), failure('unsupported-feature'))
    }
  })

  test('a template that fails costs the chunks of its URL', async () => {
    const { chunk } = await parseReferences({
      version: 1,
      templates: { u: 'x' },
      refs: { '.zgroup': ZGROUP, 'a/.zarray': zarray([4], [2]), 'a/0': ['{{ v }}', 0, 8], 'a/1': ['{{ u }}', 0, 8] },
    })
    await assert.rejects(() => chunk('a', 0), failure('unsupported-feature'))
    assert.partialDeepStrictEqual(await chunk('a', 1), { url: 'https://example.com/data/x' })
  })
})
