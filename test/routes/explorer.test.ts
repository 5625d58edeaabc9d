import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { explorerPage, UNBUILT_SHELL } from '../../routes/explorer.ts'
import { packageFile } from '../../src/server/version.ts'
import { type RunningApp, runApp } from '../helpers/app.ts'

const SHELL = readFileSync(new URL('../../web/index.html', import.meta.url), 'utf8')
const BUOY = { id: 'buoy', title: 'A buoy', description: 'Hourly records.', format: 'netcdf3' }
const BUILT = packageFile('dist/web/index.html')
const skip = !existsSync(BUILT) && 'the explorer is not built: npm run build:web'

let app: RunningApp
before(async () => {
  app = await runApp({})
})
after(async () => await app.close())

function page(change: Partial<typeof BUOY> = {}, shows: 'catalog' | 'opening' = 'catalog'): string {
  return explorerPage({ shell: SHELL, datasets: [{ ...BUOY, ...change }], version: '0.1.0', shows })
}

test('the page lists each dataset before its script runs, as a link that opens it', () => {
  assert.match(page(), /<a href="\?source=buoy">/)
  assert.match(page(), /<strong>A buoy<\/strong><span class="tag">netcdf3<\/span>/)
  assert.match(page(), /virtual-zarr-server 0\.1\.0/)
})

test('a page that opens a source does not show the catalog first', () => {
  assert.doesNotMatch(page({}, 'opening'), /buoy/)
  assert.match(page({}, 'opening'), /role="status">Opening…/)
})

test('what a catalog contains never becomes markup on the page', () => {
  const hostile = `"'><script>alert(1)</script>&$'`
  const shown = page({ id: hostile, title: hostile, description: hostile, format: hostile })
  assert.equal(shown.match(/<script/g)?.length, 1)
  assert.ok(shown.includes('&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;$'))
})

test('an empty catalog is a page that says so', () => {
  const shown = explorerPage({ shell: SHELL, datasets: [], version: '0.1.0', shows: 'catalog' })
  assert.match(shown, /The catalog is empty\./)
})

test('a checkout without the built page says how to build it, and lists the catalog', () => {
  const shown = explorerPage({ shell: UNBUILT_SHELL, datasets: [BUOY], version: '0.1.0', shows: 'catalog' })
  assert.match(shown, /npm run build:web/)
  assert.match(shown, /A buoy/)
})

test('the policy of the page takes its own files only, and nothing on the page is inline', async () => {
  const answer = await app.http.inject({ url: '/' })
  const policy = String(answer.headers['content-security-policy'])
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|https?:|\*/)
  assert.doesNotMatch(answer.body, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i)
})

test('every file that the built page loads is served, compressed as asked for, and never changes', {
  skip,
}, async () => {
  const { body } = await app.http.inject({ url: '/' })
  const files = [...body.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, file = '']) => file)
  assert.ok(files.length >= 2)
  for (const file of files) {
    const plain = await app.http.inject({ url: `/${file}` })
    assert.equal(plain.statusCode, 200, file)
    assert.match(String(plain.headers['cache-control']), /immutable/)
    assert.equal(plain.headers['vary'], 'Accept-Encoding')
    const zipped = await app.http.inject({ url: `/${file}`, headers: { 'accept-encoding': 'gzip' } })
    assert.equal(zipped.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(zipped.rawPayload).toString(), plain.body)
    const refused = await app.http.inject({ url: `/${file}`, headers: { 'accept-encoding': 'gzip;q=0, br;q=0' } })
    assert.equal(refused.headers['content-encoding'], undefined)
  }
})

test('the first view is at most 100 kB, gzipped', { skip }, () => {
  const html = readFileSync(BUILT, 'utf8')
  const files = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, file = '']) =>
    packageFile(`dist/web/${file}`),
  )
  const bytes = [BUILT, ...files].reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0)
  assert.ok(bytes < 100_000, `${bytes} bytes`)
})

test('the page writes text, never markup', () => {
  const sources = globSync('web/src/**/*.{ts,tsx}', { cwd: packageFile('.') })
  assert.ok(sources.length > 40)
  const writing = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|dangerouslySetInnerHTML/
  assert.deepEqual(
    sources.filter((file) => writing.test(readFileSync(packageFile(file), 'utf8'))),
    [],
  )
})
