import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Sink } from '../../src/bytes/feed.ts'
import { Incoming } from '../../src/source/http/incoming.ts'

class Connection {
  isPaused = false
  aborted: Error | undefined
  pause(): void {
    this.isPaused = true
  }
  resume(): void {
    this.isPaused = false
  }
  abort(reason: Error): void {
    this.aborted = reason
  }
}

/** An answer whose head has come. */
function incoming(headers: Record<string, string> = {}, signal?: AbortSignal) {
  const connection = new Connection()
  const rejected: unknown[] = []
  const asked = { url: new URL('http://origin/'), signal, headersMs: 1000, resolve: () => undefined }
  const answer = new Incoming({ ...asked, reject: (error) => rejected.push(error) })
  answer.onRequestStart(connection)
  answer.onResponseStart(connection, 200, headers)
  return { answer, connection, rejected }
}

function recorder(): Sink & { readonly heard: string[] } {
  const heard: string[] = []
  return {
    heard,
    data: (bytes) => heard.push(`${bytes.length}`),
    end: () => heard.push('end'),
    fail: (error) => heard.push(error.message),
  }
}

describe('an answer on its way', () => {
  test('what came before anybody reads is kept up to a limit, and handed on in order', () => {
    const { answer, connection } = incoming()
    answer.onResponseData(connection, new Uint8Array(1))
    assert.equal(connection.isPaused, false)
    answer.onResponseData(connection, new Uint8Array(64 * 1024))
    assert.equal(connection.isPaused, true)
    const sink = recorder()
    answer.start(sink)
    assert.equal(connection.isPaused, false)
    answer.onResponseData(connection, new Uint8Array(2))
    answer.onResponseEnd()
    assert.deepEqual(sink.heard, ['1', '65536', '2', 'end'])
  })

  test('a reader that pauses while it gets what was kept stays paused', () => {
    const { answer, connection } = incoming()
    answer.onResponseData(connection, new Uint8Array(64 * 1024))
    answer.start({ ...recorder(), data: () => answer.pause() })
    assert.equal(connection.isPaused, true)
  })

  test('an answer that failed before anybody reads it fails its reader', () => {
    const { answer, connection, rejected } = incoming()
    answer.onResponseData(connection, new Uint8Array(3))
    answer.onResponseError(connection, new Error('reset'))
    const sink = recorder()
    answer.start(sink)
    assert.deepEqual(sink.heard, ['3', 'reset'])
    assert.deepEqual(rejected, [])
  })

  test('who stopped hears no more, and the connection is given up', () => {
    const { answer, connection } = incoming()
    const sink = recorder()
    answer.start(sink)
    answer.stop()
    answer.onResponseData(connection, new Uint8Array(1))
    answer.onResponseEnd()
    assert.ok(connection.aborted !== undefined)
    assert.deepEqual(sink.heard, [])
  })

  test('the connection of an answer that is over is left alone: it may bring another one', () => {
    const { answer, connection } = incoming()
    answer.start(recorder())
    answer.onResponseEnd()
    answer.pause()
    answer.stop()
    assert.equal(connection.isPaused, false)
    assert.equal(connection.aborted, undefined)
  })

  test('an abort before the head rejects, after it fails the reader with its reason', () => {
    const early = new AbortController()
    const rejected: unknown[] = []
    const asked = { url: new URL('http://origin/'), signal: early.signal, headersMs: 1000, resolve: () => undefined }
    const waiting = new Incoming({ ...asked, reject: (error) => rejected.push(error) })
    const reason = new Error('enough')
    early.abort(reason)
    assert.deepEqual(rejected, [reason])
    const connection = new Connection()
    waiting.onRequestStart(connection)
    assert.equal(connection.aborted, reason)
    const late = new AbortController()
    const { answer } = incoming({}, late.signal)
    const sink = recorder()
    answer.start(sink)
    late.abort(reason)
    assert.deepEqual(sink.heard, ['enough'])
  })

  test('an unwanted body is read to its end when it is short and comes soon, else given up', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const long = incoming({ 'content-length': '100000' })
    long.answer.discard()
    assert.ok(long.connection.aborted !== undefined)
    const short = incoming({ 'content-length': '10' })
    short.answer.discard()
    short.answer.onResponseEnd()
    const stalled = incoming({ 'content-length': '10' })
    stalled.answer.discard()
    assert.equal(stalled.connection.aborted, undefined)
    t.mock.timers.tick(1_000)
    assert.ok(stalled.connection.aborted !== undefined)
    assert.equal(short.connection.aborted, undefined)
  })
})
