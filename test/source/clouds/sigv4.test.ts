import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY_PAYLOAD, signerV4 } from '../../../src/source/clouds/sigv4.ts'

// AWS's published vectors, as facts. The S3 ones: "Authenticating Requests: Using the Authorization Header", examples; the others:
// the Signature Version 4 test suite (`get-vanilla` and its kin).

const S3_KEY = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
const S3 = { service: 's3', now: new Date('2013-05-24T00:00:00Z'), host: 'https://examplebucket.s3.amazonaws.com' }
const SUITE_KEY = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const SUITE = { service: 'service', now: new Date('2015-08-30T12:36:00Z'), host: 'https://example.amazonaws.com' }
const PAYLOAD = { 'x-amz-content-sha256': EMPTY_PAYLOAD }

const VECTORS = [
  {
    ...S3,
    key: S3_KEY,
    name: 'GET object with a range',
    path: '/test.txt',
    headers: { ...PAYLOAD, range: 'bytes=0-9' },
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    ...S3,
    key: S3_KEY,
    name: 'GET a query without a value',
    path: '/?lifecycle',
    headers: PAYLOAD,
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    ...S3,
    key: S3_KEY,
    name: 'GET a listing',
    path: '/?max-keys=2&prefix=J',
    headers: PAYLOAD,
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
  {
    ...SUITE,
    key: SUITE_KEY,
    name: 'get-vanilla',
    path: '/',
    headers: {},
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  },
  {
    ...SUITE,
    key: SUITE_KEY,
    name: 'get-vanilla-query-order-key-case',
    path: '/?Param2=value2&Param1=value1',
    headers: {},
    signature: 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  },
  {
    ...SUITE,
    key: SUITE_KEY,
    name: 'get-utf8',
    path: '/%E1%88%B4',
    headers: {},
    signature: '8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85',
  },
]

for (const { name, key, host, path, headers, signature, service, now } of VECTORS) {
  test(`a request is signed as AWS publishes: ${name}`, () => {
    const url = new URL(host + path)
    const signed = signerV4({ host: url.host, headers, region: 'us-east-1', service, now }, key)('GET', url)
    assert.equal(signed['authorization']?.split('Signature=')[1], signature)
  })
}

test('a session token is signed with the request', () => {
  const url = new URL('https://b.s3.amazonaws.com/k')
  const key = { ...S3_KEY, sessionToken: 'token' }
  const terms = { host: url.host, headers: PAYLOAD, region: 'us-east-1', service: 's3', now: S3.now }
  const signed = signerV4(terms, key)('GET', url)
  assert.equal(signed['x-amz-security-token'], 'token')
  assert.match(
    signed['authorization'] ?? '',
    /SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,/,
  )
})
