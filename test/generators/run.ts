import { existsSync, globSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { formatReport, reportFailures } from './check-report.ts'
import type { GeneratorModule } from './generator.ts'

const HELP = `npm run generate -- [NAME…] [--seed N] [--count N]

Random documents of a grammar, read by the reference reader and by the service. Without a NAME all generators run.
Prints how often each element occurred; exits with 1 on a silent difference, or where an element occurred fewer than
20 times in 2,000 documents.
--seed    which documents (1)
--count   how many (2000)`

const FOLDER = import.meta.dirname

/** A generator is a module of this folder that exports `name` and `generate`. */
async function loadGenerator(file: string): Promise<GeneratorModule | undefined> {
  const loaded = (await import(`./${file}`)) as Partial<GeneratorModule>
  return loaded.name !== undefined && loaded.generate !== undefined ? (loaded as GeneratorModule) : undefined
}

export async function allGenerators(): Promise<readonly GeneratorModule[]> {
  const helpers = /^(?:run|generator|check-report)\.ts$|\.test\.ts$/
  const files = globSync('*.ts', { cwd: FOLDER }).filter((file) => !helpers.test(file))
  const loaded = await Promise.all(files.toSorted().map(loadGenerator))
  return loaded.filter((module) => module !== undefined)
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '2000' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(HELP)
  const absent = positionals.filter((name) => !existsSync(`${FOLDER}/${name}.ts`))
  if (absent.length > 0) throw new RangeError(`no generator ${absent.join(', ')} in test/generators`)
  const wanted = (await allGenerators()).filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  if (wanted.length === 0) throw new RangeError('test/generators has no such generator')
  const seed = Number(values.seed)
  for (const generator of wanted) {
    const report = await generator.generate(seed, Number(values.count))
    console.log(formatReport(generator.name, seed, report))
    const failures = reportFailures(report)
    for (const failure of failures) console.log(`FAILED: ${failure}`)
    if (failures.length > 0) process.exitCode = 1
  }
}

if (import.meta.main) await main()
