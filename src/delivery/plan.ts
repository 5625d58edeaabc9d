import { decodedBytes, packedLength } from '../codecs/elements.ts'
import { canEncode, pipelineReach, reachOf } from '../codecs/prepare.ts'
import { MAX_DECODED_BYTES } from '../compose/limits.ts'
import { isVirtualZarrError, overLimit, unsupported } from '../errors.ts'
import { writeJson } from '../json/write.ts'
import { composedOf } from '../model/composed-array.ts'
import { type DataType, itemSize } from '../model/data-type.ts'
import type { Encoding, StoredCodec } from '../model/encoding.ts'
import type { ComposedArray, StoredArray, VirtualArray } from '../model/virtual-store.ts'
import { advertised, bloscCodec, plainSerial, TEXT_COMPRESSION } from './advertise.ts'
import { type Chain, chainOf, frameOf, NO_CUT, withoutChecksums } from './chain.ts'
import type { DeliveryPlan, Profile, Target, Way } from './delivery.ts'

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
  if (array.operation !== undefined) return undefined
  const [encoding, ...others] = array.encodings
  const isNamed = encoding?.every(({ name }) => !name.startsWith('vz.')) === true
  if (!isNamed || others.length > 0 || hasCroppedEdge(array)) return undefined
  const layout = { shape: array.chunkShape, dataType: array.dataType }
  const codecs = encoding.map((codec) => advertised(codec, layout))
  const target = { head: codecs, outer: [] }
  return {
    profile: 'native',
    target,
    codecs,
    ways: [{ kind: 'pass', cut: NO_CUT }],
    cropsEdges: false,
    wireLength: undefined,
  }
}

function decodingPlan(array: VirtualArray, profile: Profile): DeliveryPlan {
  if (profile === 'portable') requirePortable(array.dataType)
  if (array.operation !== undefined) return composedPlan(array, profile)
  const chains = chainsOf(array)
  const plan = finished(array, profile, chains, targetOf(profile, chains, array.dataType))
  if (!mustEncode(plan) || canEncode(plan.codecs)) return plan
  return finished(array, profile, chains, { head: [plainSerial(array.dataType)], outer: [] })
}

function chainsOf({ chunkShape, dataType, encodings }: StoredArray): Chain[] {
  return encodings.map((encoding) => chainOf(encoding, { shape: chunkShape, dataType }))
}

/** Chunks are composed, or are chunks of the arrays below, of which the usual one decides what is advertised as long as it can be written. */
function composedPlan(array: ComposedArray, profile: Profile): DeliveryPlan {
  requireDecodable(array)
  const { chunkShape: shape, dataType } = array
  const chains = usualEncodings(array).map((encoding) => chainOf(encoding, { shape, dataType }))
  const usual = chains.length === 0 ? freshTarget(profile, dataType) : targetOf(profile, chains, dataType)
  const canWrite = canEncode([...usual.head, ...usual.outer])
  const target = canWrite ? usual : { head: [plainSerial(dataType)], outer: [] }
  return planTowards(target, array, profile, chains)
}

/** How chunks of an array are stored, where they are those of an array that it is composed of. */
function usualEncodings(array: VirtualArray): readonly Encoding[] {
  const { operation, chunkShape } = array
  switch (operation?.kind) {
    case undefined:
      return (array as StoredArray).encodings
    case 'concat':
    case 'mosaic':
      return operation.encodings
    case 'member':
      return usualEncodings(operation.of)
    case 'window': {
      const { of, origin } = operation
      const isOnGrid = chunkShape.every(
        (length, axis) => length === of.chunkShape[axis] && (origin[axis] ?? 0) % length === 0,
      )
      return isOnGrid ? usualEncodings(of) : []
    }
    case 'rechunk':
    case 'mask':
    case 'coarsen':
    case 'reverse':
      return []
  }
}

const STORED_PLANS = new WeakMap<DeliveryPlan, WeakMap<StoredArray, DeliveryPlan>>()

/** How stored chunks of an array go out as chunks of one that is composed of it: planned once for each. */
export function planOfStored(plan: DeliveryPlan, array: StoredArray): DeliveryPlan {
  const plans = STORED_PLANS.get(plan) ?? new WeakMap<StoredArray, DeliveryPlan>()
  STORED_PLANS.set(plan, plans)
  const known = plans.get(array) ?? finished(array, plan.profile, chainsOf(array), plan.target)
  plans.set(array, known)
  return known
}

function mustEncode(plan: DeliveryPlan): boolean {
  return plan.cropsEdges || plan.ways.some((way) => way.kind === 'recode')
}

function finished(array: StoredArray, profile: Profile, chains: readonly Chain[], target: Target): DeliveryPlan {
  const plan = { ...planTowards(target, array, profile, chains), cropsEdges: hasCroppedEdge(array) }
  const isComputed = plan.cropsEdges || plan.ways.some((way) => way.kind === 'recode' || way.kind === 'peel')
  if (isComputed) requireDecodableSize(array)
  return plan
}

function planTowards(target: Target, array: VirtualArray, profile: Profile, chains: readonly Chain[]): DeliveryPlan {
  const codecs = [...target.head, ...target.outer]
  const wireLength = wireLengthOf(array, target)
  const ways = chains.map((chain) => wayTo(target, chain, profile, wireLength))
  return { profile, target, codecs, ways, cropsEdges: false, wireLength }
}

/** What an array is composed of, as far as that is at hand, must be decodable. */
function requireDecodable(array: VirtualArray): void {
  requireDecodableSize(array)
  if (array.operation === undefined) chainsOf(array)
  for (const inner of composedOf(array)) requireDecodable(inner)
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
function hasCroppedEdge(array: StoredArray): boolean {
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
