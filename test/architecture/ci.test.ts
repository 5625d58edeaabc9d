import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const ROOT = resolve(import.meta.dirname, '../..')
const NOTHING_ASKED = { SKIP_BROWSER: '1', SKIP_INTEROP: '1', SKIP_BENCH: '1', SKIP_REDIS: '1', SKIP_SHELLS: '1' }

/** Runs .ci/missing-tools where these commands are the only ones. */
function missingTools(commands: readonly string[], env: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'vz-tools-'))
  try {
    for (const command of commands) {
      writeFileSync(join(folder, command), '#!/bin/sh\n')
      chmodSync(join(folder, command), 0o755)
    }
    const script = join(ROOT, '.ci/missing-tools')
    return spawnSync('/bin/bash', [script], { env: { PATH: folder, ...env }, encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('.ci/run fails where a suite that it was asked for could not run, and says which', () => {
  for (const [variable, tool] of [
    ['SKIP_BROWSER', 'chromium'],
    ['SKIP_INTEROP', 'python3'],
    ['SKIP_BENCH', 'nginx'],
    ['SKIP_REDIS', 'redis-server'],
    ['SKIP_SHELLS', 'fish'],
  ] as const) {
    const { status, stdout } = missingTools([], { ...NOTHING_ASKED, [variable]: '' })
    assert.equal(status, 1, variable)
    assert.match(stdout, new RegExp(`^${tool} is not installed: .* can not run.*${variable}=1`, 'm'))
  }
})

test('.ci/run goes on where nothing is missing, or what is missing was left out', () => {
  assert.equal(missingTools([], NOTHING_ASKED).status, 0)
  const all = ['chromium', 'python3', 'nginx', 'redis-server', 'zsh', 'fish']
  assert.deepEqual(missingTools(all, {}).stdout, '')
})
