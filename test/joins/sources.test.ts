import assert from 'node:assert/strict'
import test from 'node:test'
import { bracedSources, isPattern, patternUrl } from '../../src/joins/sources/braces.ts'
import { globOf } from '../../src/joins/sources/glob.ts'
import type { SourceList } from '../../src/joins/sources/source-list.ts'
import { sourcesOf } from '../../src/joins/sources/source-spec.ts'
import { templateSources } from '../../src/joins/sources/template.ts'
import { processorMilliseconds } from '../helpers/processor-time.ts'

function all(list: SourceList): string[] {
  return Array.from({ length: list.length }, (_none, position) => list.at(position))
}

const fields = (entries: Record<string, string | number | readonly (string | number)[]>) =>
  new Map(Object.entries(entries))

test('a template of numbers: the field named last runs fastest, formats fill up with zeros', () => {
  const list = templateSources('https://h/sst_{year}{month:02}.nc', fields({ year: '2000..2001', month: '11..12' }))
  assert.deepEqual(all(list), [
    'https://h/sst_200011.nc',
    'https://h/sst_200012.nc',
    'https://h/sst_200111.nc',
    'https://h/sst_200112.nc',
  ])
})

test('ranges with steps, downward, and lists of texts and numbers', () => {
  assert.deepEqual(all(templateSources('{n:03}', fields({ n: '0..12..6' }))), ['000', '006', '012'])
  assert.deepEqual(all(templateSources('{n}', fields({ n: '3..1' }))), ['3', '2', '1'])
  assert.deepEqual(all(templateSources('{n}', fields({ n: '03..05' }))), ['03', '04', '05'])
  assert.deepEqual(all(templateSources('{a}/{b}', fields({ a: ['x', 'y'], b: [7] }))), ['x/7', 'y/7'])
  assert.deepEqual(all(templateSources('{a}{a:02}', fields({ a: 5 }))), ['505'])
})

test('dates by months, days and hours, as strftime spells them', () => {
  const months = templateSources('{date:%Y%m}', fields({ date: '1999-11-01..2000-02-01..P1M' }))
  assert.deepEqual(all(months), ['199911', '199912', '200001', '200002'])
  const days = templateSources('{d:%Y/%j}', fields({ d: '2000-02-28..2000-03-01' }))
  assert.deepEqual(all(days), ['2000/059', '2000/060', '2000/061'])
  const hours = templateSources('{t:%d%H}', fields({ t: '2000-01-31T18:00..2000-02-01T12:00..PT6H' }))
  assert.deepEqual(all(hours), ['3118', '0100', '0106', '0112'])
  assert.equal(templateSources('{d}', fields({ d: '2000-01-15..2000-12-31..P1M' })).length, 12)
  assert.equal(templateSources('{d:%y}', fields({ d: ['1999-01-01', '2005-01-01'] })).at(1), '05')
})

test('the n-th of a million sources is arithmetic', () => {
  const before = process.memoryUsage().heapUsed
  const list = templateSources('https://h/{d:%Y%m%d%H}.nc', fields({ d: '1900-01-01..2014-01-29T15:00..PT1H' }))
  assert.equal(list.length, 1_000_000)
  assert.equal(list.at(999_999), 'https://h/2014012915.nc')
  assert(process.memoryUsage().heapUsed - before < 2 ** 22)
})

test('what makes no sense in a template is refused by name', () => {
  const refused: [string, Record<string, string | number | string[]>, RegExp][] = [
    ['{a}', {}, /names \{a\}/],
    ['x', { a: 1 }, /does not name \{a\}/],
    ['{a:%Q}', { a: '2000-01-01..2000-01-02' }, /%Q/],
    ['{a:%Y}', { a: '1..2' }, /not for numbers/],
    ['{a:02}', { a: ['x'] }, /neither/],
    ['{a}', { a: '1..5..0' }, /step/],
    ['{a}', { a: '1..5..-1' }, /step/],
    ['{a}', { a: '2000-01-31..2000-12-31..P1M' }, /28th/],
    ['{a}', { a: '2000-01-01..2000-12-31..P1MT1H' }, /mixes/],
    ['{a}', { a: '2000-01-01..1999-12-31' }, /no range of dates/],
    ['{a}', { a: '2000-01-01..2000-02-30' }, /no range of dates/],
    ['{a}', { a: [] }, /no values/],
    ['{a}{', { a: 1 }, /braces/],
    ['{a.b}', { a: 1 }, /braces|does not name/],
  ]
  for (const [template, specs, reason] of refused) {
    assert.throws(
      () => templateSources(template, fields(specs)),
      { code: 'malformed-source', message: reason },
      template,
    )
  }
})

