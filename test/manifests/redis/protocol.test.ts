import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { slotOf } from '../../../src/manifests/redis/key-slot.ts'
import { redisAddress } from '../../../src/manifests/redis/redis-address.ts'
import {
  commandParts,
  ErrorReply,
  ForeignReply,
  type Reply,
  ReplyReader,
} from '../../../src/manifests/redis/replies.ts'

const MOST_BYTES = 100

function repliesOf(chunks: Iterable<Uint8Array>): Reply[] {
  const replies: Reply[] = []
  const reader = new ReplyReader({ mostBytes: MOST_BYTES, onReply: (reply) => replies.push(reply), onLength: () => 0 })
  for (const chunk of chunks) reader.push(Buffer.from(chunk))
  return replies
}

describe('replies of a server', () => {
  const bytes = Buffer.from('+OK\r\n-MOVED 3999 host:6381\r\n:-12\r\n$-1\r\n$0\r\n\r\n$7\r\na\r\nb\r\nc\r\n', 'latin1')
  const expected = ['OK', new ErrorReply('MOVED 3999 host:6381'), -12, undefined, '', 'a\r\nb\r\nc']
  const readable = (replies: readonly Reply[]) =>
    replies.map((reply) => (reply instanceof Uint8Array ? Buffer.from(reply).toString() : reply))

  test('are the same wherever packets end', () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      assert.deepEqual(readable(repliesOf([bytes.subarray(0, cut), bytes.subarray(cut)])), expected, `cut at ${cut}`)
    }
    assert.deepEqual(readable(repliesOf([...bytes].map((byte) => Uint8Array.of(byte)))), expected)
  })

  for (const [what, text] of Object.entries({
    'a page': 'HTTP/1.1 400 Bad Request\r\n\r\n',
    'a line without its return': '+OK\n',
    'a line without end': '+'.padEnd(5000, 'x'),
    'a length that is none': '$1e3\r\n',
    'a length below nothing': '$-2\r\n',
    'a list, for which nothing asks': '*1\r\n+OK\r\n',
    'a number that is none': ':1.5\r\n',
    'a value longer than its length': '$2\r\nabc\r\n',
    'a value that is too long': `$${MOST_BYTES + 1}\r\n`,
    'a length beyond all memory': '$999999999999999\r\n',
    'nothing but an end': '\r\n',
  })) {
    test(`that are none are refused: ${what}`, () => {
      assert.throws(() => repliesOf([Buffer.from(text)]), ForeignReply)
    })
  }

  test('each byte of them changed to every other: they are replies, or refused', () => {
    for (let at = 0; at < bytes.length; at++) {
      for (let byte = 0; byte < 256; byte++) {
        const damaged = Buffer.from(bytes)
        damaged[at] = byte
        try {
          repliesOf([damaged])
        } catch (error) {
          assert.ok(error instanceof ForeignReply, String(error))
        }
      }
    }
  })
})

test('a command is sent with the lengths of its words in bytes', () => {
  const bytes = Buffer.concat(commandParts(['SET', 'ä', Uint8Array.of(13, 10)]).map((part) => Buffer.from(part)))
  assert.equal(bytes.toString(), '*3\r\n$3\r\nSET\r\n$2\r\nä\r\n$2\r\n\r\n\r\n')
})

test("slots of keys are those of Redis's own specification", () => {
  // CRC-16 of the check string is 0x31C3; `foo` is the example of its documentation of MOVED.
  assert.equal(slotOf('123456789'), 0x31c3)
  assert.equal(slotOf('foo'), 12182)
})

describe('the URL of a server', () => {
  const plain = { host: 'h', port: 6379, isSecure: false, username: undefined, password: undefined, database: 0 }
  for (const [text, expected] of Object.entries({
    'redis://h': plain,
    'redis://h/': plain,
    'valkey://h:1/5': { ...plain, port: 1, database: 5 },
    'rediss://h': { ...plain, isSecure: true },
    'valkeys://h': { ...plain, isSecure: true },
    'redis://:p%40ss@h': { ...plain, password: 'p@ss' },
    'redis://user:p@h': { ...plain, username: 'user', password: 'p' },
    'redis://[::1]:7000': { ...plain, host: '::1', port: 7000 },
    'redis://h/x': undefined,
    'redis://h/0?ssl=true': undefined,
    'redis://h#a': undefined,
    'redis://u:%ff@h': undefined,
    'redis:///0': undefined,
    'http://h': undefined,
    'h:6379': undefined,
    'redis+sentinel://h': undefined,
  })) {
    test(text, () => assert.deepEqual(redisAddress(text), expected))
  }
})
