import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnswerLog } from '../../../src/server/plugins/answer-log.ts'
import type { AnsweredRequest } from '../../../src/server/plugins/answered-requests.ts'

type Line = Readonly<Record<string, unknown>>

/** A log of this level, and what is written to it. */
function logOf(level: string): { log: AnswerLog; lines: Line[] } {
  const lines: Line[] = []
  const write = (levelOfLine: string) => (line: object, msg?: string) =>
    void lines.push({ level: levelOfLine, msg, ...line })
  const log = { level, info: write('info'), debug: write('debug') } as unknown as ConstructorParameters<
    typeof AnswerLog
  >[0]
  return { log: new AnswerLog(log), lines }
}

function answered(chunkStore: string | undefined, status: number, milliseconds = 3, bytes = 100): AnsweredRequest {
  const request = { id: 'req-1', method: 'GET', chunkStore } as unknown as AnsweredRequest['request']
  return { request, route: '/zarr/*', status, milliseconds, bytes }
}

test('chunks that were answered are one line per store', () => {
  const { log, lines } = logOf('info')
  for (let at = 0; at < 10; at++) log.observe(answered('sst;codecs=raw', 200, at))
  log.observe(answered('sst;codecs=raw', 206))
  log.observe(answered('sst;codecs=raw', 304, 0, 0))
  log.observe(answered('sst;codecs=raw', 404, 0, 50))
  log.observe(answered('other', 200))
  assert.deepEqual(lines, [])
  log.flush()
  assert.deepEqual(lines, [
    {
      level: 'info',
      msg: 'chunks answered',
      store: '/zarr/sst;codecs=raw',
      seconds: 1,
      chunks: 13,
      absent: 1,
      bytes: 1150,
      mean_ms: 4,
      slowest_ms: 9,
    },
    {
      level: 'info',
      msg: 'chunks answered',
      store: '/zarr/other',
      seconds: 1,
      chunks: 1,
      absent: 0,
      bytes: 100,
      mean_ms: 3,
      slowest_ms: 3,
    },
  ])
  log.flush()
  assert.equal(lines.length, 2)
})

test('documents, errors and slow chunks have a line at once', () => {
  const { log, lines } = logOf('info')
  log.observe(answered(undefined, 200))
  log.observe(answered('sst', 502))
  log.observe(answered('sst', 429))
  log.observe(answered('sst', 200, 1000))
  assert.deepEqual(
    lines.map(({ msg, status, ms }) => [msg, status, ms]),
    [
      ['answered', 200, 3],
      ['answered', 502, 3],
      ['answered', 429, 3],
      ['answered', 200, 1000],
    ],
  )
  log.flush()
  assert.equal(lines.length, 4)
})

test('each chunk has a line at the level debug, and at warn none has', () => {
  const debug = logOf('debug')
  debug.log.observe(answered('sst', 200))
  assert.deepEqual(
    debug.lines.map(({ level, msg }) => [level, msg]),
    [['debug', 'answered']],
  )
  const warn = logOf('warn')
  warn.log.observe(answered('sst', 200))
  warn.log.observe(answered(undefined, 500))
  warn.log.flush()
  assert.deepEqual(warn.lines, [])
})

test('a summary never shows the source of a store', () => {
  const { log, lines } = logOf('info')
  log.observe(answered(`~${Buffer.from('https://host/file.nc?secret').toString('base64url')};sig=abc123`, 200))
  log.flush()
  assert.match(String(lines[0]?.['store']), /^\/zarr\/~[0-9a-f]{8}$/)
})

test('stores that are summarised at a time are bounded', () => {
  const { log, lines } = logOf('info')
  for (let at = 0; at < 2500; at++) log.observe(answered(`store-${at}`, 200))
  assert.equal(lines.length, 2000)
  log.flush()
  assert.equal(lines.length, 2500)
})

test('the summary of a minute is written without being asked for', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { log, lines } = logOf('info')
  log.observe(answered('sst', 200))
  t.mock.timers.tick(59_000)
  assert.equal(lines.length, 0)
  t.mock.timers.tick(1000)
  assert.equal(lines.length, 1)
})
