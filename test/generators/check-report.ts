import type { AnnouncedDifference, Difference, GeneratorReport } from './generator.ts'

/** In this many documents each element occurs at least `MIN_OCCURRENCES` times. */
const FULL_COUNT = 2000
const MIN_OCCURRENCES = 20
const MAX_PRINTED_DIFFERENCES = 20
const MAX_EXAMPLE_CHARACTERS = 2000

/** Why a run failed, as sentences; none where it passed. */
export function reportFailures({ documents, counts, differences }: GeneratorReport): readonly string[] {
  const fewest = Math.floor((MIN_OCCURRENCES * documents) / FULL_COUNT)
  const rare = Object.entries(counts).filter(([, count]) => count < fewest)
  return [
    ...(documents > 0 ? [] : ['no document was compared']),
    ...(Object.keys(counts).length > 0 ? [] : ['no element was counted']),
    ...rare.map(
      ([element, count]) =>
        `${element} occurs ${count} times in ${documents} documents; at least ${fewest} are expected`,
    ),
    ...(differences.length === 0 ? [] : [`${differences.length} silent differences`]),
  ]
}

/** The report as text: the table of counts, silent differences with their documents, announced ones grouped by reason. */
export function formatReport(name: string, seed: number, report: GeneratorReport): string {
  const counts = Object.entries(report.counts)
  const width = Math.max(0, ...counts.map(([element]) => element.length))
  const groups = Map.groupBy(report.announced, ({ reason }) => reason)
  const reasons = [...groups].toSorted(([, one], [, other]) => other.length - one.length)
  return [
    `${name}, seed ${seed}: ${report.documents} documents`,
    ...counts.map(([element, count]) => `  ${element.padEnd(width)}  ${count}`),
    `${report.announced.length} announced differences`,
    ...reasons.map(([reason, list]) => `  ${list.length} x ${reason} (${documentNumbers(list)})`),
    `${report.differences.length} silent differences`,
    ...report.differences.slice(0, MAX_PRINTED_DIFFERENCES).map((difference) => formatDifference(seed, difference)),
  ].join('\n')
}

function documentNumbers(list: readonly AnnouncedDifference[]): string {
  const shown = list.slice(0, 3).map(({ index }) => index)
  return `document ${shown.join(', ')}${list.length > shown.length ? ', …' : ''}`
}

function formatDifference(seed: number, { index, what, document, reference, ours }: Difference): string {
  const text = document.length > MAX_EXAMPLE_CHARACTERS ? `${document.slice(0, MAX_EXAMPLE_CHARACTERS)}…` : document
  return `  document ${index} of seed ${seed}, ${what}: reference ${reference}, ours ${ours}\n${text}`
}
