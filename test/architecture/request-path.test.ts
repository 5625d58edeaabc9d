import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isCodec, type RequestPath, requestPaths } from '../../scripts/request-path.ts'

let paths: readonly RequestPath[] = []
before(async () => {
  paths = await requestPaths()
})

/** A body may come in one piece more, and an answer a turn later. */
const ROOM = 3

/**
 * Most files and calls that a request may run through: what it was when it was last made shorter. What Fastify would do is not
 * counted; what is done instead of it is. The codecs of the chunk at hand are not of the way: another one goes through the same way and
 * other codecs.
 */
const BOUNDS: Readonly<Record<string, { readonly files: number; readonly calls: number }>> = {
  'warm document': { files: 8, calls: 41 },
  'passed chunk': { files: 22, calls: 137 },
  'enveloped chunk': { files: 24, calls: 140 },
  'recoded chunk': { files: 33, calls: 277 },
}

for (const [name, bound] of Object.entries(BOUNDS)) {
  test(`the way of a request is short: ${name}`, () => {
    const path = paths.find((candidate) => candidate.name === name)
    assert.ok(path !== undefined)
    const way = [...path.files].filter(([file]) => !isCodec(file))
    const files = way.map(([file]) => file)
    const calls = way.reduce((sum, [, own]) => sum + own, 0)
    assert.ok(files.length <= bound.files, `${files.length} files: ${files.join(', ')}`)
    assert.ok(calls <= bound.calls + ROOM, `${calls} calls`)
  })
}
