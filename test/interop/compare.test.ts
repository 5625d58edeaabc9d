import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { judgeDifferences, lineOf, readAccepted } from '../compare/accepted.ts'
import { compareFiles } from '../compare/compare.ts'
import { findFiles } from '../compare/find-files.ts'
import { CORPUS_ABSENT } from '../corpus/golden.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const FOLDERS = [resolve(ROOT, 'test/fixtures'), resolve(ROOT, '../shared/corpus')].filter((folder) =>
  existsSync(folder),
)
/** Of each format so many files, spread evenly: about half a minute. `npm run compare` takes all. */
const FILES_PER_FORMAT = 12

test('files of every format are what the reference readers read of them, but for accepted differences', async (t) => {
  if (CORPUS_ABSENT !== false) t.diagnostic(`fixtures alone: ${CORPUS_ABSENT}`)
  const found = FOLDERS.flatMap((folder) => [...findFiles(folder)])
  const sample = [...Map.groupBy(found, ({ format }) => format).values()].flatMap((files) =>
    files.filter((_, at) => at % Math.ceil(files.length / FILES_PER_FORMAT) === 0),
  )
  const report = await compareFiles(sample)
  const { fresh } = judgeDifferences(report.differences, report.paths, readAccepted())
  assert.deepEqual(
    fresh.map((difference) => `${difference.path}: ${lineOf(difference)}`),
    [],
  )
  assert.ok(report.compared > 200, `${report.compared} comparisons`)
  t.diagnostic(`${report.paths.length} files, ${report.compared} comparisons`)
})
