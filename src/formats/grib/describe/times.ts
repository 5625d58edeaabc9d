/** Seconds of a unit by code table 4.4 (GRIB 2) or 4 (GRIB 1). */
const UNIT_SECONDS: ReadonlyMap<number, number> = new Map([
  [0, 60],
  [1, 3600],
  [2, 86_400],
  [3, 2_592_000],
  [4, 31_536_000],
  [10, 10_800],
  [11, 21_600],
  [12, 43_200],
  [254, 1],
])

/** Units that the editions disagree about. */
const EDITION_1: ReadonlyMap<number, number> = new Map([
  [13, 900],
  [14, 1800],
])
const EDITION_2: ReadonlyMap<number, number> = new Map([[13, 1]])

/** Seconds of a unit; undefined where the code is none of fixed length. */
export function unitSeconds(code: number, edition: 1 | 2): number | undefined {
  return (edition === 1 ? EDITION_1 : EDITION_2).get(code) ?? UNIT_SECONDS.get(code)
}

/** Seconds since 1970 of a date of the calendar, to the minute as readers of GRIB have it. */
export function secondsOf(year: number, month: number, day: number, hour: number, minute: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute)
  return date.getTime() / 1000
}
