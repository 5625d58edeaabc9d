// Runs the tests of `npm test`, in few processes: `npm test`. Paths after `--` name folders and files: `npm test -- test/formats/tiff`; with
// `--watch` they are run again when a file of theirs changes. `COVERAGE=1` measures which code is run, and fails below a floor.
import { relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { processes, type Selection, selectTests } from './together/processes.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { watch: { type: 'boolean', default: false } },
})
const selection = positionals.length === 0 ? undefined : selectionOf(positionals)
if (selection !== undefined) process.env['TEST_FILES'] = JSON.stringify(selection.together)

const isMeasured = process.env['COVERAGE'] === '1'
const COVERAGE = {
  coverage: true,
  coverageIncludeGlobs: ['src/**', 'routes/**'],
  lineCoverage: 97,
  branchCoverage: 87,
  functionCoverage: 95,
}

// Functions that come from a cache of compiled code are counted less exactly.
if (isMeasured) delete process.env['NODE_COMPILE_CACHE']

const root = fileURLToPath(new URL('..', import.meta.url))
const tests = run({
  cwd: root,
  files: selection?.files ?? processes(),
  // One more than the cores of a small machine: some tests wait for timers.
  concurrency: 3,
  execArgv: ['--single-threaded-gc', '--external-memory-accounted-in-global-limit'],
  watch: values.watch,
  ...(isMeasured && COVERAGE),
})
const failed = new Set<string>()
tests.on('test:fail', ({ todo, file }) => {
  if (todo !== undefined && todo !== false) return
  process.exitCode = 1
  if (file !== undefined && !file.includes('/together/')) failed.add(relative(root, file))
})
process.on('exit', () => {
  for (const file of failed) console.log(`to repeat: npm test -- ${file}`)
})
tests.compose(new spec()).pipe(process.stdout)

function selectionOf(paths: readonly string[]): Selection {
  try {
    return selectTests(paths)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(2)
  }
}
