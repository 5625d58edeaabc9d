import { decodedBytes, packedLength } from '../codecs/elements.ts'
import { canEncode, pipelineReach, reachOf } from '../codecs/prepare.ts'
import { MAX_DECODED_BYTES } from '../compose/limits.ts'
import { isVirtualZarrError, overLimit, unsupported } from '../errors.ts'
import { writeJson } from '../json/write.ts'
import { type DataType, itemSize } from '../model/data-type.ts'
import type { StoredCodec } from '../model/encoding.ts'
import type { VirtualArray } from '../model/virtual-store.ts'
import { advertised, bloscCodec, plainSerial, TEXT_COMPRESSION } from './advertise.ts'
import { type Chain, chainOf, frameOf, NO_CUT, withoutChecksums } from './chain.ts'
import type { DeliveryPlan, Profile, Way } from './delivery.ts'

/** What is advertised: codecs that make bytes of the array, and those around them. */
interface Target {
  readonly head: readonly StoredCodec[]
  readonly outer: readonly StoredCodec[]
}

/** Decides what an array's chunks are on the wire; throws `unsupported-feature` when one of its encodings can't be decoded. */
export function planDelivery(array: VirtualArray, profile: Profile): DeliveryPlan {
  const known = PLANS[profile].get(array)
  const plan = known ?? newPlan(array, profile)
  if (known === undefined) PLANS[profile].set(array, plan)
  return plan
}

/** One plan for an array, whoever asks for it: what its chunks are named by. */
const PLANS: Readonly<Record<Profile, WeakMap<VirtualArray, DeliveryPlan>>> = {
  portable: new WeakMap(),
  native: new WeakMap(),
  raw: new WeakMap(),
}

function newPlan(array: VirtualArray, profile: Profile): DeliveryPlan {
  try {
    return decodingPlan(array, profile)
  } catch (error) {
    const untouched = profile === 'native' && isVirtualZarrError(error, 'unsupported-feature') && untouchedPlan(array)
    if (untouched) return untouched
    throw error
  }
}

/** In `native` the source's clients may know what this server does not: chunks go out as they are, under the source's names. */
function untouchedPlan(array: VirtualArray): DeliveryPlan | undefined {
  const [encoding, ...others] = array.encodings
  const isNamed = encoding?.every(({ name }) => !name.startsWith('vz.')) === true
  if (!isNamed || others.length > 0 || (array.stored ?? array.joined) !== undefined || hasCroppedEdge(array))
    return undefined
  const layout = { shape: array.chunkShape, dataType: array.dataType }
  const codecs = encoding.map((codec) => advertised(codec, layout))
  return { codecs, ways: [{ kind: 'pass', cut: NO_CUT }], cropsEdges: false, wireLength: undefined }
}

function decodingPlan(array: VirtualArray, profile: Profile): DeliveryPlan {
  if (profile === 'portable') requirePortable(array.dataType)
  if ((array.stored ?? array.masked ?? array.reduced) !== undefined) return assembledPlan(array, profile)
  if (array.joined !== undefined) return joinedPlan(array, profile)
  const chains = chainsOf(array)
  const plan = finished(array, profile, chains, targetOf(profile, chains, array.dataType))
  if (!mustEncode(plan) || canEncode(plan.codecs)) return plan
  return finished(array, profile, chains, { head: [plainSerial(array.dataType)], outer: [] })
}

function chainsOf({ chunkShape, dataType, encodings }: VirtualArray): Chain[] {
  return encodings.map((encoding) => chainOf(encoding, { shape: chunkShape, dataType }))
}

/** The usual part decides what is advertised, as long as it can be written: chunks of other parts, or over a cut, are made. */
function joinedPlan(array: VirtualArray, profile: Profile): DeliveryPlan {
  requireDecodableSize(array)
  const { dataType } = array
  const chains = chainsOf(array)
  const usual = chains.length === 0 ? freshTarget(profile, dataType) : targetOf(profile, chains, dataType)
  const canWrite = canEncode([...usual.head, ...usual.outer])
  const target = canWrite ? usual : { head: [plainSerial(dataType)], outer: [] }
  const plans = new WeakMap<VirtualArray, DeliveryPlan>()
  const forPart = (part: VirtualArray): DeliveryPlan => {
    const plan = plans.get(part) ?? finished(part, profile, chainsOf(part), target)
    plans.set(part, plan)
    return plan
  }
  return { ...finished(array, profile, chains, target), forPart }
}

function mustEncode(plan: DeliveryPlan): boolean {
  return plan.cropsEdges || plan.ways.some((way) => way.kind === 'recode')
}

function finished(array: VirtualArray, profile: Profile, chains: readonly Chain[], target: Target): DeliveryPlan {
  const codecs = [...target.head, ...target.outer]
  const wireLength = wireLengthOf(array, target)
  const ways = chains.map((chain) => wayTo(target, chain, profile, wireLength))
  const cropsEdges = hasCroppedEdge(array)
  const plan: DeliveryPlan = { codecs, ways, cropsEdges, wireLength }
  const made = cropsEdges || ways.some((way) => way.kind === 'recode' || way.kind === 'peel')
  if (made) requireDecodableSize(array)
  return plan
}

/** Nothing of such an array is stored as a chunk: all of it is made, from parts that must be decodable. */
function assembledPlan(array: VirtualArray, profile: Profile): DeliveryPlan {
  requireParts(array)
  requireDecodableSize(array)
  const target = freshTarget(profile, array.dataType)
  const codecs = [...target.head, ...target.outer]
  return { codecs, ways: [], cropsEdges: false, wireLength: wireLengthOf(array, target) }
}

