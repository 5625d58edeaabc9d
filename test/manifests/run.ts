// Every source of the fixtures, the examples and the corpora, kept by one process and opened by the next: `npm run manifests`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { recodeWorkers } from '../../src/delivery/recoding/workers.ts'
import { openSources } from '../../src/source/open.ts'
import { DEFAULT_SOURCE_SETTINGS } from '../../src/source/settings.ts'
import { corpusSources, fixtureSources, type TestSource } from '../helpers/test-sources.ts'
import { compareRestored } from './compare-restored.ts'

const { values } = parseArgs({ options: { format: { type: 'string' }, chunks: { type: 'string', default: '8' } } })
const folder = mkdtempSync(join(tmpdir(), 'vz-kept-sources-'))
const sources = openSources({
  ...DEFAULT_SOURCE_SETTINGS,
  fileRoots: [folder, fileURLToPath(new URL('../..', import.meta.url))],
})
const workers = recodeWorkers({ threads: 1 })
const OPTIONS = [{}, { codecs: 'native' }]

/** Puts a source where it can be read; answers its URL. */
function placed(source: TestSource, at: string): string {
  const members = source.members()
  for (const [path, bytes] of Object.entries(source.pack?.(members) ?? members)) {
    mkdirSync(dirname(join(at, path)), { recursive: true })
    writeFileSync(join(at, path), bytes)
  }
  return new URL(source.source, `${pathToFileURL(at).href}/`).href
}

const totals = new Map<string, { sources: number; answers: number; kept: number; refused: number }>()
let failures = 0
for (const [number, source] of [...fixtureSources(), ...corpusSources()].entries()) {
  if (values.format !== undefined && source.format !== values.format) continue
  const total = totals.get(source.format) ?? { sources: 0, answers: 0, kept: 0, refused: 0 }
  totals.set(source.format, total)
  total.sources++
  const at = join(folder, String(number))
  const url = placed(source, at)
  for (const options of OPTIONS) {
    try {
      const input = { sources, workers, url, options, mostChunks: Number(values.chunks) }
      const { answers, isKept, isRefused, reason } = await compareRestored(input)
      total.answers += answers
      total.refused += isRefused ? 1 : 0
      total.kept += isKept ? 1 : 0
      if (!isKept && !isRefused)
        console.log(`not kept: ${source.name}: ${reason instanceof Error ? reason.message : reason}`)
    } catch (error) {
      failures++
      console.log(`${source.name}: ${error instanceof Error ? error.message.slice(0, 2000) : error}`)
    }
  }
  rmSync(at, { recursive: true, force: true })
}
console.table(Object.fromEntries(totals))
rmSync(folder, { recursive: true, force: true })
await workers.close()
await sources.close()
process.exitCode = failures > 0 ? 1 : 0
