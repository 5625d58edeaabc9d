import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { missingPlatforms } from '../../scripts/complete-lock.ts'

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'))

test('the lock file describes every optional platform package, or npm ci refuses it', () => {
  assert.deepEqual(Object.keys(missingPlatforms(lock)), [])
})

test('the lock file names no registry host', () => {
  const resolved = Object.entries<{ resolved?: string }>(lock.packages).filter(([, entry]) => entry.resolved)
  assert.deepEqual(resolved, [])
})

test('a platform package that is missing from the lock file is described by its name', () => {
  const packages = { 'node_modules/tool': { optionalDependencies: { '@tool/linux-x64-musl': '1.2.3' } } }
  assert.deepEqual(missingPlatforms({ packages }), {
    'node_modules/@tool/linux-x64-musl': {
      version: '1.2.3',
      cpu: ['x64'],
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    },
  })
})
