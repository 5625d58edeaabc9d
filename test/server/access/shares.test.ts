import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { originOf, Shares } from '../../../src/server/access/shares.ts'

const never = new AbortController().signal

test('one client alone leaves a quarter free for another', () => {
  const shares = new Shares(8)
  const entered = Array.from({ length: 8 }, () => shares.enter('o', 'heavy', never))
  assert.equal(entered.filter((entry) => entry === undefined).length, 6)
  assert.equal(shares.enter('o', 'light', never), undefined)
  assert.equal(shares.enter('other', 'heavy', never), undefined, 'another origin has its own turns')
})

test('a client with a thousand waiting requests does not make another wait for them', async () => {
  const shares = new Shares(4)
  const order: string[] = []
  const ask = (client: string) => {
    const waited = shares.enter('o', client, never)
    if (waited === undefined) order.push(client)
    else void waited.then(() => order.push(client))
  }
  for (let at = 0; at < 500; at++) ask('heavy')
  for (let at = 0; at < 20; at++) ask('light')
  // Each turn that ends is followed by another; whose ended is told by the order in which they began.
  for (let at = 0; at < 60; at++) {
    const client = order[at]
    if (client !== undefined) shares.leave('o', client)
    await turn()
  }
  const lightAmongFirst = order.slice(0, 48).filter((client) => client === 'light').length
  assert.equal(lightAmongFirst, 20, order.slice(0, 48).join(' '))
})

test('who leaves while waiting takes no turn, and nothing is kept of who is gone', async () => {
  const shares = new Shares(1)
  const leaving = new AbortController()
  assert.equal(shares.enter('o', 'a', never), undefined)
  const waiting = shares.enter('o', 'b', leaving.signal)
  leaving.abort(new Error('gone'))
  await assert.rejects(async () => await waiting, /gone/)
  shares.leave('o', 'a')
  assert.equal(shares.origins, 0)
})

test('a queue has an end', () => {
  const shares = new Shares(1)
  assert.equal(shares.enter('o', 'a', never), undefined)
  for (let at = 0; at < 1000; at++) assert.ok(shares.enter('o', 'a', never) instanceof Promise)
  assert.throws(
    () => shares.enter('o', 'a', never),
    (error) => isVirtualZarrError(error, 'rate-limited'),
  )
})

test('one origin is one, however a pattern spells its host', () => {
  const origins = [
    ['http://a.example/x.nc', 'http://A.EXAMPLE/{1..9}.nc', 'HTTP://a.example:80/*.nc', 'http://a.example./{a,b}'],
    ['http://a.example:8080/x.nc', 'http://A.example:08080/{1..9}.nc'],
    ['https://a.example/x.nc', 'https://a.example:443/{1..9}.nc'],
    ['s3://bucket/a', 's3://bucket/{a,b}'],
    ['file:///a.nc', 'file:///{a,b}.nc'],
    ['http://{a,b}.example/x.nc'],
  ].map((urls) => new Set(urls.map(originOf)))
  for (const names of origins) assert.equal(names.size, 1, [...names].join())
  assert.equal(new Set(origins.flatMap((names) => [...names])).size, origins.length)
})
