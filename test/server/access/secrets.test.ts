import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readConfig } from '../../../src/server/config.ts'
import { ConfigError } from '../../../src/server/config-error.ts'
import { netcdf3File } from '../../helpers/netcdf3-file.ts'
import { runCli, type Server, startServer } from '../../helpers/process.ts'

const KEY = 'canary-key-0123456789abcdef'
const SIGNING = 'canary-signing-0123456789abcdef0123456789'
const WRONG = 'canary-guess-0123456789abcdef'

let folder: string
let source: string
let server: Server
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vz-secrets-'))
  await writeFile(join(folder, 'a.nc'), netcdf3File({ rows: 4, columns: 3 }))
  source = pathToFileURL(join(folder, 'a.nc')).href
  const config = join(folder, 'config.yaml')
  await writeFile(config, `api-keys: ["alice:${KEY}"]\nsigning-keys: ["${SIGNING}"]\n`)
  server = await startServer({ VZ_CONFIG: config, VZ_FILE_ROOT: folder, VZ_LOG_LEVEL: 'trace', VZ_RATE_LIMIT: '40/h' })
})
after(async () => {
  server.process.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

test('GUARD-9: no key and no signature is in a log, an answer, a metric or an error', async () => {
  const { stdout } = await runCli(['sign', source, '--for', '1h', '--codecs', 'raw'], {
    VZ_CONFIG: join(folder, 'config.yaml'),
    VZ_PUBLIC_URL: server.url,
  })
  const store = stdout.trim()
  const proof = /;sig=([\w-]+)/.exec(store)?.[1] ?? ''
  assert.match(store, /\/zarr\/~[\w-]+;codecs=raw;expires=\d{10};sig=[\w-]{43}\/$/)
  const outputs: string[] = []
  const ask = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, { headers })
    outputs.push(JSON.stringify([...answer.headers]), answer.statusText, await answer.text())
    return answer.status
  }
  const mine: Record<string, string> = { authorization: `Bearer ${KEY}` }
  assert.equal(await ask(`${store}zarr.json`), 200)
  assert.equal(await ask(`${store}nothing/zarr.json`), 404)
  assert.equal(await ask(`${store}nothing/c/0`), 400)
  assert.equal(await ask(`${store.replace('raw', 'native')}zarr.json`), 401)
  assert.equal(await ask(`${store.replaceAll(';', '%3b').replaceAll('=', '%3d')}zarr.json`), 200)
  assert.equal(await ask(`${server.url}/zarr/sst;expires=1;sig=${proof}/zarr.json`, mine), 401)
  assert.equal(await ask(`${server.url}/nowhere;sig=${proof}`, mine), 404)
  for (const headers of [{ 'x-api-key': WRONG }, { authorization: `Bearer ${WRONG}` }, { cookie: KEY }] as Record<
    string,
    string
  >[])
    assert.equal(await ask(`${server.url}/datasets`, headers), 401)
  for (const path of [
    '/metrics',
    '/openapi.json',
    '/datasets',
    `/inspect?url=${encodeURIComponent(source)}`,
    '/inspect?url=no',
    '/',
  ])
    await ask(server.url + path, mine)
  for (let at = 0; at < 50; at++) await ask(`${server.url}/datasets`, mine)
  const told = `${outputs.join('\n')}\n${server.log()}`
  assert.ok(server.log().includes('/zarr/~') && told.includes('rate-limited'))
  const hash = createHash('sha256').update(KEY).digest('hex')
  for (const secret of [KEY, SIGNING, WRONG, proof, hash]) assert.ok(!told.includes(secret), `${secret} was told`)
})

test('what is wrong with a key is told without the key', () => {
  for (const [name, text] of [
    ['VZ_API_KEYS', 'canary-short'],
    ['VZ_API_KEYS', 'a:b:canary-0123456789abcdef'],
    ['VZ_API_KEYS', 'UPPER:canary-0123456789abcdef'],
    ['VZ_API_KEYS', 'sha256:canary'],
    ['VZ_API_KEYS', 'a:canary-0123456789abcdef,a:canary-fedcba9876543210'],
    ['VZ_SIGNING_KEYS', 'canary-short-for-signing'],
  ] as const) {
    assert.throws(
      () => readConfig({ flags: {}, environment: { [name]: text }, bundledCatalog: undefined }),
      (error) => error instanceof ConfigError && error.message.startsWith(`${name}: `) && !/canary/.test(error.message),
      text,
    )
  }
})
