import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../helpers/ports.ts'
import { blocksOf } from './docs/blocks.ts'
import { startServer } from './server-process.ts'

const isInstalled = (command: string, argument: string) => spawnSync(command, [argument]).status === 0
const skip =
  (!isInstalled('nginx', '-v') || !isInstalled('openssl', 'version')) && 'nginx or openssl is not on this machine'

interface Answer {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: Buffer
}

/** Asks as a client of the host in the page would. */
async function ask(port: number, path: string): Promise<Answer> {
  const headers = { host: 'zarr.example.org', 'accept-encoding': 'gzip' }
  const asked = request({ port, path, headers, rejectUnauthorized: false }).end()
  const [answer] = await once(asked, 'response')
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(await answer.toArray()) }
}

test("the nginx of docs/operations.md gives the service's answers as they are, with links to itself", {
  skip,
}, async () => {
  const block = blocksOf('docs/operations.md').find(({ language }) => language === 'nginx')
  assert.ok(block !== undefined)
  const folder = mkdtempSync(join(tmpdir(), 'vz-nginx-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=zarr.example.org']
  execFileSync('openssl', [...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const server = await startServer({ VZ_TRUST_PROXY: 'true' })
  const port = await freePort()
  const own = block.code
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace(/ssl_certificate +\S+;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key +\S+;/, `ssl_certificate_key ${key};`)
    .replace('http://127.0.0.1:8080', server.url.replace(/\/$/, ''))
  assert.ok(!own.includes('8080') && !own.includes('/etc/'))
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, `daemon off; pid ${folder}/pid; events {} http { access_log off; ${places.join(' ')}\n${own}\n}`)
  const nginx = spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(nginx, 'exit')
  try {
    await untilAnswered(port)
    const source = encodeURIComponent('file:///nowhere')
    assert.equal((await ask(port, `/resolve?url=${source}`)).status, 403)
    const resolved = await ask(port, '/datasets')
    assert.match(resolved.body.toString(), /"https:\/\/zarr\.example\.org\/zarr\/sea-surface\//)
    for (const path of ['zarr/sea-surface/zarr.json', 'zarr/sea-surface/sst/c/0/0/0', 'zarr/currents/u/c/4/0/0']) {
      const direct = await fetch(`${server.url}${path}`, { headers: { 'accept-encoding': 'gzip' } })
      const through = await ask(port, `/${path}`)
      assert.equal(through.status, direct.status, path)
      for (const name of ['etag', 'cache-control', 'content-encoding', 'content-type'])
        assert.equal(through.headers[name] ?? null, direct.headers.get(name), `${path} ${name}`)
      if (direct.headers.get('content-encoding') === null)
        assert.ok(through.body.equals(Buffer.from(await direct.arrayBuffer())), path)
    }
    // A URL of 8 KB reaches the service.
    assert.notEqual((await ask(port, `/zarr/~${'a'.repeat(8000)}/zarr.json`)).status, 414)
  } finally {
    nginx.kill('SIGTERM')
    await ended
    await server.stop()
    rmSync(folder, { recursive: true })
  }
})

async function untilAnswered(port: number): Promise<void> {
  for (const end = Date.now() + 30_000; ; ) {
    const status = await ask(port, '/health/ready').then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 200) return
    assert.ok(Date.now() < end, 'nginx did not answer within 30 s')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
