import { feedOf } from '../../src/bytes/feed.ts'
import type { Source } from '../../src/source/source.ts'

/** A file of many long messages, of which only what is not zero is held. */
export interface LargeGrib {
  readonly size: number
  /** In the order of the file. */
  readonly messages: readonly LargeMessage[]
  /** What is written where; all else is zero. */
  readonly pieces: readonly { readonly offset: number; readonly bytes: Uint8Array }[]
}

interface LargeMessage {
  readonly offset: number
  readonly length: number
  /** In hectopascals. */
  readonly level: number
  /** Its number among the parameters. */
  readonly parameter: number
  /** In hours. */
  readonly step: number
}

const COLUMNS = 1440
const ROWS = 721
const POINTS = COLUMNS * ROWS
const BITS = 4
const LEVELS = [1000, 925, 850, 700, 500, 300, 250, 200, 100, 50]
/** Of temperature, humidity, momentum and mass: category and number. */
const PARAMETERS: readonly (readonly [number, number])[] = [
  [0, 0],
  [1, 1],
  [2, 2],
  [2, 3],
  [3, 5],
]

/**
 * Forecasts on a grid of a quarter of a degree, packed simply at four bits: half a megabyte a message. One in ten has a bitmap, by which
 * all of its points are missing; without bitmaps all messages are equally long.
 */
export function largeGrib(count: number, hasBitmaps = true): LargeGrib {
  const messages: LargeMessage[] = []
  const pieces: { offset: number; bytes: Uint8Array }[] = []
  let offset = 0
  for (let index = 0; index < count; index++) {
    const [level, parameter, step] = [
      LEVELS[index % LEVELS.length] ?? 0,
      Math.floor(index / LEVELS.length) % PARAMETERS.length,
      Math.floor(index / LEVELS.length / PARAMETERS.length),
    ]
    const codes = PARAMETERS[parameter] ?? [0, 0]
    const { head, tail, between, length } = message({
      level,
      parameter: codes,
      step,
      hasBitmap: hasBitmaps && index % 10 === 9,
    })
    pieces.push({ offset, bytes: head }, { offset: offset + head.length + between, bytes: tail })
    messages.push({ offset, length, level, parameter, step })
    offset += length
  }
  return { size: offset, messages, pieces }
}

interface Told {
  readonly level: number
  readonly parameter: readonly number[]
  readonly step: number
  readonly hasBitmap: boolean
}

/** What stands before and behind the zeros of a bitmap or of the data. */
function message({ level, parameter, step, hasBitmap }: Told) {
  const bitmapBytes = Math.ceil(POINTS / 8)
  const dataBytes = hasBitmap ? 0 : (POINTS * BITS) / 8
  const values = hasBitmap ? 0 : POINTS
  const s1 = section(1, [...u16(7), ...u16(0), 2, 1, 1, ...u16(2024), 1, 1, 0, 0, 0, 0, 1])
  const grid = [...u32(POINTS), 0, 0, ...u16(0), 6, ...new Array<number>(15).fill(0), ...u32(COLUMNS), ...u32(ROWS)]
  const corners = [90e6, 0, 48, 2 ** 31 + 90e6, 359.75e6, 0.25e6, 0.25e6]
  const [north, west, flags, south, east, dx, dy] = corners.map((value) => u32(value))
  const where = [
    ...u32(0),
    ...u32(2 ** 32 - 1),
    ...(north ?? []),
    ...(west ?? []),
    flags?.[3] ?? 0,
    ...(south ?? []),
    ...(east ?? []),
    ...(dx ?? []),
    ...(dy ?? []),
    0,
  ]
  const s3 = section(3, [0, ...grid, ...where])
  const surface = [100, 0, ...u32(level * 100), 255, 255, ...u32(2 ** 32 - 1)]
  const s4 = section(4, [...u16(0), ...u16(0), ...parameter, 2, 0, 96, ...u16(0), 0, 1, ...u32(step), ...surface])
  const s5 = section(5, [...u32(values), ...u16(0), ...u32(0x43800000), ...u16(0), ...u16(0), BITS, 0])
  const before = [...s1, ...s3, ...s4, ...s5]
  const s6 = hasBitmap ? [...u32(6 + bitmapBytes), 6, 0] : section(6, [255])
  const s7 = [...u32(5 + dataBytes), 7]
  const length = 16 + before.length + s6.length + s7.length + (hasBitmap ? bitmapBytes : dataBytes) + 4
  const indicator = [...Buffer.from('GRIB'), 255, 255, 0, 2, ...u32(0), ...u32(length)]
  const head = [...indicator, ...before, ...s6, ...(hasBitmap ? [] : s7)]
  const tail = [...(hasBitmap ? s7 : []), ...Buffer.from('7777')]
  return {
    head: Uint8Array.from(head),
    tail: Uint8Array.from(tail),
    between: length - head.length - tail.length,
    length,
  }
}

function section(number: number, content: readonly number[]): number[] {
  return [...u32(content.length + 5), number, ...content]
}

function u32(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256)
}

function u16(value: number): number[] {
  return u32(value).slice(2)
}

const NAMES = ['TMP', 'RH', 'UGRD', 'VGRD', 'HGT']

/** As wgrib2 lists it. */
export function trueIdxOf({ messages }: LargeGrib): string {
  const lines = messages.map(({ offset, level, parameter, step }, index) => {
    const forecast = step === 0 ? 'anl' : `${step} hour fcst`
    return `${index + 1}:${offset}:d=2024010100:${NAMES[parameter]}:${level} mb:${forecast}:\n`
  })
  return lines.join('')
}

/** As wgrib2 lists it; only the offsets are true to the file. */
export function idxOf({ messages }: LargeGrib): string {
  return messages.map(({ offset }, index) => `${index + 1}:${offset}:d=2024010100:TMP:850 mb:6 hour fcst:\n`).join('')
}

/** As ECMWF lists it. */
export function indexOf({ messages }: LargeGrib): string {
  const keys =
    '"domain": "g", "date": "20240101", "time": "0000", "expver": "0001", "class": "od", "type": "fc", "stream": "oper"'
  const line = ({ offset, length }: { readonly offset: number; readonly length: number }) =>
    `{${keys}, "step": "6", "levtype": "pl", "levelist": "850", "param": "t", "_offset": ${offset}, "_length": ${length}}\n`
  return messages.map(line).join('')
}

/** The file, made as it is read. */
export function largeSource(url: string, { size, pieces }: LargeGrib): Source {
  const read = async ({ offset, length }: { readonly offset: number; readonly length: number }) => {
    const bytes = new Uint8Array(length)
    for (const piece of pieces) {
      const at = piece.offset - offset
      if (at >= length || at + piece.bytes.length <= 0) continue
      bytes.set(piece.bytes.subarray(Math.max(0, -at), Math.max(0, length - at)), Math.max(0, at))
    }
    return bytes
  }
  return { url, size, validator: '"1"', read, feed: async (range) => feedOf(await read(range)) }
}
