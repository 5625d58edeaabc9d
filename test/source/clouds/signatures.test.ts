import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { azure } from '../../../src/source/clouds/azure.ts'
import { gs } from '../../../src/source/clouds/gs.ts'
import { locationUrl, pathOfKey } from '../../../src/source/clouds/location.ts'
import { signerOf, signSharedKey } from '../../../src/source/clouds/shared-key.ts'
import { EMPTY_PAYLOAD, signerV4 } from '../../../src/source/clouds/sigv4.ts'

// Made by the libraries that the clouds publish: test/fixtures/clouds/make.py.

interface Case {
  readonly method: string
  readonly key: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly authorization: string
}

const FIXTURE = new URL('../../fixtures/clouds/signatures.json', import.meta.url)
const made = JSON.parse(readFileSync(FIXTURE, 'utf8')) as {
  readonly aws: readonly (Case & { readonly region: string; readonly token?: string })[]
  readonly azure: readonly Case[]
  readonly google: readonly Pick<Case, 'key' | 'url'>[]
}
const NOW = new Date('2026-03-04T05:06:07Z')

test('CLOUD-2: requests are signed as botocore signs them, whatever keys and parameters hold', () => {
  const pair = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
  for (const { method, key, url: href, region, token, headers, authorization } of made.aws) {
    const url = new URL(href)
    if (!url.searchParams.has('prefix')) assert.equal(url.pathname, `/bucket/${pathOfKey(key)}`)
    const signed = { 'x-amz-content-sha256': EMPTY_PAYLOAD, ...headers }
    const sign = signerV4(
      { host: url.host, headers: signed, region, service: 's3', now: NOW },
      { ...pair, sessionToken: token },
    )
    assert.equal(sign(method, url)['authorization'], authorization, href)
  }
})

test("CLOUD-1: requests are signed as Azure's library signs them", () => {
  const sign = signerOf(Buffer.from('the key of the account').toString('base64'))
  const protocol = azure.open()
  for (const { method, key, url: href, headers, authorization } of made.azure) {
    const url = new URL(href)
    if (!url.searchParams.has('comp')) {
      const location = locationUrl('az:', 'account', `box/${key}`, url.search)
      const endpoint = url.port === '' ? undefined : new URL(url.origin)
      assert.equal(protocol.objectUrl(location, { endpoint }).href, href)
    }
    const told = signSharedKey({ method, url, headers, account: 'account' }, sign)
    assert.equal(told['authorization'], authorization, href)
  }
})

test("CLOUD-1: objects of Google's are asked for where its library asks", () => {
  const protocol = gs.open()
  for (const { key, url } of made.google) {
    const asked = protocol.objectUrl(locationUrl('gs:', 'my.bucket', key), {})
    assert.equal(decodeURIComponent(asked.href), decodeURIComponent(url), key)
    assert.equal(asked.href.replaceAll('%7E', '~'), new URL(url).href, key)
  }
})
