import { malformed, unsupported } from '../../errors.ts'
import { internalBytes } from '../internal.ts'
import { BitReader } from '../kernels/bit-reader.ts'
import { chunkMemory } from '../kernels/chunk-memory.ts'

// The parameters' words for types (H5Znbit.c).
const ATOMIC = 1
const ARRAY = 2
const COMPOUND = 3
const WHOLE = 4

/** HDF5's filter 5: only the bits that a type uses are stored. `clientData` is the filter's own. */
export const nbit = internalBytes<ClientData>({
  name: 'vz.nbit',
  prepare: ({ clientData }) => {
    // "Need not compress": every bit of the type is in use.
    if (clientData[1] !== 0) return { decode: (bytes) => bytes }
    const count = clientData[2] ?? 0
    const plan = planOf(clientData)
    return {
      decode: (bytes, { limit }) => {
        if (count * plan.size > limit) {
          throw malformed(`nbit: ${count} elements of ${plan.size} bytes, at most ${limit} bytes are expected`)
        }
        return unpacked(new BitReader(bytes, 'an nbit chunk'), plan, count)
      },
    }
  },
})

/** A filter's parameters as they stand in the file: unsigned integers of 32 bits. */
export interface ClientData {
  readonly clientData: readonly number[]
}

/** Which bits of which bytes of an element are stored, in the order in which they are. */
interface Plan {
  readonly size: number
  /** Three numbers a step: byte of the element, number of bits, lowest of them. */
  readonly steps: Uint32Array
}

/** An element is taken apart in advance, so it must not be huge. */
const MOST_STEPS = 2 ** 18
const MOST_DEPTH = 32

function unpacked(reader: BitReader, { size, steps }: Plan, count: number): Uint8Array {
  const result = chunkMemory.zeros(count * size)
  for (let start = 0; start < result.length; start += size) {
    for (let i = 0; i < steps.length; i += 3) {
      result[start + (steps[i] ?? 0)] = reader.read(steps[i + 1] ?? 0) << (steps[i + 2] ?? 0)
    }
  }
  reader.finish()
  return result
}

function planOf(clientData: readonly number[]): Plan {
  const walk: Walk = { parameters: clientData, next: 3, steps: [], depth: 0 }
  const kind = take(walk)
  const size = clientData[walk.next] ?? 0
  if (size === 0 || size > MOST_STEPS) throw unsupported('nbit of long records', `nbit of elements of ${size} bytes`)
  planType(walk, kind, 0, size)
  return { size, steps: Uint32Array.from(walk.steps) }
}

interface Walk {
  readonly parameters: readonly number[]
  /** Index of the next parameter. */
  next: number
  readonly steps: number[]
  depth: number
}

function take(walk: Walk): number {
  const value = walk.parameters[walk.next++]
  if (value === undefined) throw malformed(`nbit: the ${walk.parameters.length} parameters end too early`)
  return value
}

/** Plans a type that lies in `room` bytes from `at` on; its own size is the next parameter. */
function planType(walk: Walk, kind: number, at: number, room: number): void {
  const size = take(walk)
  if (size === 0 || size > room) throw malformed(`nbit: a type of ${size} bytes in ${room}`)
  if (++walk.depth > MOST_DEPTH) throw malformed(`nbit: types within types, more than ${MOST_DEPTH} deep`)
  if (kind === ATOMIC) planAtomic(walk, at, size)
  else if (kind === ARRAY) planArray(walk, at, size)
  else if (kind === COMPOUND) planCompound(walk, at, size)
  else if (kind === WHOLE) for (let i = 0; i < size; i++) addStep(walk, at + i, 8, 0)
  else throw malformed(`nbit: type class ${kind} is not defined (1 to 4)`)
  walk.depth--
}

function planAtomic(walk: Walk, at: number, size: number): void {
  const isBig = take(walk) === 1
  const precision = take(walk)
  const offset = take(walk)
  if (precision === 0 || precision + offset > size * 8) {
    throw malformed(`nbit: ${precision} bits from bit ${offset} on do not fit in ${size} bytes`)
  }
  for (let byte = Math.ceil((precision + offset) / 8) - 1; byte >= Math.floor(offset / 8); byte--) {
    const lowest = Math.max(offset - byte * 8, 0)
    const highest = Math.min(offset + precision - byte * 8, 8)
    addStep(walk, at + (isBig ? size - 1 - byte : byte), highest - lowest, lowest)
  }
}

function planArray(walk: Walk, at: number, size: number): void {
  const kind = take(walk)
  const base = walk.parameters[walk.next] ?? 0
  if (kind === WHOLE) {
    take(walk)
    for (let i = 0; i < size; i++) addStep(walk, at + i, 8, 0)
    return
  }
  if (base === 0 || base > size) throw malformed(`nbit: an array of ${size} bytes with elements of ${base}`)
  const start = walk.next
  for (let i = 0; i < Math.floor(size / base); i++) {
    walk.next = start
    planType(walk, kind, at + i * base, base)
  }
}

function planCompound(walk: Walk, at: number, size: number): void {
  const members = take(walk)
  for (let i = 0; i < members; i++) {
    const offset = take(walk)
    const kind = take(walk)
    if (offset >= size) throw malformed(`nbit: a member begins at ${offset} of ${size} bytes`)
    planType(walk, kind, at + offset, size - offset)
  }
}

function addStep(walk: Walk, byte: number, bits: number, lowest: number): void {
  if (walk.steps.length >= 3 * MOST_STEPS) throw unsupported('nbit of long records', 'nbit of a record of many members')
  walk.steps.push(byte, bits, lowest)
}
