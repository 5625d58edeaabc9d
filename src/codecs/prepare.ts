import { malformed, unsupported } from '../errors.ts'
import type { JsonObject } from '../json/json.ts'
import type { Encoding, StoredCodec } from '../model/encoding.ts'
import type { ArrayCodec, ArrayStep, ByteCodec, ChunkLayout, Codec, PrepareInner, Reach, SerialCodec } from './codec.ts'
import { requireFinite, wordMember } from './configuration.ts'
import { packedLength } from './elements.ts'
import { decode, type NamedStep, type Pipeline, withRoom } from './pipeline.ts'
import { findCodec } from './registry.ts'

/**
 * Makes an encoding ready for chunks of this layout; `unsupported-feature` names a codec that is not known,
 * `malformed-source` what makes no sense.
 */
export function prepareEncoding(encoding: Encoding, layout: ChunkLayout): Pipeline {
  const { arrays, serial, bytes } = foundCodecs(encoding)
  const { steps, inner } = prepareArrays(arrays, layout)
  const serialStep = serial.codec.prepare(serial.configuration, inner, prepareInner)
  const most = serialStep.surplus?.most ?? packedLength(inner)
  let isNextToArray = true
  return {
    layout,
    arrays: steps,
    inner,
    mostBytes: most === undefined ? undefined : withRoom(most),
    serial: serialStep,
    bytes: bytes.map(({ codec, configuration }): NamedStep => {
      const step = { ...codec.prepare(configuration), name: codec.name, isNextToArray }
      isNextToArray &&= codec.keepsLength === true
      return step
    }),
    insideOf:
      serial.codec.mayLackRows === true
        ? (shape) => prepareArrays(arrays, { ...layout, shape }).inner.shape
        : undefined,
  }
}

const prepareInner: PrepareInner = (encoding, layout) => {
  const pipeline = prepareEncoding(encoding, layout)
  return (stored, options) => decode(pipeline, stored, options)
}

/** A codec with what it was configured with. */
interface Found<Kind extends Codec> {
  readonly codec: Kind
  readonly configuration: JsonObject
}

function prepareArrays(arrays: readonly Found<ArrayCodec>[], layout: ChunkLayout) {
  const steps: ArrayStep[] = []
  let inner = layout
  for (const { codec, configuration } of arrays) {
    const step = codec.prepare(configuration, inner)
    steps.push(step)
    inner = step.encodedLayout
  }
  return { steps, inner }
}

/** The codecs of an encoding, their order checked. */
function foundCodecs(encoding: Encoding) {
  const arrays: Found<ArrayCodec>[] = []
  const bytes: Found<ByteCodec>[] = []
  let serial: Found<SerialCodec> | undefined
  for (const { name, configuration } of encoding) requireFinite(name, configuration)
  for (const { name, configuration } of encoding) {
    const codec = requireCodec(name)
    if (codec.kind === 'array' && serial === undefined) arrays.push({ codec, configuration })
    else if (codec.kind === 'bytes' && serial !== undefined) bytes.push({ codec, configuration })
    else if (codec.kind === 'serial' && bytes.length === 0 && isInPlace(codec, serial?.codec)) {
      serial = { codec, configuration: { ...configuration, ...orderOf(serial?.configuration) } }
    } else throw malformed(`codec ${name} is out of order: array codecs, then one that makes bytes, then byte codecs`)
  }
  if (serial === undefined) throw malformed('an encoding has no codec that makes bytes of the array')
  return { arrays, serial, bytes }
}

/** One codec makes bytes, or one behind `bytes`. */
function isInPlace({ behindBytes }: SerialCodec, before: SerialCodec | undefined): boolean {
  return behindBytes === true ? before?.name === 'bytes' : before === undefined
}

/** The order of bytes that clients find in what a codec behind `bytes` gives them. */
function orderOf(bytes: JsonObject | undefined): JsonObject {
  return bytes === undefined ? {} : { endian: wordMember(bytes, 'endian', ['little', 'big'], 'little') }
}

/** The codec of this name, or `unsupported-feature`. */
function requireCodec(name: string): Codec {
  const codec = findCodec(name)
  if (codec === undefined) throw unsupported(`codec ${name}`, `codec ${name} is not decoded by this server`)
  return codec
}

/** Who can decode this step. */
export function reachOf(stored: StoredCodec): Reach {
  const { reach } = requireCodec(stored.name)
  return typeof reach === 'function' ? reach(stored.configuration, pipelineReach) : reach
}

/** Who can decode all of these steps. */
export function pipelineReach(encoding: Encoding): Reach {
  const reaches = encoding.map(reachOf)
  if (reaches.includes('internal')) return 'internal'
  return reaches.includes('native') ? 'native' : 'portable'
}

/** Whether every codec of an encoding can be written too. */
export function canEncode(target: Encoding): boolean {
  return target.every(({ name }) => requireCodec(name).writes === true)
}

/** Whether a codec of this encoding reads the source again. */
export function needsSource(encoding: Encoding): boolean {
  return encoding.some(({ name }) => {
    const codec = findCodec(name)
    return codec?.kind === 'serial' && codec.readsSource === true
  })
}
