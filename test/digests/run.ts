// Records what a service answers for every source of the fixtures, the examples and the corpora under many options, and compares two records:
//   npm run digests -- record before [--checkout DIR] [--format F] [--chunks N]
//   npm run digests -- compare before after
// Meant for changes that must not change behaviour: record before and after, then compare. Records lie in node_modules/.cache/digests.
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CORPUS_ABSENT } from '../corpus/golden.ts'
import { differencesBetween } from './compare.ts'
import { OWN_CHECKOUT, record } from './record.ts'
import { digestSources } from './sources.ts'

const MAX_SHOWN = 60

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    checkout: { type: 'string', default: OWN_CHECKOUT },
    format: { type: 'string' },
    chunks: { type: 'string', default: '6' },
  },
})
const [command, first = '', second = ''] = positionals
const folderOf = (name: string) => join(OWN_CHECKOUT, 'node_modules/.cache/digests', name)

if (command === 'record' && first !== '') {
  if (CORPUS_ABSENT !== false) console.log(`without the corpora: ${CORPUS_ABSENT}`)
  const sources = digestSources().filter(({ format }) => values.format === undefined || values.format === format)
  rmSync(folderOf(first), { recursive: true, force: true })
  const started = Date.now()
  const maxChunks = Number(values.chunks)
  const count = await record({ checkout: resolve(values.checkout), folder: folderOf(first), sources, maxChunks })
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(`${count} answers of ${sources.length} sources in ${seconds} s, recorded as ${first}`)
} else if (command === 'compare' && second !== '') {
  const differences = differencesBetween(folderOf(first), folderOf(second))
  for (const { what, detail } of differences.slice(0, MAX_SHOWN)) console.log(`${what}\n    ${detail}`)
  if (differences.length > MAX_SHOWN) console.log(`and ${differences.length - MAX_SHOWN} more`)
  console.log(`${differences.length} differences`)
  process.exitCode = differences.length === 0 ? 0 : 1
} else {
  console.error('usage: npm run digests -- record NAME [--checkout DIR] [--format F] [--chunks N] | compare NAME NAME')
  process.exitCode = 2
}
