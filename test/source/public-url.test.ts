import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicUrl } from '../../src/source/public-url.ts'
import { openWorld } from './world.ts'

test('GUARD-9: userinfo, fragment and query values are not shown', () => {
  assert.equal(publicUrl('https://u:SECRET@h/a.nc#SECRET'), 'https://h/a.nc')
  assert.equal(publicUrl('https://h/a.nc?X-Amz-Signature=SECRET&x=SECRET'), 'https://h/a.nc?X-Amz-Signature=&x=')
  assert.equal(publicUrl('https://h/a.nc?SECRET'), 'https://h/a.nc')
  assert.equal(publicUrl('//u:SECRET@h/a?SECRET'), '//h/a')
  assert.equal(publicUrl('no url?SECRET'), 'no url')
  assert.equal(publicUrl('s3://b/a?versionId=v1&x=SECRET'), 's3://b/a?versionId=v1&x=')
  assert.equal(publicUrl('https://b/a?versionId=SECRET'), 'https://b/a?versionId=')
})

test('GUARD-9: no error of a source names a secret of its URL', async (t) => {
  const { origin, sources } = await openWorld(t)
  const secrets = ['a?sig=SECRET', 'missing?sig=SECRET', 'a?SECRET']
  origin.fault({ kind: 'status', status: 500 })
  for (const path of secrets) {
    for (const ask of [sources.open, sources.object, sources.list]) {
      const error = await ask(origin.url(path)).then(
        () => undefined,
        (reason) => reason,
      )
      assert.ok(error instanceof Error)
      assert.doesNotMatch(JSON.stringify([error.message, error]), /SECRET/)
    }
  }
  const outside = await sources.open('http://u:SECRET@127.0.0.1/?k=SECRET').catch((error) => error)
  assert.doesNotMatch(JSON.stringify([outside.message, outside]), /SECRET/)
})
