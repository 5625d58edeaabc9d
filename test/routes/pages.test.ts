import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexPage } from '../../routes/pages.ts'

const STORE_URL = 'http://127.0.0.1:8080/zarr/buoy/'

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
  const page = indexPage({ path: '/zarr/buoy/', entries: ['zarr.json', 'temp/'], storeUrl: STORE_URL })
  assert.ok(page.includes('<title>Index of /zarr/buoy/</title>'))
  const lines = page.split('\n').filter((line) => line.includes('<a href="'))
  assert.deepEqual(lines, ['<li><a href="zarr.json">zarr.json</a></li>', '<li><a href="temp/">temp/</a></li>'])
})

test('GDAL gets links that its URLs can hold: a blank is escaped', () => {
  const entries = ['Data Fields/', 'a%20b c/']
  const page = indexPage({ path: '/zarr/x/', entries, storeUrl: STORE_URL, isForGdal: true })
  const links = [...page.matchAll(/<li><a href="([^"]*)">([^<]*)</g)].map(([, href, name]) => [href, name])
  assert.deepEqual(links, [
    ['Data%20Fields/', 'Data Fields/'],
    ['a%2520b%20c/', 'a%20b c/'],
  ])
})

test('a hostile name in an index page stays a relative link and text', () => {
  const page = indexPage({ path: '/zarr/x/', entries: ['"><script>/', 'javascript:x/'], storeUrl: STORE_URL })
  assert.doesNotMatch(page, /<script/)
  assert.match(page, /href="javascript%3Ax\/"/)
})

test('an index page leads to the explorer by a form, which no client takes for an entry', () => {
  const page = indexPage({
    path: '/zarr/a;codecs=raw/',
    entries: [],
    storeUrl: 'http://127.0.0.1:8080/zarr/a;codecs=raw/',
  })
  assert.match(
    page,
    /<form action="http:\/\/127\.0\.0\.1:8080\/" method="get"><input type="hidden" name="store" value="a;codecs=raw">/,
  )
  assert.deepEqual(fsspecEntries(page, 'http://127.0.0.1:8080/zarr/a;codecs=raw/'), [])
})

test('an index page has no inline script, style or event handler', () => {
  const page = indexPage({ path: '/zarr/buoy/', entries: ['zarr.json'], storeUrl: STORE_URL })
  assert.doesNotMatch(page, /<script|<style|\sstyle=|\son\w+=/i)
})
