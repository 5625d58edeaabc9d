import { bytesOfBody } from '../../bytes/feed.ts'
import { ownBytes } from '../../bytes/own.ts'
import { copyBox, filledElements } from '../../codecs/elements.ts'
import { decode } from '../../codecs/pipeline.ts'
import { needsSource, prepareEncoding } from '../../codecs/prepare.ts'
import { COMPOSED } from '../../compose/found-chunk.ts'
import { errorInFile } from '../../compose/run-program.ts'
import { deliver } from '../../delivery/deliver.ts'
import type { DeliveryWorld } from '../../delivery/delivery.ts'
import { memberWorld } from '../../delivery/member-world.ts'
import { planDelivery } from '../../delivery/plan.ts'
import { sharedArray } from '../../joins/joined-array.ts'
import type { OpenPart } from '../../joins/parts.ts'
import { composedArray } from '../../model/composed-array.ts'
import { itemSize } from '../../model/data-type.ts'
import { elementCount } from '../../model/shape.ts'
import type { VirtualArray } from '../../model/virtual-store.ts'

/** Stored chunks up to this are decoded here: there may be thousands of them, and a plan for each costs more than its values. */
const MAX_DIRECT_BYTES = 2 ** 16

/** All values of a variable of a member, whose references count from that member. */
export async function readMember({ part }: OpenPart, array: VirtualArray, world: DeliveryWorld): Promise<Uint8Array> {
  if (part === undefined) return await readWhole(array, world)
  const own = await memberWorld(world, part)
  try {
    return (await readSingleChunk(array, own)) ?? (await readWhole(sharedArray(array, part), world))
  } catch (error) {
    throw errorInFile(error, own.file)
  }
}

/** The values of an array that is one short chunk; undefined for any other. */
async function readSingleChunk(array: VirtualArray, world: DeliveryWorld): Promise<Uint8Array | undefined> {
  if (array.operation !== undefined) return undefined
  const { shape, chunkShape, dataType, edges, chunks, encodings } = array
  const size = itemSize(dataType)
  if (size === undefined || chunks.gridShape.some((count) => count !== 1)) return undefined
  if (elementCount(chunkShape) * size > MAX_DIRECT_BYTES) return undefined
  const origin = shape.map(() => 0)
  const ref = await chunks.at(origin)
  const encoding = ref.kind === 'range' || ref.kind === 'inline' ? encodings[ref.encoding] : undefined
  if (encoding === undefined) return undefined
  let stored: Uint8Array
  if (ref.kind === 'inline') stored = ref.bytes
  else if (ref.kind === 'range' && ref.source === 0 && ref.prefix === undefined && ref.key === undefined) {
    if (ref.length > MAX_DIRECT_BYTES) return undefined
    const source = await world.source(0)
    stored = await source.read({ offset: ref.offset, length: ref.length })
  } else return undefined
  const storedShape = edges === 'cropped' ? shape : chunkShape
  if (needsSource(encoding)) return undefined
  const pipeline = prepareEncoding(encoding, { shape: storedShape, dataType })
  const elements = await decode(pipeline, stored, { limit: MAX_DIRECT_BYTES })
  if (elements.kind !== 'fixed') return undefined
  if (storedShape.every((length, axis) => length === shape[axis])) return ownBytes(elements.bytes)
  const values = new Uint8Array(elementCount(shape) * size)
  const box = { from: origin, to: origin, extent: shape }
  copyBox(elements, storedShape, { kind: 'fixed', bytes: values }, shape, box, size)
  return values
}

/** All values of an array, as plain little-endian numbers or as `vlen-utf8` has texts: assembled as one chunk. */
export async function readWhole(array: VirtualArray, world: DeliveryWorld): Promise<Uint8Array> {
  const { shape, dataType, fillValue } = array
  const chunkShape = shape.map((length) => Math.max(1, length))
  const whole = composedArray({ ...array, chunkShape, maskedBy: undefined }, { kind: 'rechunk', of: array })
  const plan = planDelivery(whole, 'raw')
  const request = { array: whole, plan, coords: shape.map(() => 0), found: COMPOSED, cacheKey: '' }
  const delivered = await deliver(request, world)
  if (delivered.kind === 'chunk' && delivered.body !== undefined) {
    return await bytesOfBody(delivered.body, delivered.length)
  }
  const filled = filledElements({ shape, dataType }, fillValue)
  return filled.kind === 'fixed' ? filled.bytes : new Uint8Array(0)
}
