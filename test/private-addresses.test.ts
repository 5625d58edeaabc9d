import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { startService, storeUrl, type TestService } from './corpus/service.ts'
import { assertProblem, get } from './corpus/store-client.ts'
import { type Origin, startOrigin } from './helpers/origin.ts'

/** Ways to say "this machine", "this network" or "this cloud's secrets"; `PORT` is that of a listener which must stay alone. */
const SPELLINGS = [
  'http://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://017700000001:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://127.255.255.254:PORT/',
  'http://0.0.0.0:PORT/',
  'http://0:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST.:PORT/',
  'http://foo.localhost:PORT/',
  'http://[::1]:PORT/',
  'http://[::]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[fe80::1]:PORT/',
  'http://[fd00:ec2::254]:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://user@127.0.0.1:PORT/',
  'http://127.0.0.1/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://metadata.google.internal/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/',
  'ftp://127.0.0.1:PORT/',
]

describe('GUARD-1: a private address is never connected to, whatever leads there', () => {
  let canary: Server
  let port: number
  let connections = 0
  let service: TestService
  let allowed: Origin

  before(async () => {
    canary = createServer((socket) => {
      connections++
      socket.destroy()
    })
    // Both families, so that no spelling of "here" goes unnoticed.
    await new Promise<void>((resolve) => canary.listen(0, '::', resolve))
    port = (canary.address() as AddressInfo).port
    allowed = await startOrigin()
    service = await startService({ allowSources: [allowed.base] })
  })
  after(async () => {
    await service?.close()
    await allowed?.close()
    await new Promise<void>((resolve) => canary.close(() => resolve()))
  })

  for (const spelling of SPELLINGS) {
    test(`${spelling} is refused without a connection`, async () => {
      const target = spelling.replace('PORT', String(port))
      const reply = await get(`${storeUrl(service, target)}zarr.json`)
      // A name that does not resolve here is an upstream failure; a scheme that is not built yet is 501.
      assertProblem(reply, /metadata\.google/.test(target) ? [403, 502] : [400, 403, 501], target)
      assert.equal(connections, 0)
    })

    test(`a redirect to ${spelling} is refused without a connection`, async () => {
      const location = spelling.replace('PORT', String(port))
      const path = encodeURIComponent(spelling)
      allowed.redirect(path, location)
      const reply = await get(`${storeUrl(service, allowed.url(path))}zarr.json`)
      assert.ok([400, 403, 501, 502].includes(reply.status), `${reply.status}`)
      assertProblem(reply, [reply.status], location)
      assert.equal(connections, 0)
    })
  }

  test('the listener would have noticed', async () => {
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`))
    assert.equal(connections, 1)
  })
})
