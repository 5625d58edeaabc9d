import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { barText, withProgressBar } from '../../src/server/progress-bar.ts'

test('a bar is drawn on a terminal while something is read, and taken away; none in a pipe', async () => {
  const drawn = async (isTTY: boolean | undefined) => {
    let text = ''
    const work = setTimeout(500, 'done')
    const output = { isTTY, write: (more: string) => (text += more) }
    assert.equal(await withProgressBar(work, () => ({ read: 1, of: 4 }), output), 'done')
    return text
  }
  const frame = '\r\x1b[K'
  const frames = (await drawn(true)).split(frame)
  assert.ok(frames.length > 2)
  for (const text of frames.slice(1, -1)) assert.equal(text, `[${'#'.repeat(7)}${'.'.repeat(23)}] 1 of 4 headers`)
  assert.deepEqual([frames.at(0), frames.at(-1)], ['', ''])
  assert.equal(await drawn(false), '')
  assert.equal(await drawn(undefined), '')
  assert.equal(barText(0, 0), `[${'.'.repeat(30)}] 0 of 0 headers`)
  await assert.rejects(
    withProgressBar(Promise.reject(new Error('no')), () => undefined, { isTTY: true, write: () => 0 }),
  )
})

test('where nothing tells how far it is, the seconds are counted from the first on', async () => {
  let text = ''
  const output = { isTTY: true, write: (more: string) => (text += more) }
  await withProgressBar(setTimeout(1600), () => undefined, output)
  assert.match(text.split('\r\x1b[K').join('|'), /^\|opening, 1 s(?:\|opening, [12] s)*\|$/)
  text = ''
  await withProgressBar(setTimeout(500), () => undefined, output)
  assert.equal(text, '')
})
