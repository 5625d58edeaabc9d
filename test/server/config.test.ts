import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../../src/server/config.ts'
import { ConfigError } from '../../src/server/config-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'vz-config-'))
after(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const read = (environment: Record<string, string>, flags: Record<string, string> = {}) =>
  readConfig({ environment, flags, bundledCatalog: undefined })

const namesKey = (key: string) => (error: unknown) =>
  error instanceof ConfigError && error.message.startsWith(`${key}:`)

test('SET-1: without settings the server is private', () => {
  const config = read({})
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.port, 8080)
  assert.equal(config.freshSeconds, 60)
  assert.equal(config.maxWholeBytes, 64 * 2 ** 20)
  assert.deepEqual(config.fileRoots, [])
})

test('flags win over the environment, which wins over the file', () => {
  const config = file('a.yaml', 'port: 1111\nVZ_FRESH_SECONDS: 7\ncache-bytes: 2000000\n')
  const merged = read({ VZ_CONFIG: config, PORT: '2222', VZ_CACHE_BYTES: '3000000' }, { port: '3333' })
  assert.equal(merged.port, 3333)
  assert.equal(merged.cacheBytes, 3_000_000)
  assert.equal(merged.freshSeconds, 7)
})

test('an empty variable is unset', () => {
  assert.equal(read({ PORT: '', VZ_FILE_ROOT: '' }).port, 8080)
})

test('an error names its key', () => {
  for (const [key, text] of Object.entries({
    PORT: '70000',
    VZ_CACHE_BYTES: '1e9',
    VZ_LOG_LEVEL: 'loud',
    VZ_TRUST_PROXY: 'maybe',
    VZ_ALLOW_SOURCES: 'nowhere',
    VZ_PUBLIC_URL: 'ftp://x',
  })) {
    assert.throws(() => read({ [key]: text }), namesKey(key), key)
  }
})

test('the public URL is one that links can begin with', () => {
  const read = (url: string) =>
    readConfig({ flags: {}, environment: { VZ_PUBLIC_URL: url }, bundledCatalog: undefined })
  for (const url of [
    'http://',
    'http://a b',
    'http://a:99999',
    'https://[::1',
    'http://user@a',
    'javascript:a',
    'a.example',
    'http://a?x',
  ])
    assert.throws(() => read(url), ConfigError, url)
  assert.equal(read('https://zarr.example.org/archive/').publicUrl, 'https://zarr.example.org/archive')
})

test('tiles are a URL of pages with its three places, from a host that no visitor chooses', () => {
  const template = 'https://tiles.example.org/{z}/{x}/{y}.png'
  assert.equal(read({ VZ_TILES: `${template} Somebody` }).tiles, `${template} Somebody`)
  for (const text of [
    'https://tiles.example.org/{z}/{x}.png',
    'https://{x}.example.org/{z}/{y}.png',
    "https://a.example.org;script-src'none'/{z}/{x}/{y}",
    'javascript:{z}{x}{y}',
    '/{z}/{x}/{y}.png',
  ])
    assert.throws(() => read({ VZ_TILES: text }), namesKey('VZ_TILES'), text)
})

test('default options are those of a URL that do not depend on the source', () => {
  assert.equal(read({}).defaultOptions.size, 0)
  assert.deepEqual(
    [...read({ VZ_DEFAULT_OPTIONS: 'sentinel=warn; codecs=native' }).defaultOptions],
    [
      ['sentinel', 'warn'],
      ['codecs', 'native'],
    ],
  )
  for (const text of ['sentinel', 'sentinel=maybe', 'version=1', 'group=a', 'codecs=raw;codecs=raw', 'nothing=1'])
    assert.throws(() => read({ VZ_DEFAULT_OPTIONS: text }), namesKey('VZ_DEFAULT_OPTIONS'), text)
})

test('a setting that is unknown stops the start', () => {
  assert.throws(() => read({ VZ_CASH_BYTES: '1' }), namesKey('VZ_CASH_BYTES'))
})

test('the URL of a server of Redis is read, and not repeated where it is none', () => {
  assert.equal(read({ VZ_REDIS_URL: 'rediss://user:word@host/2' }).redis?.database, 2)
  assert.throws(
    () => read({ VZ_REDIS_URL: 'http://user:canary@host' }),
    (error) => namesKey('VZ_REDIS_URL')(error) && !String(error).includes('canary'),
  )
})

test('a catalog in the file counts its relative URLs from the file', () => {
  const path = file(
    'b.yaml',
    'datasets:\n  - id: sst\n    title: Sea\n    url: data/sst.nc\n    options: { codecs: native }\n',
  )
  const dataset = read({ VZ_CONFIG: path }).catalog.get('sst')
  assert.equal(dataset?.sourceUrl, `file://${resolve(folder, 'data/sst.nc')}`)
  assert.equal(dataset?.options.get('codecs'), 'native')
})

test('a catalog entry may be many files by braces', () => {
  const path = file('many.yaml', "datasets:\n  - id: sst\n    url: 'data/sst_{2000..2020}.nc'\n")
  const dataset = read({ VZ_CONFIG: path }).catalog.get('sst')
  assert.equal(dataset?.sourceUrl, `file://${resolve(folder, 'data')}/sst_{2000..2020}.nc`)
})

test('a catalog entry that makes no sense is named', () => {
  const bad: Record<string, string> = {
    'datasets[0].id': 'datasets: [{ id: "A B", url: x }]',
    'datasets[0].url': 'datasets: [{ id: a }]',
    'datasets[1].id': 'datasets: [{ id: a, url: x }, { id: a, url: y }]',
    'datasets[0].options': 'datasets: [{ id: a, url: x, options: { codecs: odd } }]',
    'datasets[0].titel': 'datasets: [{ id: a, url: x, titel: T }]',
  }
  for (const [key, text] of Object.entries(bad)) {
    assert.throws(() => read({ VZ_CONFIG: file('c.yaml', text) }), namesKey(key), key)
  }
})

test('a JSON file is read as well, and one that is neither is refused by name', () => {
  assert.equal(read({ VZ_CONFIG: file('d.json', '{"port": 99}') }).port, 99)
  assert.throws(() => read({ VZ_CONFIG: file('e.yaml', 'a: [') }), namesKey('VZ_CONFIG'))
  assert.throws(() => read({ VZ_CONFIG: join(folder, 'absent') }), namesKey('VZ_CONFIG'))
})
