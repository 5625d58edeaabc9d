import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseReferences, ZGROUP, zarray } from './parse.ts'

const failure = (code: string) => ({ name: 'VirtualZarrError', code })

describe('what a document of references says', () => {
  test('version 1 and version 0 are the same references', async () => {
    const refs = { '.zgroup': ZGROUP, 'a/.zarray': zarray([4], [2]), 'a/0': ['x.bin', 10, 8], 'a/1': ['x.bin'] }
    for (const document of [{ version: 1, refs }, { refs, version: 1 }, refs]) {
      const parsed = await parseReferences(document)
      const first = {
        kind: 'range',
        source: 1,
        offset: 10,
        length: 8,
        encoding: 0,
        url: 'https://example.com/data/x.bin',
      }
      assert.deepEqual(await parsed.chunk('a', 0), first)
      assert.partialDeepStrictEqual(await parsed.chunk('a', 1), { kind: 'object', isRequired: true, url: first.url })
      assert.deepEqual(
        parsed.diagnostics.map(({ code }) => code),
        ['dimension-names-invented'],
      )
    }
  })

  test('references may come before the metadata, templates after the references', async () => {
    const { chunk } = await parseReferences({
      refs: { 'g/a/1.0': ['{{u}}/b', 1, 2], 'g/a/.zarray': zarray([4, 2], [2, 2]), '.zgroup': ZGROUP },
      templates: { u: 'https://other.org/dir' },
      version: 1,
    })
    assert.partialDeepStrictEqual(await chunk('g/a', 1, 0), { url: 'https://other.org/dir/b', offset: 1, length: 2 })
    assert.deepEqual(await chunk('g/a', 0, 0), { kind: 'missing' })
  })

  test('text is its UTF-8 bytes, base64: what it stands for; metadata may be text, base64 or an object', async () => {
    const { chunk, root } = await parseReferences({
      '.zgroup': { zarr_format: 2 },
      '.zattrs': `base64:${Buffer.from('{"title":"x"}').toString('base64')}`,
      'a/.zarray': JSON.parse(zarray([4], [1], { dtype: '|u1' })),
      'a/0': 'é',
      'a/1': '\u0000$',
      'a/2': 'base64:AAEC',
      'a/3': 'base64:AAE\nC',
    })
    const bytes = async (at: number) => {
      const ref = await chunk('a', at)
      return ref.kind === 'inline' ? [...ref.bytes] : ref
    }
    assert.deepEqual(
      [await bytes(0), await bytes(1), await bytes(2), await bytes(3)],
      [
        [0xc3, 0xa9],
        [0, 0x24],
        [0, 1, 2],
        [0, 1, 2],
      ],
    )
    assert.equal(root.attributes.get('title'), 'x')
  })

  test('FV-KERCHUNK-1: fill values in every spelling, bare NaN tokens in the text of a document included', async () => {
    const fill = async (dtype: string, value: string) => {
      const text = zarray([1], [1], { dtype }).replace('"fill_value":0', `"fill_value":${value}`)
      const { array } = await parseReferences({ '.zgroup': ZGROUP, 'a/.zarray': text })
      return array('a').fillValue
    }
    assert.deepEqual(await fill('<f4', 'NaN'), { kind: 'number', value: Number.NaN })
    assert.deepEqual(await fill('<f8', '"nan"'), { kind: 'number', value: Number.NaN })
    assert.deepEqual(await fill('<f8', 'null'), { kind: 'number', value: 0 })
    assert.deepEqual(await fill('<i8', '-9223372036854775808'), { kind: 'bigint', value: -(2n ** 63n) })
    assert.deepEqual(await fill('<u8', '18446744073709551615'), { kind: 'bigint', value: 2n ** 64n - 1n })
  })

  test('an array at the root, scalars, and keys with slashes between the coordinates', async () => {
    const root = await parseReferences({ '.zarray': zarray([4, 4], [2, 2]), '0.1': ['x', 0, 4], '1.1': ['x', 4, 4] })
    assert.partialDeepStrictEqual(await root.chunk('', 1, 1), { offset: 4 })
    const slashed = zarray([4, 4], [2, 2], { dimension_separator: '/' })
    const { chunk } = await parseReferences({
      '.zgroup': ZGROUP,
      'a/.zarray': slashed,
      'a/1/0': ['x', 7, 4],
      's/.zarray': zarray([], []),
      's/0': ['x', 9, 4],
      's/1': ['x', 10, 4],
    })
    assert.partialDeepStrictEqual(await chunk('a', 1, 0), { offset: 7 })
    assert.partialDeepStrictEqual(await chunk('s'), { offset: 9 })
  })

  test('arrays whose names are numbers keep their chunks apart', async () => {
    const { chunk, diagnostics } = await parseReferences({
      '.zgroup': ZGROUP,
      '0/.zarray': zarray([4, 4], [2, 2]),
      '1/.zarray': zarray([2, 2], [2, 2]),
      '0/0.1': ['x', 1, 4],
      '0/1.1': ['x', 2, 4],
      '1/0.0': ['x', 3, 4],
      '1/0.1': ['x', 4, 4],
      'level/01/.zarray': zarray([2], [2]),
      'level/01/0': ['x', 5, 4],
    })
    assert.partialDeepStrictEqual(await chunk('0', 1, 1), { offset: 2 })
    assert.partialDeepStrictEqual(await chunk('1', 0, 0), { offset: 3 })
    assert.partialDeepStrictEqual(await chunk('level/01', 0), { offset: 5 })
    assert.ok(diagnostics.some(({ code }) => code === 'references-outside-grid'))
  })

  test('Zarr v3 documents among the references', async () => {
    const document = (shape: number[]) => ({
      zarr_format: 3,
      node_type: 'array',
      shape,
      data_type: 'int32',
      fill_value: 7,
      chunk_grid: { name: 'regular', configuration: { chunk_shape: shape.map(() => 2) } },
      chunk_key_encoding: { name: 'default' },
      codecs: [{ name: 'bytes', configuration: { endian: 'big' } }],
    })
    const { chunk, array } = await parseReferences({
      'zarr.json': '{"zarr_format":3,"node_type":"group"}',
      'a/zarr.json': JSON.stringify(document([4, 4])),
      'a/c/1/0': ['x', 5, 16],
      's/zarr.json': JSON.stringify(document([])),
      's/c': ['x', 6, 4],
    })
    assert.partialDeepStrictEqual(await chunk('a', 1, 0), { offset: 5 })
    assert.partialDeepStrictEqual(await chunk('s'), { offset: 6 })
    assert.deepEqual(array('a').fillValue, { kind: 'number', value: 7 })
  })

  test('of a key that is there twice the last counts', async () => {
    const text = `{".zarray":${JSON.stringify(zarray([40], [2]))},"3":["x",1,8],"3":["x",2,8],"0":["x",3,8]}`
    const { chunk } = await parseReferences(text)
    assert.partialDeepStrictEqual(await chunk('', 3), { offset: 2 })
  })

  test('keys and URLs with escapes are what they spell, and a byte order mark is passed over', async () => {
    const text = `\ufeff{"version":1,"refs":{".zgroup":"{\\"zarr_format\\":2}","\\u0061\\/.zarray":${JSON.stringify(zarray([2], [2]))},"a\\/0":["sub\\/\\u0078.bin",1,8]}}`
    const { chunk } = await parseReferences(text)
    assert.partialDeepStrictEqual(await chunk('a', 0), { url: 'https://example.com/data/sub/x.bin', offset: 1 })
  })
})

