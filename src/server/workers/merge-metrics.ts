/** What says nothing as a sum: of these the largest is told. */
const LARGEST = /^(?:nodejs_eventloop_lag_|nodejs_version_info|process_max_fds|nodejs_gc_duration_seconds_quantile)/
/** Of these the smallest. */
const SMALLEST = /^process_start_time_seconds/

/** The metrics of several processes, in Prometheus' text format, as those of one: a series of several is their sum. */
export function mergeMetrics(texts: readonly string[]): string {
  const values = new Map<string, number>()
  /** What is said of a metric, and its series, in the order in which they came. */
  const families = new Map<string, Set<string>>()
  for (const text of texts) {
    let family = familyOf(families, '')
    for (const line of text.split('\n')) {
      const [, about] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? []
      if (about !== undefined) family = familyOf(families, about).add(line)
      const [, series, value] = /^([^#\s]\S*?(?:\{.*\})?) (\S+)$/.exec(line) ?? []
      if (series === undefined) continue
      if (!values.has(series)) family.add(series)
      values.set(series, joined(series, values.get(series), numberOf(value)))
    }
  }
  const lines = [...families.values()].flatMap((family) =>
    [...family].map((line) => {
      const value = values.get(line)
      return value === undefined ? line : `${line} ${spelled(value)}`
    }),
  )
  return `${lines.join('\n')}\n`
}

function familyOf(families: Map<string, Set<string>>, name: string): Set<string> {
  const family = families.get(name) ?? new Set()
  families.set(name, family)
  return family
}

function joined(series: string, before: number | undefined, value: number): number {
  if (before === undefined) return value
  if (SMALLEST.test(series)) return Math.min(before, value)
  return LARGEST.test(series) ? Math.max(before, value) : before + value
}

function numberOf(text = ''): number {
  return text === '+Inf' ? Number.POSITIVE_INFINITY : text === 'Nan' ? Number.NaN : Number(text)
}

function spelled(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value)
}
