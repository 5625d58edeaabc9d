import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { reasonPhrase } from '../../routes/headers.ts'
import { writeBody } from '../../routes/send-chunk.ts'
import type { Feed, Sink } from '../../src/bytes/feed.ts'

const LENGTH = 64 * 1024 * 1024

/** A feed that gives 64 KiB at each turn while it is not paused, and notes what it was told. */
class ManualFeed implements Feed {
  sent = 0
  isPaused = false
  isStopped = false
  readonly told: string[] = []
  sink: Sink | undefined

  start(sink: Sink): void {
    this.sink = sink
    this.turn()
  }

  turn(): void {
    if (this.isPaused || this.isStopped || this.sink === undefined || this.sent >= LENGTH) return
    this.sink.data(Buffer.alloc(64 * 1024, this.sent / 65_536))
    this.sent += 64 * 1024
    if (this.sent === LENGTH) this.sink.end()
    else setImmediate(() => this.turn())
  }

  pause(): void {
    this.isPaused = true
    this.told.push('pause')
  }

  resume(): void {
    if (!this.isPaused) return
    this.isPaused = false
    this.told.push('resume')
    this.turn()
  }

  stop(): void {
    this.isStopped = true
  }
}

/** A client's answer whose body is the feed. */
async function answerOf(t: TestContext, feed: Feed): Promise<{ answer: IncomingMessage; warnings: string[] }> {
  const warnings: string[] = []
  const server = createServer((_request, raw: ServerResponse) => {
    const log = { warn: (_about: unknown, text?: string) => void warnings.push(text ?? '') }
    raw.writeHead(200, { 'content-length': LENGTH })
    writeBody(raw, feed, log)
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const [answer] = (await once(get({ port, host: '127.0.0.1', agent: false }), 'response')) as [IncomingMessage]
  return { answer, warnings }
}

test('HTTP-7: a reason phrase is one short line of ASCII, whatever the detail holds', () => {
  assert.equal(
    reasonPhrase('There is no such source', 'the origin answered 404'),
    'There is no such source: the origin answered 404',
  )
  assert.equal(reasonPhrase('Not Found', undefined), 'Not Found')
  assert.equal(reasonPhrase('Not Found', ''), 'Not Found')
  assert.equal(reasonPhrase('Bad', 'begins\r\nset-cookie: a=b'), 'Bad: begins')
  assert.equal(reasonPhrase('Bad', 'it is 20 °C, 温\u2028\u0000\u007f\t.'), 'Bad: it is 20 ?C, ?????.')
  const long = reasonPhrase('Bad', 'x'.repeat(5000))
  assert.ok(long.length <= 300 && long.endsWith('xxx...'))
})

test('a client that does not read lets its chunk rest, and gets all of it once it reads', async (t) => {
  const feed = new ManualFeed()
  const { answer } = await answerOf(t, feed)
  while (!feed.isPaused) await new Promise((resolve) => setTimeout(resolve, 10))
  await new Promise((resolve) => setTimeout(resolve, 50))
  // What both kernels and both streams hold, and no more.
  assert.ok(feed.sent < 16 * 1024 * 1024, `${feed.sent} bytes were sent to a client that does not read`)
  let at = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    assert.equal(part[0], Math.floor(at / 65_536) % 256)
    at += part.length
  }
  assert.equal(at, LENGTH)
  assert.equal(feed.told.at(-1), 'resume')
})

test('a chunk that fails after its head is cut off, and told to the log', async (t) => {
  const feed = new ManualFeed()
  const { answer, warnings } = await answerOf(t, feed)
  answer.resume()
  feed.isStopped = true
  feed.sink?.fail(new Error('the origin is gone'))
  await assert.rejects(once(answer, 'end'), /aborted/)
  assert.equal(answer.complete, false)
  assert.deepEqual(warnings, ['a body was cut off'])
})

test('what comes in one turn of the event loop is sent together, and at once where it is much', async (t) => {
  const part = Buffer.alloc(64 * 1024)
  const corked: number[] = []
  const server = createServer((_request, raw: ServerResponse) => {
    const note = () => void corked.push(raw.socket?.writableCorked ?? -1)
    const feed = new ManualFeed()
    feed.turn = () => {
      for (let count = 0; count < 7; count++) feed.sink?.data(part)
      note()
      feed.sink?.data(part)
      note()
      feed.sink?.data(part)
      note()
      setImmediate(() => {
        note()
        feed.sink?.end()
      })
    }
    raw.writeHead(200, { 'content-length': 9 * part.length })
    writeBody(raw, feed, { warn: () => undefined })
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const [answer] = (await once(get({ port, host: '127.0.0.1', agent: false }), 'response')) as [IncomingMessage]
  let length = 0
  for await (const bytes of answer as AsyncIterable<Buffer>) length += bytes.length
  assert.equal(length, 9 * part.length)
  // Seven parts wait, the eighth makes it 512 KiB, the ninth waits for the end of the turn.
  assert.deepEqual(corked, [1, 0, 1, 0])
})

test('a client that leaves ends its chunk', async (t) => {
  const feed = new ManualFeed()
  const { answer, warnings } = await answerOf(t, feed)
  answer.destroy()
  while (!feed.isStopped) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.deepEqual(warnings, [])
})