test('braces of a URL are spelled out as a shell does it', () => {
  assert.deepEqual(
    all(bracedSources('https://h/a_{01..03}.nc')),
    ['01', '02', '03'].map((n) => `https://h/a_${n}.nc`),
  )
  assert.deepEqual(all(bracedSources('https://{x,y}/{1..2}')), [
    'https://x/1',
    'https://x/2',
    'https://y/1',
    'https://y/2',
  ])
  assert.equal(bracedSources('https://h/{000000..999999}.nc').at(42), 'https://h/000042.nc')
  for (const bad of ['https://h/{a', 'https://h/{{1..2}}', 'https://h/{1..2}/{x}']) {
    assert.throws(() => bracedSources(bad), { code: 'malformed-source' }, bad)
  }
})

test('a URL is a pattern when it says so unescaped, before its query', () => {
  for (const url of ['https://h/{1..2}.nc', 'https://h/{a,b}', 'https://h/*.nc', 's3://b/x*'])
    assert(isPattern(url), url)
  for (const url of [
    'https://h/a.nc',
    'https://h/%7B1..2%7D',
    'https://h/a?q={1..2}',
    'https://h/{uuid}.nc',
    'x{1..2}',
  ]) {
    assert(!isPattern(url), url)
  }
})

test('a pattern may count from a folder, as other URLs of a configuration do', () => {
  const base = new URL('file:///data/config.yaml')
  assert.equal(patternUrl('sst/{1..2}.nc', base), 'file:///data/sst/{1..2}.nc')
  assert.equal(patternUrl('https://h/*.nc', base), 'https://h/*.nc')
  assert.equal(patternUrl('sst/1.nc', base), undefined)
})

test('a glob takes names of files in the order of their numbers', async () => {
  const glob = globOf('https://h/data/run_*.nc')
  assert.equal(glob.folder, 'https://h/data/')
  const names = ['run_10.nc', 'run_9.nc', 'run_.nc', 'run_1.nc.bak', 'xrun_1.nc', 'run_a b.nc', 'run_7.nc/']
  assert.deepEqual(
    glob.matching(names).map((url) => url.slice(15)),
    ['run_9.nc', 'run_10.nc', 'run_.nc', 'run_a%20b.nc'],
  )
  assert.throws(() => globOf('https://h/*/a.nc'), { code: 'unsupported-feature' })
  assert.deepEqual(globOf('https://h/run_*').matching(['run_10/', 'run_9/', 'b/']), [
    'https://h/run_9/',
    'https://h/run_10/',
  ])
  assert.deepEqual(globOf('https://h/run_*/').matching(['run_1', 'run_2/']), ['https://h/run_2/'])
  const listed: string[] = []
  const list = async (folder: string) => {
    listed.push(folder)
    return ['a_1.nc', 'b_1.nc', 'a_2.nc']
  }
  const found = await sourcesOf([{ kind: 'pattern', pattern: 'https://h/{b,a}_*.nc' }], list)
  assert.deepEqual(all(found), ['https://h/b_1.nc', 'https://h/a_1.nc', 'https://h/a_2.nc'])
  assert.deepEqual(listed, ['https://h/'])
})

test('a pattern of many stars takes no time', () => {
  const glob = globOf(`https://h/${'*a'.repeat(2000)}*b`)
  const start = processorMilliseconds()
  assert.deepEqual(glob.matching(['a'.repeat(200_000)]), [])
  assert(processorMilliseconds() - start < 1000)
})

test('lists and templates stand one after the other; a million is the most', async () => {
  const never = async () => assert.fail('nothing is listed')
  const list = await sourcesOf(
    [
      { kind: 'list', urls: ['a', 'b'] },
      { kind: 'template', template: '{n}', fields: fields({ n: '1..2' }) },
    ],
    never,
  )
  assert.deepEqual(all(list), ['a', 'b', '1', '2'])
  const many = { kind: 'template', template: '{n}', fields: fields({ n: '1..1000001' }) } as const
  await assert.rejects(sourcesOf([many], never), { code: 'limit-exceeded' })
})
