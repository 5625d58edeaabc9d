import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildForBrowsers } from '../../scripts/build-browser.ts'

test('the package builds for browsers: what of Node is used has a counterpart in src/browser/node', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vz-browser-build-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  await buildForBrowsers(['src/browser/index.ts'], folder)
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  assert.ok(scripts.includes('index.js'))
  const ofNode = scripts.filter((name) => /["']node:/.test(readFileSync(join(folder, name), 'utf8')))
  assert.deepEqual(ofNode, [])
})
