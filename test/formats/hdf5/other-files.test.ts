import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVirtualZarrError } from '../../../src/errors.ts'
import { otherFiles } from '../../../src/formats/hdf5/storage/other-files.ts'
import { parseContext } from './counting-source.ts'

const SOURCE = 'https://example.org/data/run 1/file.h5'

test('names of other files lead to the folder of the source and below, nowhere else', async () => {
  const asked: string[] = []
  const { context } = parseContext('auto', (url) => {
    asked.push(url)
    return new Uint8Array(8)
  })
  const others = otherFiles(SOURCE, context, () => Promise.reject(new Error('nothing is parsed')))
  for (const name of ['raw.bin', './raw 2.bin', 'deep/er/#1.bin']) await others.opened(name)
  const folder = 'https://example.org/data/run%201/'
  assert.deepEqual(asked, [`${folder}raw.bin`, `${folder}raw%202.bin`, `${folder}deep/er/%231.bin`])
  const outside = [
    '/etc/passwd',
    '../other.h5',
    'a/../../b',
    'http://localhost/x',
    'file:///x',
    'C:\\x',
    '..\\x',
    '%2e%2e/x',
    '',
    'a\0b',
  ]
  for (const name of outside) {
    await assert.rejects(
      async () => others.opened(name),
      (error) => isVirtualZarrError(error, 'unsupported-feature'),
      name,
    )
  }
  assert.equal(asked.length, 3, 'nothing else was asked for')
})

test('a file is opened once, and one that is not there is told', async () => {
  let opened = 0
  const { context } = parseContext('auto', (url) => (url.endsWith('there.bin') ? new Uint8Array(++opened) : undefined))
  const others = otherFiles(SOURCE, context, () => Promise.reject(new Error('nothing is parsed')))
  const [one, same] = await Promise.all([others.opened('there.bin'), others.opened('there.bin')])
  assert.equal(one.source, same.source)
  assert.equal(one.reference, 1)
  await assert.rejects(others.opened('gone.bin'), /gone.bin/)
})
