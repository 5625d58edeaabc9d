import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf } from '../../../src/source/clouds/location.ts'
import { s3 } from '../../../src/source/clouds/s3.ts'
import { parseSourceUrl } from '../../../src/source/source-url.ts'
import { failure } from '../world.ts'

test('a location is a URL: each key has one spelling, whatever it holds', () => {
  const cases: [written: string, href: string, key: string][] = [
    ['s3://b-1/a/b.nc', 's3://b-1/a/b.nc', 'a/b.nc'],
    ['S3://B_1/a', 's3://B_1/a', 'a'],
    ['s3://bucket/a b', 's3://bucket/a%20b', 'a b'],
    ['s3://bucket/a%20b', 's3://bucket/a%20b', 'a b'],
    ['s3://bucket/a ', 's3://bucket/a%20', 'a '],
    ['s3://bucket/é/日', 's3://bucket/%C3%A9/%E6%97%A5', 'é/日'],
    ['s3://bucket/a+b=c&d', 's3://bucket/a+b=c&d', 'a+b=c&d'],
    ['s3://bucket/a%2A', 's3://bucket/a%2A', 'a*'],
    ['s3://bucket/a?b#c', 's3://bucket/a%3Fb%23c', 'a?b#c'],
    ['s3://bucket/a?versionId=', 's3://bucket/a%3FversionId=', 'a?versionId='],
    ['s3://bucket/100%', 's3://bucket/100%25', '100%'],
    ['s3://bucket/%2541', 's3://bucket/%2541', '%41'],
    ['s3://bucket//a//b', 's3://bucket//a//b', '/a//b'],
    ['s3://bucket/a..b/...', 's3://bucket/a..b/...', 'a..b/...'],
    ['s3://bucket/a\\b\t', 's3://bucket/a%5Cb%09', 'a\\b\t'],
    ['s3://bucket/a%2Fb', 's3://bucket/a/b', 'a/b'],
    ['s3://bucket', 's3://bucket/', ''],
  ]
  for (const [written, href, key] of cases) {
    const url = parseSourceUrl(written)
    assert.equal(url.href, href, written)
    assert.equal(keyOf(url), key, written)
    assert.equal(parseSourceUrl(href).href, href, 'its own spelling stays')
  }
})

test('a version is named as a query, and only that', () => {
  const url = s3.parse('s3://bucket/a?b?versionId=abc%2F._-')
  assert.equal(keyOf(url), 'a?b')
  assert.equal(url.href, 's3://bucket/a%3Fb?versionId=abc%2F._-')
  assert.equal(s3.parse(url.href).href, url.href)
})

test('what no URL can carry, or no bucket has, is refused and never another object', () => {
  const texts = [
    's3://bucket/a/../b',
    's3://bucket/./a',
    's3://bucket/%2e%2e/a',
    's3://bucket/a%2F..%2Fb',
    's3://bucket/%ff',
  ]
  const hosts = [
    's3:///a',
    's3://a..b/k',
    's3://key:secret@bucket/k',
    's3://bucket:80/k',
    's3://evil.org%2F/k',
    's3://-b/k',
    's3://b',
    's3:bucket/k',
  ]
  for (const text of [...texts, ...hosts]) {
    assert.throws(
      () => parseSourceUrl(text).href.startsWith('s3://') || assert.fail('not refused'),
      failure('invalid-request'),
      text,
    )
  }
})

test('a name relative to a location is a URL, too', () => {
  const base = s3.parse('s3://bucket/folder/refs.json?versionId=1')
  assert.equal(parseSourceUrl('b%20c.nc', base).href, 's3://bucket/folder/b%20c.nc')
  assert.equal(parseSourceUrl('../x.nc', base).href, 's3://bucket/x.nc')
  assert.equal(parseSourceUrl('https://example.org/a', base).href, 'https://example.org/a')
})

test('where an object is asked for: the bucket in the host, or in the path', () => {
  const at = (location: string, place = {}) => s3.open().objectUrl(s3.parse(location), place).href
  const endpoint = new URL('http://10.0.0.1:9000/s3/')
  assert.equal(at('s3://bucket/a b'), 'https://bucket.s3.us-east-1.amazonaws.com/a%20b')
  assert.equal(at('s3://bucket/k', { region: 'eu-west-1' }), 'https://bucket.s3.eu-west-1.amazonaws.com/k')
  assert.equal(at('s3://bucket/k', { region: 'cn-north-1' }), 'https://bucket.s3.cn-north-1.amazonaws.com.cn/k')
  assert.equal(at('s3://bucket/k', { pathStyle: true }), 'https://s3.us-east-1.amazonaws.com/bucket/k')
  assert.equal(at('s3://my.bucket/k'), 'https://s3.us-east-1.amazonaws.com/my.bucket/k')
  assert.equal(at('s3://Old_Bucket/k'), 'https://s3.us-east-1.amazonaws.com/Old_Bucket/k')
  assert.equal(at('s3://bucket/k', { endpoint }), 'http://10.0.0.1:9000/s3/bucket/k')
  assert.equal(at('s3://bucket/k', { endpoint, pathStyle: false }), 'http://10.0.0.1:9000/s3/bucket/k')
  const named = new URL('https://store.example.org')
  assert.equal(at('s3://bucket/k', { endpoint: named }), 'https://store.example.org/bucket/k')
  assert.equal(at('s3://bucket/k', { endpoint: named, pathStyle: false }), 'https://bucket.store.example.org/k')
  assert.equal(
    at("s3://bucket/a+b='(é)*/~?x#y%25"),
    'https://bucket.s3.us-east-1.amazonaws.com/a%2Bb%3D%27%28%C3%A9%29%2A/~%3Fx%23y%25',
  )
  assert.equal(at('s3://bucket//a//b'), 'https://bucket.s3.us-east-1.amazonaws.com//a//b')
  assert.equal(at('s3://bucket/k?versionId=v%2F1'), 'https://bucket.s3.us-east-1.amazonaws.com/k?versionId=v%2F1')
})
