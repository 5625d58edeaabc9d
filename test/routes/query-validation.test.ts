import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type RunningApp, runApp } from '../helpers/app.ts'
import { netcdf3File } from '../helpers/netcdf3-file.ts'

let app: RunningApp
let source = ''
before(async () => {
  app = await runApp({ 'grid.nc': netcdf3File() })
  source = `url=${encodeURIComponent(pathToFileURL(`${app.folder}/grid.nc`).href)}`
})
after(async () => await app.close())

const REFUSED: readonly (readonly [target: string, detail: string, option: string])[] = [
  ['/resolve', 'the parameter url is missing', 'url'],
  ['/inspect', 'the parameter url is missing', 'url'],
  ['/resolve?url=', 'url is "", expected a text that is not empty', 'url'],
  ['/resolve?{source}&{source}', 'url is given more than once', 'url'],
  ['/resolve?{source}&codecs=raw&codecs=native', 'codecs is given more than once', 'codecs'],
  ['/inspect?store=a&store=b', 'store is given more than once', 'store'],
  ['/inspect?store=a&codecs=raw', "codecs can't stand beside store, which names its options itself", 'codecs'],
  ['/inspect/chunks?{source}', 'the parameter array is missing', 'array'],
  ['/inspect/chunks?{source}&array=temperature&first=x', 'first is "x", expected a whole number', 'first'],
  ['/inspect/chunks?{source}&array=temperature&first=-1', 'first is "-1", expected at least 0', 'first'],
  ['/inspect/chunks?{source}&array=temperature&first=1.5', 'first is "1.5", expected a whole number', 'first'],
  ['/export?{source}&to=csv', 'to is "csv", expected one of kerchunk, kerchunk-parquet, icechunk', 'to'],
  ['/verify?{source}&sample=all', 'sample is "all", expected a value such as 5% or 0.05', 'sample'],
  ['/resolve?{source}&codecs=zip', 'option codecs is "zip", allowed: portable, native, raw', 'codecs'],
]

for (const [target, detail, option] of REFUSED) {
  test(`a query that its route's schema refuses says what was found and what is expected: ${target}`, async () => {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await app.http.inject({ method, url: target.replaceAll('{source}', source) })
      assert.equal(answer.statusCode, 400)
      assert.equal(answer.headers['content-type'], 'application/problem+json')
      assert.equal(answer.headers['cache-control'], 'no-store')
      if (method === 'HEAD') continue
      assert.deepEqual(answer.json(), {
        type: '/problems/invalid-request',
        title: 'The request makes no sense',
        status: 400,
        detail,
        instance: `${target.split('?', 1)[0]}${target.includes('?') ? '?…' : ''}`,
        option,
      })
    }
  })
}

test('an option that no store has is refused with those that there are', async () => {
  const answer = await app.http.inject(`/resolve?${source}&colour=red`)
  assert.equal(answer.statusCode, 400)
  assert.match(answer.json<{ detail: string }>().detail, /^unknown option "colour", allowed: codecs, layout, /)
})

test('a long value is cut in the message', async () => {
  const { detail } = (await app.http.inject(`/export?${source}&to=${'x'.repeat(5000)}`)).json<{ detail: string }>()
  assert.ok(detail.length < 200, detail)
})

test('a default stands for a parameter that is not given, and a number may be spelled as one', async () => {
  const survey = async (first: string) =>
    (await app.http.inject(`/inspect/chunks?${source}&array=temperature${first}`)).json<{ first: number }>().first
  assert.equal(await survey(''), 0)
  assert.equal(await survey('&first=1'), 1)
})

test('a URL with a pattern of many files is no URI, and is taken', async () => {
  const pattern = encodeURIComponent(`${pathToFileURL(app.folder).href}/{grid,nothing}.nc`)
  const answer = await app.http.inject(`/resolve?url=${pattern}&along=time`)
  assert.notEqual(answer.json<{ type: string }>().type, '/problems/invalid-request')
})

test('an empty catalog and a dataset that is not in it are answered', async () => {
  assert.deepEqual((await app.http.inject('/datasets')).json(), { datasets: [] })
  assert.equal((await app.http.inject('/datasets/none')).statusCode, 404)
})
