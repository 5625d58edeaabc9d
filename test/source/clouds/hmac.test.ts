import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { hmacBy } from '../../../src/source/clouds/hmac.ts'

test("texts are signed as Node's own HMAC does, whatever the length of the key", () => {
  for (const length of [0, 1, 31, 32, 63, 64, 65, 200]) {
    const secret = Buffer.alloc(length).map((_, at) => (at * 37 + 11) % 256)
    const mac = hmacBy(secret)
    for (const text of ['', 'a', 'é日\u{1F600}', 'x'.repeat(63), 'x'.repeat(64), 'y'.repeat(5000)]) {
      for (const encoding of ['hex', 'base64'] as const) {
        assert.equal(mac(text, encoding), createHmac('sha256', secret).update(text).digest(encoding))
      }
    }
  }
})
