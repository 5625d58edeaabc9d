import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startServing } from '../../src/server/start-serving.ts'
import type { VerifyReport } from '../../src/verify/report.ts'

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url))
const query = (name: string, more = '') =>
  `/verify?url=${encodeURIComponent(pathToFileURL(`${EXAMPLES}${name}`).href)}${more}`
const SETTINGS = { port: 0, 'log-level': 'silent', 'file-root': EXAMPLES }

test('nobody verifies on request where the operator does not say so', async () => {
  const service = await startServing({ settings: SETTINGS })
  try {
    const answer = await fetch(service.url + query('sea-surface.nc'))
    assert.equal(answer.status, 501)
    assert.match(await answer.text(), /VZ_ALLOW_VERIFY/)
  } finally {
    await service.close()
  }
})

test('where it is allowed, a source is verified behind the guard, one at a time', async () => {
  const service = await startServing({ settings: { ...SETTINGS, 'allow-verify': true } })
  try {
    const [first, second] = await Promise.all(
      [1, 2].map(async () => await fetch(service.url + query('sea-surface.nc', '&sample=100%25'))),
    )
    const answers = [first, second].toSorted((one, other) => (one?.status ?? 0) - (other?.status ?? 0))
    assert.deepEqual(
      answers.map((answer) => answer?.status),
      [200, 503],
    )
    const report = (await answers[0]?.json()) as VerifyReport
    assert.equal(report.totals.confirmed, 5)
    assert.match(report.reader ?? '', /^netcdfjs \d/)
    assert.equal((await fetch(service.url + query('sea-surface.nc', '&sample=all'))).status, 400)
    const private_ = `/verify?url=${encodeURIComponent('http://127.0.0.1:1/x.nc')}`
    assert.equal((await fetch(service.url + private_)).status, 403)
    assert.equal((await fetch(`${service.url}/verify?url=${encodeURIComponent('file:///etc/passwd')}`)).status, 403)
  } finally {
    await service.close()
  }
})
