import { gridShapeOf } from '../../src/model/chunk-index.ts'
import { MISSING } from '../../src/model/chunk-ref.ts'
import { zeroOf } from '../../src/model/data-type.ts'
import { rawEncoding } from '../../src/model/encoding.ts'
import {
  type AttributeValue,
  type Diagnostic,
  type Member,
  NO_SENTINELS,
  type StoredArray,
  type VirtualGroup,
} from '../../src/model/virtual-store.ts'

/** An array of one chunk a dimension, without stored chunks; what a test is about is given. */
export function virtualArray(given: Partial<StoredArray> = {}): StoredArray {
  const dataType = given.dataType ?? { kind: 'int', bits: 16 }
  const shape = given.shape ?? [2, 3]
  const chunkShape = given.chunkShape ?? shape.map((length) => Math.max(length, 1))
  return {
    kind: 'array',
    shape,
    chunkShape,
    dataType,
    fillValue: zeroOf(dataType),
    fillOrigin: 'test',
    sentinels: NO_SENTINELS,
    attributes: new Map(),
    encodings: [rawEncoding('little')],
    edges: 'padded',
    chunks: { gridShape: gridShapeOf(shape, chunkShape), at: () => MISSING, isComplete: () => false, weight: () => 0 },
    ...given,
  }
}

/** A group of these members. */
export function virtualGroup(
  members: Readonly<Record<string, Member>>,
  attributes: Readonly<Record<string, AttributeValue>> = {},
): VirtualGroup {
  return { kind: 'group', attributes: new Map(Object.entries(attributes)), members: new Map(Object.entries(members)) }
}

/** Collects diagnostics: `codes` in the order they came. */
export function listener(): { warn(diagnostic: Diagnostic): void; readonly seen: Diagnostic[]; codes(): string[] } {
  const seen: Diagnostic[] = []
  return { seen, warn: (diagnostic) => seen.push(diagnostic), codes: () => seen.map(({ code }) => code) }
}
