// Runs the tests of `npm test`, in few processes: `node test/run.ts`. `COVERAGE=1` measures what of the program they run through, and fails below a floor.
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { processes } from './together/processes.ts'

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

const tests = run({
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  files: processes(),
  // One more than the cores of a small machine: some tests wait for timers.
  concurrency: 3,
  execArgv: ['--single-threaded-gc', '--external-memory-accounted-in-global-limit'],
  ...(isMeasured && COVERAGE),
})
tests.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1
})
tests.compose(new spec()).pipe(process.stdout)
