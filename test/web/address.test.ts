import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withOption } from '../../web/src/state/address.ts'

test('an option takes the place of the one of its name', () => {
  const source = 'https://example.org/a.tif'
  assert.deepEqual(withOption({ source, options: '' }, 'sentinel=warn'), { source, options: 'sentinel=warn' })
  const options = 'codecs=raw;sentinel=error'
  assert.deepEqual(withOption({ source, options }, 'sentinel=warn'), { source, options: 'codecs=raw;sentinel=warn' })
})
