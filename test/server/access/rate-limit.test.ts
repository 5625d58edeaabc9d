import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAt, RateLimit, readRate } from '../../../src/server/access/rate-limit.ts'
import { ConfigError } from '../../../src/server/config-error.ts'

test('so many at once, then as many as time brings back', () => {
  const limit = new RateLimit({ count: 10, milliseconds: 1000 })
  for (let at = 0; at < 10; at++) assert.equal(limit.take('a', 5000), 0)
  assert.ok(Math.abs(limit.take('a', 5000) - 100) < 1e-6)
  assert.equal(limit.take('b', 5000), 0, 'another client has its own')
  assert.equal(limit.take('a', 5100), 0)
  assert.ok(limit.take('a', 5100) > 0)
  let taken = 0
  for (let now = 6200; now < 16_200; now++) if (limit.take('a', now) === 0) taken++
  assert.ok(Math.abs(taken - 110) <= 1, `${taken} in ten seconds after a rest`)
})

test('who is refused is not made to wait longer for asking again', () => {
  const limit = new RateLimit({ count: 1, milliseconds: 1000 })
  assert.equal(limit.take('a', 0), 0)
  for (let now = 1; now < 1000; now += 50) assert.ok(limit.take('a', now) > 0)
  assert.equal(limit.take('a', 1000), 0)
})

test('what other processes answered counts, up to two periods', () => {
  const limit = new RateLimit({ count: 10, milliseconds: 1000 })
  limit.spend('a', 10, 0)
  assert.ok(limit.take('a', 0) > 0)
  assert.equal(limit.take('a', 100), 0)
  limit.spend('b', 1_000_000, 0)
  assert.equal(limit.take('b', 1100), 0)
})

test('a flood of addresses has bounded memory', () => {
  const limit = new RateLimit({ count: 10, milliseconds: 60_000 })
  for (let at = 0; at < 300_000; at++) limit.take(`client ${at}`, at)
  assert.ok(limit.clients <= 100_000, `${limit.clients} clients`)
})

test('rates are read, and what is none is refused', () => {
  assert.deepEqual(readRate('100/s', 'VZ_RATE_LIMIT'), { count: 100, milliseconds: 1000 })
  assert.deepEqual(readRate('6000/m', 'VZ_RATE_LIMIT'), { count: 6000, milliseconds: 60_000 })
  assert.deepEqual(readRate('7', 'VZ_RATE_LIMIT'), { count: 7, milliseconds: 1000 })
  for (const text of ['0', '-1', '1/d', 'many', '1.5/s', '1/s/s']) {
    assert.throws(() => readRate(text, 'VZ_RATE_LIMIT'), ConfigError, text)
  }
})

test('addresses of one IPv6 network are one client', () => {
  assert.equal(clientAt('2001:db8:1:2:3:4:5:6'), clientAt('2001:0db8:0001:0002:ffff::1'))
  assert.equal(clientAt('2001:db8::1'), '2001:db8:0:0::/64')
  assert.notEqual(clientAt('2001:db8:1:2::1'), clientAt('2001:db8:1:3::1'))
  assert.equal(clientAt('::1'), '0:0:0:0::/64')
  assert.equal(clientAt('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(clientAt('::ffff:192.0.2.1'), '192.0.2.1')
  assert.equal(clientAt('192.0.2.1'), '192.0.2.1')
})

test('however an address is spelled, with a port or without, it is one client', () => {
  // Each row is one client.
  const clients = [
    ['192.0.2.1', '192.0.2.1:443', '192.0.2.1:50123', '::ffff:192.0.2.1', '::FFFF:192.0.2.1', '::ffff:c000:201']
      .concat([
        '0:0:0:0:0:ffff:192.0.2.1',
        '0000:0000:0000:0000:0000:FFFF:C000:0201',
        '[::ffff:192.0.2.1]:80',
        ' 192.0.2.1 ',
      ])
      .concat(['::ffff:192.0.2.1%eth0', '"192.0.2.1:80"']),
    [
      '2001:db8::1',
      '2001:DB8::1',
      '2001:0db8:0:0::ffff',
      '2001:db8:0:0:1:2:3:4',
      '[2001:db8::1]',
      '[2001:db8::1]:443',
    ].concat(['"[2001:db8::1]:443"', '2001:db8::1%eth0', '2001:db8::192.0.2.1', '2001:db8:0:0:0:0:0:0']),
    ['2001:db8:0:1::1', '2001:db8:0:1:ffff::'],
    ['fe80::1%eth0', 'fe80::1%25eth1', 'fe80::2'],
    ['192.0.2.2'],
    ['::1', '0:0:0:0:0:0:0:1', '[::1]:80'],
    [
      'unknown',
      '_hidden',
      '',
      'a.example',
      '999.1.1.1',
      '1.2.3',
      '1.2.3.4.5',
      '[::1',
      ':::',
      '192.0.2.1:80:80',
      '1.2.3.4/8',
    ],
  ]
  const named = clients.map((spellings) => new Set(spellings.map(clientAt)))
  for (const [at, names] of named.entries()) assert.equal(names.size, 1, `${clients[at]}: ${[...names]}`)
  assert.equal(new Set(named.flatMap((names) => [...names])).size, clients.length)
})
