// Sequences of varying length (HDF5 File Format Specification, section IV.A.2.d "Class 9"), as CF's contiguous ragged arrays (section 9.3.3).

import { type HeapReferences, parseReferences } from '../../../codecs/hdf5/heap-references.ts'
import { hdf5Sequences, sequenceParts } from '../../../codecs/hdf5/sequences.ts'
import { repack } from '../../../codecs/own/repack.ts'
import { type ErrorContext, malformed, unsupported } from '../../../errors.ts'
import { type ChunkIndex, gridShapeOf } from '../../../model/chunk-index.ts'
import { zeroOf } from '../../../model/data-type.ts'
import type { StoredCodec } from '../../../model/encoding.ts'
import { recipe } from '../../../model/recipe.ts'
import { MOST_CHUNK_BYTES } from '../../../model/run-chunks.ts'
import { elementCount } from '../../../model/shape.ts'
import {
  type Attributes,
  NO_SENTINELS,
  type Sentinels,
  type VirtualArray,
  type VirtualGroup,
} from '../../../model/virtual-store.ts'
import type { Hdf5File } from '../structures/hdf5-file.ts'
import type { Hdf5World, NamedDataset } from '../world.ts'
import type { ElementPlan } from './plan.ts'
import { readWhole, type StoredValues, storedValues } from './whole-values.ts'

export interface SequenceInput {
  readonly named: NamedDataset
  /** Of an element of the sequences. */
  readonly plan: ElementPlan
  readonly sentinels: Sentinels
  readonly attributes: Attributes
  readonly place: ErrorContext
}

/** Where each sequence lies is read when the file is opened: together they say how many values there are. */
const MOST_SEQUENCES = 262_144
/** Each value of a chunk may be a sequence of its own. */
const MOST_CHUNK_VALUES = 65_536
const SAMPLES = 'obs'

/** `values`: all elements of all sequences, one after the other; `lengths`: how many of them each sequence has. */
export async function sequenceGroup(input: SequenceInput, world: Hdf5World): Promise<VirtualGroup> {
  const { named, plan, place } = input
  const { file } = world
  const codecs = valueCodecs(plan, file)
  const { size } = named.dataset.type
  if (size !== 8 + file.offsetSize) throw malformed(`references to sequences of ${size} bytes`)
  const stored = storedValues(named, MOST_SEQUENCES, world, place)
  const references = await readReferences(stored, file)
  const dimensions = world.dimensions.namesOf(named)
  const samples = dimensions.includes(SAMPLES) ? `${SAMPLES}_2` : SAMPLES
  const values = valuesArray({ ...input, codecs, references, samples })
  const lengths = lengthsArray(stored, dimensions, samples)
  return { kind: 'group', attributes: new Map(), members: new Map(Object.entries({ values, lengths })) }
}

/** The codecs of an element, but that its bytes are in a heap. */
function valueCodecs(plan: ElementPlan, { offsetSize, lengthSize, base }: Hdf5File): readonly StoredCodec[] {
  const serial = plan.codecs.at(-1)
  if (serial?.name !== 'bytes') throw unsupported('HDF5 sequence of text', 'sequences of what itself varies in length')
  const endian = serial.configuration['endian'] === 'big' ? 'big' : 'little'
  return [...plan.codecs.slice(0, -1), hdf5Sequences.stored({ offsetSize, lengthSize, base, endian })]
}

async function readReferences(stored: StoredValues, file: Hdf5File): Promise<HeapReferences> {
  const { shape, size } = stored
  const bytes = await readWhole(stored, file)
  const references = parseReferences(bytes, elementCount(shape), file)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // What `lengths` says is what the file says.
  const odd = references.lengths.findIndex((length, i) => length !== view.getUint32(i * size, true))
  if (odd !== -1) throw malformed(`a sequence of ${view.getUint32(odd * size, true)} elements that is nowhere`)
  return references
}

interface ValuesInput extends SequenceInput {
  readonly codecs: readonly StoredCodec[]
  readonly references: HeapReferences
  readonly samples: string
}

function valuesArray(input: ValuesInput): VirtualArray {
  const { plan, codecs, references, samples, sentinels, attributes } = input
  const total = references.lengths.reduce((sum, length) => sum + length, 0)
  const itemSize = plan.stored.size * elementCount(plan.innerShape)
  const most = Math.min(MOST_CHUNK_VALUES, Math.floor(MOST_CHUNK_BYTES / 4 / itemSize))
  const length = Math.max(1, Math.min(total, most))
  const shape = [total, ...plan.innerShape]
  const chunkShape = [length, ...plan.innerShape]
  const chunks = sequenceChunks({ gridShape: gridShapeOf(shape, chunkShape), references, length })
  return {
    kind: 'array',
    shape,
    chunkShape,
    dataType: plan.dataType,
    fillValue: zeroOf(plan.dataType),
    fillOrigin: 'zero: all values are written',
    sentinels,
    attributes,
    dimensionNames: [samples, ...plan.innerShape.map(() => null)],
    encodings: [codecs],
    edges: 'cropped',
    chunks,
  }
}

interface SequenceChunks {
  readonly gridShape: readonly number[]
  readonly references: HeapReferences
  /** Values of a chunk. */
  readonly length: number
}

export const sequenceChunks = recipe(
  'hdf5.sequences',
  ({ gridShape, references, length }: SequenceChunks): ChunkIndex => {
    const starts = startsOf(references)
    const total = starts.at(-1) ?? 0
    return {
      gridShape,
      at: ([chunk = 0]) => ({
        kind: 'inline',
        bytes: partsOf(references, starts, chunk * length, Math.min((chunk + 1) * length, total)),
        encoding: 0,
        source: 0,
      }),
      isComplete: () => true,
      weight: () => 400 + references.lengths.length * 24,
    }
  },
)

/** Where each sequence begins among all values, and behind them their number. */
function startsOf({ lengths }: HeapReferences): Float64Array {
  const starts = new Float64Array(lengths.length + 1)
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = (starts[i] ?? 0) + (lengths[i] ?? 0)
  return starts
}

/** The parts of sequences that are the values from `from` to `to`. */
function partsOf(references: HeapReferences, starts: Float64Array, from: number, to: number): Uint8Array {
  const parts = []
  for (let i = lastAtOrBefore(starts, from); i < references.lengths.length && (starts[i] ?? to) < to; i++) {
    const start = starts[i] ?? 0
    const length = references.lengths[i] ?? 0
    const first = Math.max(from - start, 0)
    const count = Math.min(to - start, length) - first
    if (count <= 0) continue
    parts.push({
      address: references.addresses[i] ?? 0,
      object: references.objects[i] ?? 0,
      length,
      from: first,
      count,
    })
  }
  return sequenceParts(parts)
}

function lastAtOrBefore(starts: Float64Array, value: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}

/** The first number of each reference. */
function lengthsArray(
  { shape, size, storage }: StoredValues,
  dimensionNames: readonly (string | null)[],
  samples: string,
): VirtualArray {
  const first = repack.stored({ recordSize: size, runs: [[0, 4, 1, 0]] })
  return {
    kind: 'array',
    shape,
    ...storage,
    dataType: { kind: 'uint', bits: 32 },
    fillValue: { kind: 'number', value: 0 },
    fillOrigin: 'zero: a sequence that was never written is empty',
    sentinels: NO_SENTINELS,
    attributes: new Map([['sample_dimension', samples]]),
    dimensionNames,
    encodings: storage.encodings.map((encoding) => [first, ...encoding]),
  }
}
