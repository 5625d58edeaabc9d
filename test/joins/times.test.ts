import assert from 'node:assert/strict'
import test from 'node:test'
import { dayNumber, GREGORIAN_START } from '../../src/joins/times/calendar.ts'
import { commonUnits, countChange, unitsText } from '../../src/joins/times/common-times.ts'
import { parseTimeUnits, type TimeUnits } from '../../src/joins/times/time-units.ts'

function units(text: string, calendar?: string): TimeUnits {
  const parsed = parseTimeUnits(text, calendar)
  assert(parsed !== undefined, text)
  return parsed
}

test('the standard calendar jumps from 4 to 15 October 1582', () => {
  assert.equal(dayNumber('standard', 1582, 10, 15), GREGORIAN_START)
  assert.equal(dayNumber('standard', 1582, 10, 4), GREGORIAN_START - 1)
  assert.equal(dayNumber('standard', 1582, 10, 10), undefined)
  assert.equal(dayNumber('proleptic_gregorian', 1582, 10, 10), GREGORIAN_START - 5)
  assert.equal(dayNumber('julian', 1582, 10, 5), GREGORIAN_START)
})

test('days that a calendar has not are no dates', () => {
  assert.equal(dayNumber('noleap', 2000, 2, 29), undefined)
  assert.equal(dayNumber('360_day', 2000, 2, 30), 2000 * 360 + 59)
  assert.equal(dayNumber('360_day', 2000, 1, 31), undefined)
  assert.equal(dayNumber('standard', 1900, 2, 29), undefined)
  assert.equal(dayNumber('standard', 1500, 2, 29) !== undefined, true)
  assert.equal(parseTimeUnits('days since 2001-02-29', 'noleap'), undefined)
})

test('months and years, of no fixed length, are no units; nor are dates that nobody can read', () => {
  for (const text of ['months since 2000-01-01', 'years since 2000-01-01', 'days', 'days since yesterday', 'K']) {
    assert.equal(parseTimeUnits(text, undefined), undefined, text)
  }
  assert.equal(parseTimeUnits('days since 2000-01-01', 'martian'), undefined)
})

test('COMB-3: counts from different months become counts from the first, and stay whole', () => {
  const first = units('days since 2000-01-01')
  const second = units('days since 2000-02-01 00:00:00')
  const common = commonUnits([first, second])
  assert.deepEqual(common, first)
  assert.deepEqual(countChange(second, first), { multiply: 1n, add: 31n })
})

test('COMB-3: a finer unit, or a date in the middle of a day, makes the common unit finer', () => {
  const days = units('days since 2000-01-01')
  const hours = units('hours since 2000-01-01')
  const half = units('days since 2000-01-01 12:30')
  assert.equal(unitsText(commonUnits([days, hours]) ?? days), 'hours since 2000-01-01')
  assert.equal(unitsText(commonUnits([days, half]) ?? days), 'minutes since 2000-01-01')
  assert.equal(unitsText(commonUnits([hours, days]) ?? days), 'hours since 2000-01-01')
  assert.equal(countChange(hours, days), undefined)
})

test('COMB-3: different calendars are not mixed, but for the standard one and the Gregorian one since 1582', () => {
  const noleap = units('days since 2000-01-01', 'noleap')
  assert.equal(commonUnits([units('days since 2000-01-01'), noleap]), undefined)
  const old = units('days since 0001-01-01', 'standard')
  const proleptic = units('days since 0001-01-01', 'proleptic_gregorian')
  const change = countChange(old, proleptic)
  assert.deepEqual(change, { multiply: 1n, add: -2n, least: 577_735n })
})

test('a time zone and fractions of a second move the date that is counted from', () => {
  const plain = units('seconds since 2000-01-01 00:00:00')
  assert.equal(units('seconds since 2000-01-01 02:00:00 +2:00').start, plain.start)
  assert.equal(units('seconds since 2000-01-01T00:00:00Z').start, plain.start)
  assert.equal(units('seconds since 2000-01-01 00:00:00.5').start - plain.start, 500_000_000n)
})
