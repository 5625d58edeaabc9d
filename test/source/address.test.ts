import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from '../../src/source/address.ts'

const REFUSED = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::8.8.8.8',
  '100::1',
  '2001::1',
  '2001:0:7f00:1::',
  '2001:db8::1',
  '2001:10::1',
  '2002:7f00:1::',
  '2002:808:808::',
  '2600::5efe:127.0.0.1',
  '2600::200:5efe:10.0.0.1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fe80::5efe:127.0.0.1',
  'fec0::1',
  'ff02::1',
  '[::1]',
  '',
  'localhost',
]

const ALLOWED = [
  '1.1.1.1',
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.1',
  '169.253.255.255',
  '2600::1',
  '2a00:1450:4001:80b::200e',
  '[2600::1]',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
]

for (const address of REFUSED) {
  test(`the address "${address}" is not public`, () => assert.equal(isPublicAddress(address), false))
}

for (const address of ALLOWED) {
  test(`the address ${address} is public`, () => assert.equal(isPublicAddress(address), true))
}
