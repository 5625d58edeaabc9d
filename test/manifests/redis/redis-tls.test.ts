import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startServer } from '../../helpers/process.ts'
import { startRedis, until, withoutRedis } from '../../helpers/redis.ts'

const folder = await mkdtemp(join(tmpdir(), 'vz-redis-tls-'))
after(() => rm(folder, { recursive: true, force: true }))
const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]

const skip = withoutRedis || withoutCertificate()
if (skip) console.log(`skipped: ${skip}`)

test('rediss: is TLS; whom nobody vouches for is not spoken to', { skip }, async () => {
  const settings = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-auth-clients', 'no']
  const redis = await startRedis([...settings, '--requirepass', 'canary'], true)
  const environment = { VZ_REDIS_URL: `rediss://:canary@localhost:${redis.port}` }
  const trusting = await startServer({ ...environment, NODE_EXTRA_CA_CERTS: certificate })
  const careful = await startServer(environment)
  await until('it answers', () => /VZ_REDIS_URL answers/.test(trusting.log()))
  await until('the reason is told', () => /VZ_REDIS_URL is not used/.test(careful.log()))
  assert.match(careful.log(), /self-signed certificate/)
  assert.doesNotMatch(careful.log(), /VZ_REDIS_URL answers/)
  for (const server of [trusting, careful]) {
    assert.equal((await fetch(`${server.url}/health/ready`)).status, 200)
    assert.doesNotMatch(server.log(), /canary/)
    assert.equal(await server.stop(), 0)
  }
  await redis.end()
})

/** Makes a certificate for localhost; answers why it can't. */
function withoutCertificate(): string | false {
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate]
  try {
    execFileSync('openssl', [...words, ...names], { stdio: 'ignore' })
    return false
  } catch {
    return 'openssl is not on this machine'
  }
}
