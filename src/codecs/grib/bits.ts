import { malformed } from '../../errors.ts'

/** Widest integers that are read. */
const MOST_BITS = 40
const WIDEST_UINT32 = 32

/** A run of unsigned integers in a stream of bits. */
export interface BitRun {
  /** First bit, counted from the highest one of the first byte. */
  readonly start: number
  /** Bits of an integer: 0 to 40. */
  readonly width: number
  readonly count: number
}

/** The first bit after a run. */
export function bitAfter({ start, width, count }: BitRun): number {
  return start + width * count
}

/** The next bit that begins a byte. */
export function byteBoundary(bit: number): number {
  return Math.ceil(bit / 8) * 8
}

/** Throws where a run is not whole, or wider than what is decoded. */
export function requireRun(bytes: Uint8Array, run: BitRun, what: string): void {
  if (run.width > MOST_BITS) throw malformed(`${what} of ${run.width} bits, expected at most ${MOST_BITS}`)
  const end = bitAfter(run)
  if (end <= bytes.length * 8) return
  throw malformed(`${what} end after ${bytes.length} bytes, ${Math.ceil(end / 8)} are expected`)
}

/** The integers of a run that is known to be whole, put into `target` from an index on. */
export function unpackInto(bytes: Uint8Array, run: BitRun, target: Float64Array | Uint32Array, from: number): void {
  const { start, width, count } = run
  if (width === 0) target.fill(0, from, from + count)
  else if (width % 8 === 0 && start % 8 === 0) unpackBytes(bytes, start / 8, width / 8, count, target, from)
  else if (width > 24) unpackWide(bytes, run, target, from)
  else unpackNarrow(bytes, run, target, from)
}

/** The integers of a run, of up to 32 bits. */
export function unpackRun(bytes: Uint8Array, run: BitRun, what: string): Uint32Array {
  requireRun(bytes, run, what)
  if (run.width > WIDEST_UINT32) throw malformed(`${what} of ${run.width} bits, expected at most ${WIDEST_UINT32}`)
  const values = new Uint32Array(run.count)
  unpackInto(bytes, run, values, 0)
  return values
}

function unpackBytes(
  bytes: Uint8Array,
  start: number,
  size: number,
  count: number,
  target: Float64Array | Uint32Array,
  from: number,
): void {
  let at = start
  const end = from + count
  if (size === 1) for (let i = from; i < end; i++) target[i] = bytes[at++] ?? 0
  else if (size === 2) {
    for (let i = from; i < end; i++, at += 2) target[i] = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  } else {
    for (let i = from; i < end; i++) {
      let value = 0
      for (const last = at + size; at < last; at++) value = value * 256 + (bytes[at] ?? 0)
      target[i] = value
    }
  }
}

/** Up to 24 bits: what is left of a byte and the next integer fit 31 bits. */
function unpackNarrow(
  bytes: Uint8Array,
  { start, width, count }: BitRun,
  target: Float64Array | Uint32Array,
  from: number,
): void {
  let at = Math.floor(start / 8)
  let held = 8 - (start % 8)
  let word = (bytes[at++] ?? 0) & ((1 << held) - 1)
  const end = from + count
  for (let i = from; i < end; i++) {
    while (held < width) {
      word = (word << 8) | (bytes[at++] ?? 0)
      held += 8
    }
    held -= width
    target[i] = word >>> held
    word &= (1 << held) - 1
  }
}

function unpackWide(
  bytes: Uint8Array,
  { start, width, count }: BitRun,
  target: Float64Array | Uint32Array,
  from: number,
): void {
  const part = new Uint32Array(1)
  for (let i = 0, bit = start; i < count; i++, bit += width) {
    unpackNarrow(bytes, { start: bit, width: width - 16, count: 1 }, part, 0)
    const high = part[0] ?? 0
    unpackNarrow(bytes, { start: bit + width - 16, width: 16, count: 1 }, part, 0)
    target[from + i] = high * 65_536 + (part[0] ?? 0)
  }
}
