import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readHtmlListing } from '../../src/source/http/html-listing.ts'
import { processorMilliseconds } from '../helpers/processor-time.ts'
import { failure, openWorld } from './world.ts'

const FOLDER = new URL('http://example.com/data/a.zarr/')

const NGINX = `<html>
<head><title>Index of /data/a.zarr/</title></head>
<body>
<h1>Index of /data/a.zarr/</h1><hr><pre><a href="../">../</a>
<a href="group/">group/</a>   01-Jan-2026 10:00  -
<a href=".zgroup">.zgroup</a>  01-Jan-2026 10:00  24
<a href="with%20blank%20%26%20more">with blank &amp; more</a>  01-Jan-2026 10:00  24
</pre><hr></body></html>`

const APACHE = `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">
<html><head><title>Index of /data/a.zarr</title></head><body><h1>Index of /data/a.zarr</h1>
<table><tr><th><a href="?C=N;O=D">Name</a></th><th><a href="?C=M;O=A">Last modified</a></th></tr>
<tr><td><a href="/data/">Parent Directory</a></td></tr>
<tr><td><a href="group/">group/</a></td></tr>
<tr><td><a href=".zgroup">.zgroup</a></td></tr>
</table><address>Apache/2.4 Server</address></body></html>`

const PYTHON = `<!DOCTYPE HTML>
<html lang="en"><head><meta charset="utf-8"><title>Directory listing for /data/a.zarr/</title></head>
<body><h1>Directory listing for /data/a.zarr/</h1><hr><ul>
<li><a href="group/">group/</a></li>
<li><a href=".zgroup">.zgroup</a></li>
</ul><hr></body></html>`

const GO = `<!doctype html>
<meta name="viewport" content="width=device-width">
<pre>
<a href=".zgroup">.zgroup</a>
<a href="group/">group/</a>
</pre>`

const CADDY = `<!DOCTYPE html><html><head><title>a.zarr/</title></head><body>
<header><h1><a href="/">/</a><a href="/data/">data/</a><a href="/data/a.zarr/">a.zarr/</a></h1></header>
<a href="?layout=grid">Grid</a>
<tr class="file"><td><a href="./group/"><span>group</span></a></td></tr>
<tr class="file"><td><a href="./.zgroup"><span>.zgroup</span></a></td></tr>
<footer>Served with <a rel="noopener noreferrer" href="https://caddyserver.com">Caddy</a></footer></body></html>`

describe('folder indexes', () => {
  for (const [server, page] of Object.entries({ APACHE, PYTHON, GO, CADDY })) {
    test(`the names of ${server} are those directly below the folder`, async () => {
      assert.deepEqual(await readHtmlListing(page, FOLDER), ['.zgroup', 'group/'])
    })
  }

  test('names are decoded, from entities and from percent signs', async () => {
    assert.deepEqual(await readHtmlListing(NGINX, FOLDER), ['.zgroup', 'group/', 'with blank & more'])
  })

  test('an empty folder is an empty list', async () => {
    assert.deepEqual(await readHtmlListing('<title>Index of /x/</title><a href="../">../</a>', FOLDER), [])
    assert.deepEqual(await readHtmlListing('<!doctype html>\n<pre>\n</pre>', FOLDER), [])
  })

  test('links that lead elsewhere are no names', async () => {
    const hrefs = [
      '../x',
      '/x',
      'http://example.org/data/a.zarr/x',
      '//example.org/data/a.zarr/x',
      'a/b',
      'a%2fb',
      '%2e%2e/',
      '..%2f..%2fx',
      'x?y=1',
      'javascript:alert(1)',
      '%00',
      '%ff',
      'a%5cb',
    ]
    const page = `<title>Index of /</title>${hrefs.map((href) => `<a href="${href}">x</a>`).join('')}<a href='ok'>ok</a>`
    assert.deepEqual(await readHtmlListing(page, FOLDER), ['ok'])
  })

  test('a page that is no index is none', async () => {
    assert.equal(await readHtmlListing('<html><h1>Welcome</h1><a href="/about">About</a></html>', FOLDER), undefined)
    assert.equal(await readHtmlListing('<form><input type="password"></form><a href="x">x</a>', FOLDER), undefined)
    assert.equal(await readHtmlListing('', FOLDER), undefined)
  })

  test('a hostile page is read in linear time', async () => {
    const start = processorMilliseconds()
    for (const piece of ['<a ', '<a href="', "<a href='", '<title', '<a href=&#', '&amp', '<a >', '<pre><meta ']) {
      await readHtmlListing(piece.repeat(Math.floor(4_000_000 / piece.length)), FOLDER)
    }
    const took = processorMilliseconds() - start
    assert.ok(took < 4_000, `${took} ms`)
  })
})

describe('listing over HTTP', () => {
  test('a folder is listed by its index page, with or without its final slash', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.answer('a.zarr/', 200, { 'content-type': 'text/html' }, PYTHON)
    assert.deepEqual(await sources.list(origin.url('a.zarr/')), ['.zgroup', 'group/'])
    assert.deepEqual(await sources.list(origin.url('a.zarr')), ['.zgroup', 'group/'])
  })

  test('no page, another type and a refusal are no listing; a failure is an error', async (t) => {
    const { origin, sources } = await openWorld(t)
    assert.equal(await sources.list(origin.url('none/')), undefined)
    origin.answer('a/', 403)
    assert.equal(await sources.list(origin.url('a/')), undefined)
    origin.answer('a/', 200, { 'content-type': 'application/xml' }, '<ListBucketResult/>')
    assert.equal(await sources.list(origin.url('a/')), undefined)
    origin.answer('a/', 500)
    await assert.rejects(sources.list(origin.url('a/')), failure('source-unavailable'))
  })

  test('a folder is no file, though it was asked for without its final slash', async (t) => {
    const { origin, sources } = await openWorld(t)
    origin.redirect('a.zarr', '/a.zarr/', 301)
    for (const status of [200, 403, 404]) {
      origin.answer('a.zarr/', status, { 'content-type': 'text/html' }, PYTHON)
      await assert.rejects(sources.open(origin.url('a.zarr')), failure('source-not-found'))
    }
  })

  test('a page over the limit is limit-exceeded', async (t) => {
    const { origin, sources } = await openWorld(t)
    const page = `<title>Index of /</title>${'<a href="x">x</a>'.repeat(300_000)}`
    origin.answer('a/', 200, { 'content-type': 'text/html' }, page)
    await assert.rejects(sources.list(origin.url('a/')), failure('limit-exceeded'))
  })
})