describe('what is broken', () => {
  const one = (reference: unknown, url = 'https://example.com/data/refs.json') =>
    parseReferences({ '.zgroup': ZGROUP, 'a/.zarray': zarray([4], [2]), 'a/0': reference, 'a/1': ['x', 0, 8] }, url)

  test('a reference that makes no sense costs its own chunk', async () => {
    const broken = [
      ['x', -4, 8],
      ['x', 0, -8],
      ['x', 0, 0],
      ['x', 5, 0],
      ['x', 1.5, 8],
      ['x', 2 ** 60, 8],
      ['x', '0', 8],
      ['x', 1],
      [],
      [1, 2, 3],
      ['', 0, 8],
      ['x', 0, 8, 9],
      ['x', null, null],
      null,
      5,
      true,
      {},
      '',
      'base64:',
      'base64:A',
      'base64:A===',
      '\ud800',
      [`${'x'.repeat(9000)}`, 0, 8],
    ]
    for (const reference of broken) {
      const { chunk } = await one(reference)
      await assert.rejects(() => chunk('a', 0), failure('source-unavailable'), JSON.stringify(reference)?.slice(0, 40))
      assert.partialDeepStrictEqual(await chunk('a', 1), { kind: 'range', offset: 0 })
    }
  })

  test('GUARD-5: a reference can not leave the folder of its document', async () => {
    for (const url of [
      '../x',
      'a/../../x',
      '/etc/passwd',
      '//other.org/x',
      '%2e%2e/x',
      '..%2fx',
      '..\\x',
      '.',
      'a::b',
      'simplecache::https://a.b/c',
      'mailto:x',
      'http://[',
      ' ',
      'a\u0000b',
    ]) {
      const { chunk, references } = await one([url, 0, 8])
      await assert.rejects(() => chunk('a', 0), failure('source-unavailable'), url)
      assert.equal(references.length, 1, url)
    }
  })

  test('within the folder names may be odd, absolute URLs go where the guard lets them, local documents know paths', async () => {
    const cases: [string, string, string?][] = [
      ['sub/x.nc', 'https://example.com/data/sub/x.nc'],
      ['./a/../b c.nc', 'https://example.com/data/b%20c.nc'],
      ['a#1?.nc', 'https://example.com/data/a%231%3F.nc'],
      ['100%.nc', 'https://example.com/data/100%25.nc'],
      ['file:///etc/passwd', 'file:///etc/passwd'],
      ['s3://bucket/key', 's3://bucket/key'],
      ['s3://bucket/a b#?%41+.nc', 's3://bucket/a%20b%23%3F%2541+.nc'],
      ['abfs://box@account.dfs.core.windows.net/a b', 'abfs://box@account.dfs.core.windows.net/a%20b'],
      ['s3://bucket/a.nc?versionId=v1', 's3://bucket/a.nc?versionId=v1'],
      ['https://a.org/x?sig=1', 'https://a.org/x?sig=1'],
      ['/srv/a b.nc', 'file:///srv/a%20b.nc', 'file:///data/refs.json'],
      ['b.nc', 'file:///data/b.nc', 'file:///data/refs.json'],
    ]
    for (const [text, url, document] of cases) {
      const { chunk } = await one([text, 0, 8], document)
      assert.partialDeepStrictEqual(await chunk('a', 0), { url })
    }
  })

  test('a broken document of one array costs that array', async () => {
    const { root } = await parseReferences({
      '.zgroup': ZGROUP,
      'a/.zarray': '{"zarr_format":',
      'b/.zarray': zarray([2], [2]),
      'c/.zarray': ['x', 0, 10],
      'd/.zarray': zarray([2], [2]),
      'd/.zattrs': 'nonsense',
    })
    assert.equal(root.kind, 'group')
    const kinds = root.kind === 'group' ? [...root.members].map(([name, member]) => `${name} ${member.kind}`) : []
    assert.deepEqual(kinds.sort(), ['a skipped', 'b array', 'c skipped', 'd skipped'])
  })

  test('what is no document of references is malformed, wherever it ends', async () => {
    const whole = JSON.stringify({
      version: 1,
      templates: { u: 'x' },
      refs: { '.zgroup': ZGROUP, 'a/.zarray': zarray([2], [2]), 'a/0': ['{{u}}', 1, 2] },
    })
    for (let length = 0; length < whole.length; length++) {
      await assert.rejects(parseReferences(whole.slice(0, length)), failure('malformed-source'), whole.slice(0, length))
    }
    for (const text of [
      '[]',
      '{}',
      '{"version":2,"refs":{}}',
      `${whole}x`,
      whole.replace(',', ',,'),
      '{"refs":{"a":tru}}',
      '{"version":1,"refs":[]}',
      '{"templates":5,"refs":{".zgroup":"{}"}}',
    ]) {
      await assert.rejects(parseReferences(text), failure('malformed-source'), text.slice(0, 60))
    }
    await assert.rejects(parseReferences(`{"refs":{"x":${'['.repeat(100_000)}`), failure('limit-exceeded'))
  })

  test('paths that lead out of the store are passed over', async () => {
    const { root, diagnostics } = await parseReferences({
      '.zgroup': ZGROUP,
      '../a/.zarray': zarray([2], [2]),
      'b//c/.zarray': zarray([2], [2]),
      '__proto__/.zarray': zarray([2], [2]),
    })
    assert.deepEqual(root.kind === 'group' && [...root.members.keys()], ['__proto__'])
    assert.equal(diagnostics.filter(({ code }) => code === 'name-unusable').length, 2)
  })
})
