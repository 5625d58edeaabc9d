import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type RequestPath, requestPaths } from '../../scripts/request-path.ts'

let paths: readonly RequestPath[] = []
before(async () => {
  paths = await requestPaths()
})

/** Most files and calls that a request may run through: what it was when it was last made shorter, and a little room for calls. */
const BOUNDS: Readonly<Record<string, { readonly files: number; readonly calls: number }>> = {
  'warm document': { files: 8, calls: 38 },
  'passed chunk': { files: 21, calls: 155 },
  'enveloped chunk': { files: 24, calls: 167 },
  'recoded chunk': { files: 40, calls: 295 },
}

for (const [name, bound] of Object.entries(BOUNDS)) {
  test(`the way of a request is short: ${name}`, () => {
    const path = paths.find((candidate) => candidate.name === name)
    assert.ok(path !== undefined)
    assert.ok(path.files.size <= bound.files, `${path.files.size} files: ${[...path.files.keys()].join(', ')}`)
    assert.ok(path.calls <= bound.calls, `${path.calls} calls`)
  })
}
