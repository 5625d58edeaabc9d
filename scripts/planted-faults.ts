// Plants five faults, each in a copy of the checkout, and shows that one command of CONTRIBUTING.md finds it in time: `npm run planted-faults`. Part of no
// other command: it runs the command six times.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const COMMAND = ['npm', 'run', '--silent', 'test:unit'] as const
/** On a machine that does nothing else. */
const MAX_SECONDS = 30
/** What the command reads. */
const COPIED = ['src', 'routes', 'test', 'web', 'wasm', 'scripts', 'examples', 'package.json', 'tsconfig.json']

interface Fault {
  readonly what: string
  readonly file: string
  readonly from: string
  readonly to: string
}

const FAULTS: readonly Fault[] = [
  {
    what: 'a fill-value rule: any whole number becomes a bool',
    file: 'src/fill-value/cast.ts',
    from: "bit === 0n || bit === 1n ? exact({ kind: 'bool', value: bit === 1n })",
    to: "bit !== undefined ? exact({ kind: 'bool', value: bit !== 0n })",
  },
  {
    what: 'a codec: the horizontal predictor sums the wrong samples',
    file: 'src/codecs/tiff/predictor.ts',
    from: 'kernels.sumRows(at, end, rowBytes, samples * size, size)',
    to: 'kernels.sumRows(at, end, rowBytes, size, size)',
  },
  {
    what: 'a missing header: nosniff',
    file: 'routes/headers.ts',
    from: "  'x-content-type-options': 'nosniff',\n} as const\n\n/**\n * Headers of our pages.",
    to: '} as const\n\n/**\n * Headers of our pages.',
  },
  {
    what: 'a colour scale: one colour of magma',
    file: 'web/src/plot/colour-maps.ts',
    from: 'b73779',
    to: '37b779',
  },
  {
    what: "an option's parser: select takes an empty range",
    file: 'src/service/view-options.ts',
    from: 'to <= from',
    to: 'to < from',
  },
]

interface Outcome {
  readonly seconds: number
  readonly isRed: boolean
  readonly failed: readonly string[]
}

/** Runs the command in a copy of the checkout, with a fault in it if one is given. */
function run(fault?: Fault): Outcome {
  const folder = mkdtempSync(join(tmpdir(), 'vz-planted-'))
  try {
    for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    if (fault !== undefined) plant(folder, fault)
    const start = performance.now()
    const [command, ...args] = COMMAND
    const { status, stdout } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 })
    const seconds = (performance.now() - start) / 1000
    const failed = [...stdout.matchAll(/^✖ (.*) \([\d.]+ms\)$/gm)].map(([, name = '']) => name)
    return { seconds, isRed: status !== 0, failed }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function plant(folder: string, { what, file, from, to }: Fault): void {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${what}: ${file} has not exactly one ${JSON.stringify(from)}`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
}

/** How much longer a command takes beside what else runs. */
function busyness(): number {
  return Math.max(1, (loadavg()[0] ?? 1) / availableParallelism())
}

const sound = run()
if (sound.isRed) {
  console.log(`${COMMAND.join(' ')} is red without a fault: ${sound.failed.join('; ')}`)
  process.exit(1)
}
console.log(`Command: \`${COMMAND.join(' ')}\`, green without a fault in ${sound.seconds.toFixed(0)} s\n`)
console.log('| fault | found by | seconds |\n| --- | --- | --- |')
for (const fault of FAULTS) {
  const { seconds, isRed, failed } = run(fault)
  const inTime = seconds < MAX_SECONDS * busyness()
  if (!isRed || !inTime) process.exitCode = 1
  console.log(
    `| ${fault.what} | ${isRed ? failed[0] : 'nothing'} | ${seconds.toFixed(0)}${inTime ? '' : ', too long'} |`,
  )
}
