import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { findPython } from './find-python.ts'

describe('which Python the readers run in', () => {
  let pyenv: string
  before(() => {
    pyenv = mkdtempSync(join(tmpdir(), 'find-python-'))
    for (const version of ['2.7.18', '3.1.4', '3.12.1', '3.9.18']) mkdirSync(join(pyenv, version))
  })
  after(() => rmSync(pyenv, { recursive: true, force: true }))

  const found = (minors: Readonly<Record<string, number>>) => findPython(pyenv, (command) => minors[command] ?? -1)
  const kept = () => join(pyenv, '3.12.1/bin/python3')

  test('the newest that the tests know, by whatever name', () => {
    assert.deepEqual(found({ python3: 11, 'python3.13': 13, [kept()]: 12 }), { command: 'python3.13', minor: 13 })
    assert.deepEqual(found({ python3: 13, 'python3.12': 12 }), { command: 'python3', minor: 13 })
    assert.deepEqual(found({ python3: 14, 'python3.14': 14, 'python3.11': 11 }), { command: 'python3.11', minor: 11 })
  })

  test("a stand-in of pyenv that doesn't start hides no Python", () => {
    assert.deepEqual(found({ python3: 11, 'python3.12': -1, [kept()]: 12 }), { command: kept(), minor: 12 })
  })

  test('an unknown, newer one where there is no other, and none where all are too old', () => {
    assert.deepEqual(found({ python3: 14 }), { command: 'python3', minor: 14 })
    assert.throws(() => found({ python3: 10, 'python3.9': 9 }), /need Python 3\.11 or newer/)
  })
})
