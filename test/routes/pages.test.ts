import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type DatasetCard, indexPage, landingPage } from '../../routes/pages.ts'
import { runApp } from '../helpers/app.ts'

const dataset: DatasetCard = {
  id: 'buoy',
  title: 'A buoy',
  description: 'Hourly records.',
  format: 'netcdf3',
  storeUrl: 'http://127.0.0.1:8080/zarr/buoy/',
}

function landing(change: Partial<DatasetCard> = {}): string {
  return landingPage({ datasets: [{ ...dataset, ...change }], publicUrl: 'http://127.0.0.1:8080', version: '0.1.0' })
}

/** The links that fsspec's HTTP file system takes from a page: every link's target, and every URL in the text. */
function fsspecEntries(page: string, url: string): string[] {
  const links = [...page.matchAll(/<a\s+(?:[^>]*?\s+)?href=["']([^"']+)/gi)].map((match) => match[1] ?? '')
  const urls = page.match(/https?:\/\/[-a-zA-Z0-9@:%_+.~#?&/=]+/g) ?? []
  const folder = url.replace(/\/$/, '')
  return [...links, ...urls]
    .map((link) => (link.startsWith('/') && link.length > 1 ? new URL(link, url).href : link))
    .filter((link) => (link.startsWith('http') ? link.startsWith(`${folder}/`) : link !== '..' && link !== '../'))
    .map((link) => (link.startsWith('http') ? link : `${folder}/${link.replace(/^\//, '')}`))
}

test('the landing page lists each dataset with its store URL and a snippet for each client', () => {
  const page = landing()
  assert.match(page, /<h3>A buoy <span class="format">netcdf3<\/span><\/h3>/)
  assert.match(page, /xr\.open_zarr\(&quot;http:\/\/127\.0\.0\.1:8080\/zarr\/buoy&quot;\)/)
  assert.match(page, /new zarr\.FetchStore\(&quot;http:\/\/127\.0\.0\.1:8080\/zarr\/buoy&quot;\)/)
  assert.match(page, /curl --compressed &quot;http:\/\/127\.0\.0\.1:8080\/zarr\/buoy\/zarr\.json&quot;/)
})

test('what a catalog or a file contains never becomes markup on the landing page', () => {
  const hostile = `"'><script>alert(1)</script>&`
  const page = landing({ id: hostile, title: hostile, description: hostile, format: hostile, storeUrl: hostile })
  assert.equal(page.match(/<script/g)?.length, 1)
  assert.doesNotMatch(page, /alert\(1\)<\/script>/)
  assert.match(page, /&quot;&#39;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;&amp;/)
})

test('a store URL can not leave the quoted string of a snippet', () => {
  const page = landing({ storeUrl: 'http://h/zarr/a")\nimport os#$(id)`id`\'\\' })
  assert.match(page, /open_zarr\(&quot;http:\/\/h\/zarr\/a%22\)%0Aimport%20os#%24\(id\)%60id%60%27%5C&quot;\)/)
})

test('the pages have no inline script, style or event handler', () => {
  const pages = [landing(), indexPage({ path: '/zarr/buoy/', entries: ['zarr.json'], storeUrl: dataset.storeUrl })]
  for (const page of pages) {
    assert.doesNotMatch(page, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i)
  }
})

test('an empty catalog is a page that says so', () => {
  const page = landingPage({ datasets: [], publicUrl: 'http://127.0.0.1:8080', version: '0.1.0' })
  assert.match(page, /The catalog is empty\./)
})

test('every static file that the pages link to exists', () => {
  const linked = [...landing().matchAll(/(?:src|href)="static\/([^"]+)"/g)].map((match) => match[1])
  assert.deepEqual(linked.toSorted(), ['copy.js', 'page.css'])
  for (const name of linked) assert.ok(existsSync(new URL(`../../routes/static/${name}`, import.meta.url)), name)
})

test('every module that the page script imports is served', async () => {
  const app = await runApp({})
  try {
    for (const url of ['/static/copy.js', '/static/map-snippets.js', '/static/page.css']) {
      assert.equal((await app.http.inject({ url })).statusCode, 200, url)
    }
    const imported = (await app.http.inject({ url: '/static/copy.js' })).body.match(/from '.*'/g)
    assert.deepEqual(imported, ["from './map-snippets.js'"])
  } finally {
    await app.close()
  }
})

test('the page script writes text, never markup', () => {
  const script = readFileSync(new URL('../../routes/static/copy.js', import.meta.url), 'utf8')
  assert.doesNotMatch(script, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/)
})

test('fsspec lists exactly the entries of an index page', () => {
  const url = 'http://127.0.0.1:8080/zarr/buoy/'
  const page = indexPage({ path: '/zarr/buoy/', entries: ['zarr.json', 'temp/', 'a group/'], storeUrl: url })
  assert.deepEqual(fsspecEntries(page, url), [`${url}zarr.json`, `${url}temp/`, `${url}a group/`])
})

test('fsspec finds names as they are, but for what would mean something else in a link', () => {
  const url = 'http://127.0.0.1:8080/zarr/buoy/'
  const page = indexPage({ path: '/zarr/buoy/', entries: ['é 温度;+=/', `it's & "100%"/`], storeUrl: url })
  assert.deepEqual(fsspecEntries(page, url), [`${url}é 温度;+=/`, `${url}it%27s %26 %22100%25%22/`])
})

test('fsspec lists exactly the entries of the index page of a group below the root', () => {
  const storeUrl = 'http://127.0.0.1:8080/zarr/~aHR0cA;codecs=raw/'
  const page = indexPage({ path: '/zarr/~aHR0cA;codecs=raw/sub/', entries: ['zarr.json'], storeUrl })
  assert.deepEqual(fsspecEntries(page, `${storeUrl}sub/`), [`${storeUrl}sub/zarr.json`])
})

test('GDAL finds the path in the title and one link a line', () => {
  const page = indexPage({ path: '/zarr/buoy/', entries: ['zarr.json', 'temp/'], storeUrl: dataset.storeUrl })
  assert.ok(page.includes('<title>Index of /zarr/buoy/</title>'))
  const lines = page.split('\n').filter((line) => line.includes('<a href="'))
  assert.deepEqual(lines, ['<li><a href="zarr.json">zarr.json</a></li>', '<li><a href="temp/">temp/</a></li>'])
})

test('a hostile name in an index page stays a relative link and text', () => {
  const page = indexPage({ path: '/zarr/x/', entries: ['"><script>/', 'javascript:x/'], storeUrl: dataset.storeUrl })
  assert.doesNotMatch(page, /<script/)
  assert.match(page, /href="javascript%3Ax\/"/)
})
