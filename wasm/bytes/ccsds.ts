// Extended Rice codes (CCSDS 121.0-B, unsigned samples), an interval from one reference sample to the next at a time. Bits are
// read from the highest of a byte on.

import { ENDS_EARLY } from './result'
import { wordAt } from './words'

/** A pair of samples has a code that no pair has. */
const NO_PAIR: i32 = -2
/** More blocks of zeros are said than are left. */
const TOO_MANY_ZEROS: i32 = -3

/** This code for the number of zero blocks means: to the end of the segment. */
const REST_OF_SEGMENT: u64 = 5
/** Zero blocks are counted within segments of so many blocks. */
const SEGMENT: usize = 64
/** The highest code of the second extension: pairs of samples whose sum is at most 12. */
const MOST_PAIR: u64 = 90

// What `ccsdsStart` tells.
let sourceEnd: usize = 0
let bits: u32 = 0
let idBits: u32 = 0
let blockLength: usize = 0
let blocks: usize = 0
let isPredicted = false
let isAligned = false

// How far was read.
let from: usize = 0
let bit: u64 = 0

/** Behind the source are 8 bytes of zeros, which can be read. */
export function ccsdsStart(
  source: usize,
  end: usize,
  sampleBits: u32,
  codeBits: u32,
  blockSamples: usize,
  intervalBlocks: usize,
  predicted: bool,
  aligned: bool,
): void {
  from = source
  bit = 0
  sourceEnd = end
  bits = sampleBits
  idBits = codeBits
  blockLength = blockSamples
  blocks = intervalBlocks
  isPredicted = predicted
  isAligned = aligned
}

/** Reads the next `count` samples of 32 bits; there is room for a whole interval. Returns 0 or what is wrong. */
export function ccsdsInterval(samples: usize, count: usize): i32 {
  for (let at: usize = 0; at < count; ) {
    const id = read(idBits)
    const first: usize = isPredicted && at === 0 ? 1 : 0
    const place = samples + 4 * at
    const end = place + 4 * blockLength
    let failed: i32 = 0
    let length = blockLength
    if (id === (1 << idBits) - 1) {
      for (let to = place; to < end; to += 4) store<u32>(to, read(bits))
    } else {
      const isPairs = id === 0 && read(1) === 1
      if (first === 1) store<u32>(place, read(bits))
      if (id > 0) failed = split(place + 4 * first, end, id - 1)
      else if (isPairs) failed = pairs(place, place + 4 * first, end)
      else {
        const zeros = zeroBlocks(at / blockLength)
        if (zeros > blocks - at / blockLength) return TOO_MANY_ZEROS
        length = zeros * blockLength
        memory.fill(place + 4 * first, 0, 4 * (length - first))
      }
    }
    if (failed !== 0) return failed
    if (isPast()) return ENDS_EARLY
    at += length
  }
  if (isPredicted) undoPrediction(samples, count)
  if (isAligned && bit > 0) advance(8 - bit)
  return 0
}

function isPast(): bool {
  return from > sourceEnd || (from === sourceEnd && bit > 0)
}

function advance(some: u64): void {
  const all = bit + some
  from += (all >> 3) as usize
  bit = all & 7
}

/** The next 1 to 32 bits: zeros where the source has ended. */
function read(some: u32): u32 {
  if (from > sourceEnd) return 0
  const value = (wordAt(from) << bit) >> (64 - some)
  advance(some)
  return value as u32
}

/** How many zeros come before the next one; both are consumed. */
function unary(): u64 {
  let zeros: u64 = 0
  while (from <= sourceEnd) {
    const word = wordAt(from) << bit
    if (word !== 0) {
      const run = clz<u64>(word)
      advance(run + 1)
      return zeros + run
    }
    zeros += 64 - bit
    from += 8
    bit = 0
  }
  return zeros
}

/** All high parts in unary, then `low` bits of each. */
function split(start: usize, end: usize, low: u32): i32 {
  let word: u64 = 0
  let at = from
  let used = bit
  for (let to = start; to < end; to += 4) {
    let zeros: u64 = 0
    if (word === 0) {
      at += (used >> 3) as usize
      used &= 7
      if (at > sourceEnd) return ENDS_EARLY
      word = wordAt(at) << used
      while (word === 0) {
        zeros += 64 - used
        at += 8
        used = 0
        if (at > sourceEnd) return ENDS_EARLY
        word = wordAt(at)
      }
    }
    const run = clz<u64>(word)
    store<u32>(to, ((zeros + run) << low) as u32)
    used += run + 1
    word = (word << run) << 1
  }
  from = at
  bit = 0
  advance(used)
  return low === 0 ? 0 : addLow(start, end, low)
}

function addLow(start: usize, end: usize, low: u64): i32 {
  let at = from
  let used = bit
  const there = (sourceEnd as i64) - (at as i64)
  const needed = (used + low * ((end - start) >> 2)) as i64
  if (there * 8 < needed) return ENDS_EARLY
  for (let to = start; to < end; to += 4) {
    const value = (wordAt(at) << used) >> (64 - low)
    store<u32>(to, load<u32>(to) | (value as u32))
    used += low
    at += (used >> 3) as usize
    used &= 7
  }
  from = at
  bit = used
  return 0
}

/** The second extension: one code for two samples; that of the reference sample is left out. */
function pairs(block: usize, start: usize, end: usize): i32 {
  for (let to = start; to < end; to += 4) {
    const code = unary()
    if (code > MOST_PAIR) return isPast() ? ENDS_EARLY : NO_PAIR
    const root = sqrt<f64>((code * 8 + 1) as f64)
    const sum = ((root - 1) / 2) as u32
    const second = (code as u32) - ((sum * (sum + 1)) >> 1)
    if (((to - block) & 4) === 0) {
      store<u32>(to, sum - second)
      to += 4
    }
    store<u32>(to, second)
  }
  return 0
}

function zeroBlocks(block: usize): usize {
  const code = unary() + 1
  if (code === REST_OF_SEGMENT) return min(blocks - block, SEGMENT - (block % SEGMENT))
  return min(code > REST_OF_SEGMENT ? code - 1 : code, 0x7fffffff) as usize
}

/** From mapped differences back to samples. */
function undoPrediction(samples: usize, count: usize): void {
  const most: u32 = bits === 32 ? 0xffffffff : (1 << bits) - 1
  const middle = (most >> 1) + 1
  let value = load<u32>(samples)
  const end = samples + 4 * count
  for (let to = samples + 4; to < end; to += 4) {
    const mapped = load<u32>(to)
    const mirror: u32 = (value & middle) === 0 ? 0 : most
    const half = (mapped >> 1) + (mapped & 1)
    // Odd ones are negative.
    if (half <= (mirror ^ value)) value += (mapped >> 1) ^ (0 - (mapped & 1))
    else value = (mirror ^ mapped) & most
    store<u32>(to, value)
  }
}
