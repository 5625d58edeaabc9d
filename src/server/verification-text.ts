import type { Change } from '../verify/against.ts'
import type { ArrayReport, Difference, VerifyReport } from '../verify/report.ts'
import { shownText } from './shown.ts'

const WORDS: Readonly<Record<ArrayReport['result'], string>> = {
  confirmed: 'ok       ',
  differs: 'DIFFERS  ',
  fault: 'fault    ',
  'not-compared': '-        ',
}

/** A report for people. */
export function verificationText(report: VerifyReport, changes: readonly Change[]): string {
  const { source, format, reader, client, sample, arrays, totals } = report
  const lines = [
    shownText(source),
    `${format}; served values by ${client}, the source by ${reader ?? 'no independent reader'}; ${percent(sample)} of the chunks`,
    '',
    ...Object.entries(arrays).flatMap(([path, array]) => [...arrayLines(path, array)]),
    '',
    `${totals.confirmed} confirmed, ${totals.differs} differ, ${totals['not-compared']} not compared, ${totals.fault} with a known fault of the reader; ${totals.values} values`,
    ...changes.map(({ path, what, before, now }) => shownText(`changed since: ${path} ${what}: ${before} -> ${now}`)),
  ]
  return `${lines.join('\n')}\n`
}

function* arrayLines(path: string, array: ArrayReport): Generator<string> {
  const { result, shape, type, chunks, why, differences } = array
  const counted = result === 'not-compared' ? '' : `, ${chunks.compared} of ${chunks.of} chunks`
  yield shownText(`${WORDS[result]}${path === '' ? 'the root array' : path}  ${type} (${shape.join(', ')})${counted}`)
  if (why !== undefined) yield shownText(`           ${why}`)
  for (const difference of differences) yield shownText(`           ${differenceText(difference)}`)
}

function differenceText({ what, served, source, chunk, at, count }: Difference): string {
  const place = chunk === undefined ? '' : ` in chunk ${chunk.join('/')} at ${at?.join(', ')} (${count} values)`
  return `${what}${place}: served ${JSON.stringify(served)}, source ${JSON.stringify(source)}`
}

function percent(sample: number): string {
  return sample === 1 ? 'all' : `${Number((sample * 100).toPrecision(3))} %`
}