function requireParts({ stored = [], masked, reduced }: VirtualArray): void {
  const made = [masked?.values, masked?.mask, reduced?.values].filter((part) => part !== undefined)
  const parts = made.length > 0 ? made : stored.map(({ array }) => array)
  for (const part of parts) {
    const layout = { shape: part.chunkShape, dataType: part.dataType }
    for (const encoding of part.encodings) chainOf(encoding, layout)
    requireDecodableSize(part)
    requireParts(part)
  }
}

/** Chunks are made whole in memory. */
function requireDecodableSize(array: VirtualArray): void {
  const length = decodedBytes({ shape: array.chunkShape, dataType: array.dataType })
  if (length > MAX_DECODED_BYTES) {
    throw overLimit(`its chunks decode to ${length} bytes, and must be recoded: at most ${MAX_DECODED_BYTES} are`)
  }
}

function requirePortable(type: DataType): void {
  switch (type.kind) {
    case 'bool':
    case 'int':
    case 'uint':
    case 'float':
    case 'complex':
    case 'string':
    case 'datetime':
    case 'timedelta':
      return
    case 'bytes':
    case 'fixed-text':
    case 'opaque':
    case 'structured':
      throw unsupported(
        `data type ${type.kind}`,
        `not every client knows the data type ${type.kind}; codecs=native serves it`,
      )
  }
}

/** Whether a chunk hangs over the far edge and is stored without what hangs over. */
function hasCroppedEdge(array: VirtualArray): boolean {
  return array.edges === 'cropped' && array.shape.some((length, axis) => length % (array.chunkShape[axis] ?? 1) !== 0)
}

function wireLengthOf(array: VirtualArray, { head, outer }: Target): number | undefined {
  if (outer.length > 0 || head.at(-1)?.name !== 'bytes') return undefined
  return packedLength(chainOf(head, { shape: array.chunkShape, dataType: array.dataType }).layout)
}

/** `encodings[0]` decides what is advertised. */
function targetOf(profile: Profile, chains: readonly Chain[], type: DataType): Target {
  const [first] = chains
  if (first === undefined) return { head: [plainSerial(type)], outer: [] }
  switch (profile) {
    case 'portable':
      return portableTarget(first, chains, type)
    case 'native':
      return nativeTarget(first, type)
    case 'raw':
      return rawTarget(first, type)
  }
}

/** What is advertised when nothing stored decides it. */
function freshTarget(profile: Profile, type: DataType): Target {
  const head = [plainSerial(type)]
  if (profile !== 'portable') return { head, outer: [] }
  return { head, outer: [itemSize(type) === undefined ? TEXT_COMPRESSION : bloscCodec(type)] }
}

function portableTarget(usual: Chain, chains: readonly Chain[], type: DataType): Target {
  const { chain, cut } = withoutChecksums(usual)
  if (pipelineReach(chain.head) !== 'portable') return freshTarget('portable', type)
  if (chain.outer.length === 0 && chains.every((other) => withoutChecksums(other).chain.outer.length === 0))
    return chain
  if (chain.outer.length > 0 && chain.outer.every((codec) => reachOf(codec) === 'portable')) return chain
  if (frameOf(chain, cut) === undefined) return freshTarget('portable', type)
  return { head: chain.head, outer: [bloscCodec(type)] }
}

/** Peeled off the outside until every codec that is left has a Zarr spelling. */
function nativeTarget(chain: Chain, type: DataType): Target {
  const internal = chain.head.findIndex((codec) => reachOf(codec) === 'internal')
  if (internal !== -1) {
    const arrays = chain.head.slice(0, Math.min(internal, chain.head.length - 1))
    const head = [...arrays, plainSerial(type)]
    return canEncode(head) ? { head, outer: [] } : { head: [plainSerial(type)], outer: [] }
  }
  const end = chain.outer.findIndex((codec) => reachOf(codec) === 'internal')
  return { head: chain.head, outer: end === -1 ? chain.outer : chain.outer.slice(0, end) }
}

function rawTarget(chain: Chain, type: DataType): Target {
  const [only, ...others] = chain.head
  const isPlain = others.length === 0 && only?.name === plainSerial(type).name
  return { head: isPlain ? chain.head : [plainSerial(type)], outer: [] }
}

/** The cheapest way to what is advertised. */
function wayTo(target: Target, stored: Chain, profile: Profile, wireLength: number | undefined): Way {
  if (!isSame(stored.head, target.head)) return { kind: 'recode' }
  const passes = (outer: readonly StoredCodec[]) =>
    isSame(outer, target.outer) && (profile !== 'portable' || pipelineReach(outer) === 'portable')
  if (passes(stored.outer)) return { kind: 'pass', cut: NO_CUT }
  const { chain, cut } = withoutChecksums(stored)
  if (passes(chain.outer)) return { kind: 'pass', cut }
  if (profile === 'portable' && isSame(target.outer, [{ name: 'blosc', configuration: {} }])) {
    const framed = frameOf(chain, cut)
    if (framed !== undefined) return { kind: 'envelope', ...framed }
  }
  const kept = stored.outer.slice(0, target.outer.length)
  // Of a length that is known nothing may follow.
  const isCut = stored.ignoresSurplus && wireLength !== undefined
  return passes(kept) && !isCut ? { kind: 'peel', kept: kept.length } : { kind: 'recode' }
}

// Their streams say themselves all that is needed to decode them.
const SELF_DESCRIBING = ['gzip', 'zstd', 'blosc', 'numcodecs.zlib', 'numcodecs.lz4', 'numcodecs.bz2']

function isSame(one: readonly StoredCodec[], other: readonly StoredCodec[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ name, configuration }, place) => {
      const twin = other[place]
      if (twin === undefined || twin.name !== name) return false
      if (twin.configuration === configuration || SELF_DESCRIBING.includes(name)) return true
      return writeJson(twin.configuration) === writeJson(configuration)
    })
  )
}
