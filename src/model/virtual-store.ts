import type { Json } from '../json/json.ts'
import type { ChunkIndex } from './chunk-index.ts'
import type { DataType, Scalar } from './data-type.ts'
import type { Encoding, StoredCodec } from './encoding.ts'

/**
 * An attribute as the source has it. Text that is not UTF-8 stays bytes, wherever it is in the value, until
 * `zarr/attributes.ts` writes it (JSON-7): a sentinel of characters is those bytes.
 */
export type AttributeValue = Json | Uint8Array | readonly AttributeValue[] | { readonly [name: string]: AttributeValue }
/** Attributes in the order of the source. */
export type Attributes = ReadonlyMap<string, AttributeValue>

/** What a file is once parsed: an immutable tree. A source whose root is an array is an array. */
export type VirtualNode = VirtualGroup | VirtualArray
/** What a group holds under a name. */
export type Member = VirtualNode | SkippedArray

/** Arrays and other groups under their names, with attributes of their own. */
export interface VirtualGroup {
  readonly kind: 'group'
  /** A dimension's name may have several lengths here: TREE-5, `layout=ifd`. */
  readonly lengthsDiffer?: true | undefined
  readonly attributes: Attributes
  readonly members: ReadonlyMap<string, Member>
}

/** An array: its values lie in chunks of its own, or are composed of other arrays'. */
export type VirtualArray = StoredArray | ComposedArray

/** What an array says of its values, wherever they are. */
export interface ArraySpec {
  readonly kind: 'array'
  readonly shape: readonly number[]
  /** Lengths of at least 1; the product times the item size is what one decoded chunk takes. */
  readonly chunkShape: readonly number[]
  readonly dataType: DataType
  /** What an unwritten chunk reads as. */
  readonly fillValue: Scalar
  /** Where the fill value came from, in words for `/inspect`: `attribute _FillValue`, `default of short`, ... */
  readonly fillOrigin: string
  /** What marks a missing point: typed, not encoded. */
  readonly sentinels: Sentinels
  /** Without `_FillValue`; with `missing_value` only where it is not one value of the array's type (a list, odd text). */
  readonly attributes: Attributes
  /** Null or absent: the name is invented (DM-3). */
  readonly dimensionNames?: readonly (string | null)[] | undefined
  /** Characters that are texts along their last dimension, as NetCDF has it; without it each is a value of its own. */
  readonly isText?: boolean | undefined
  /**
   * What says apart from the values which points are valid, where the source has that: not zero. Of this array's shape, or of its
   * last dimensions. It is applied where that is asked for.
   */
  readonly maskedBy?: VirtualArray | SkippedArray | undefined
  /**
   * Fields of records that are texts of any length, by their names: no structured type holds them. They have the shape of this
   * array, and are served beside its other fields where those are arrays of their own.
   */
  readonly textFields?: ReadonlyMap<string, VirtualArray> | undefined
  readonly told?: Told | undefined
  /** Where references are written its values are wanted in place of them. */
  readonly isInlined?: boolean | undefined
}

/** An array of chunks that lie in files. */
export interface StoredArray extends ArraySpec {
  readonly operation?: undefined
  /** How chunks are stored; `[0]` is the usual way. */
  readonly encodings: readonly Encoding[]
  /** Chunks over the far edge: stored whole, or cut off. */
  readonly edges: 'padded' | 'cropped'
  readonly chunks: ChunkIndex
}

/** An array whose chunks are composed of other arrays' (`composed-array.ts`). */
export interface ComposedArray extends ArraySpec {
  readonly operation: Operation
}

/**
 * How an array is composed of others: plain data, but for the chunk indexes of stored arrays and for `Members`. What each operation
 * does to a region is in `src/compose`, a file each.
 */
export type Operation =
  | WindowOperation
  | RechunkOperation
  | ConcatOperation
  | MosaicOperation
  | MaskOperation
  | CoarsenOperation
  | MemberOperation
  | ReverseOperation

/** A box of an array, or an array within a larger one: what lies beyond it reads as the fill value. */
export interface WindowOperation {
  readonly kind: 'window'
  readonly of: VirtualArray
  /** Where the first element lies in `of`; negative where the window begins before it. */
  readonly origin: readonly number[]
}

/** The values of an array in other chunks. */
export interface RechunkOperation {
  readonly kind: 'rechunk'
  readonly of: VirtualArray
}

/** Arrays beside each other; what none of them covers reads as the fill value. */
export interface ConcatOperation {
  readonly kind: 'concat'
  readonly members: Members
  /** How chunks of the usual member are stored: as such they are advertised. */
  readonly encodings: readonly Encoding[]
}

/** Arrays that lie over each other: later ones win wherever they are valid. */
export interface MosaicOperation {
  readonly kind: 'mosaic'
  readonly members: Members
  readonly encodings: readonly Encoding[]
}

/** Values in a type of their own, all of which that of the masked array holds; where the mask is zero its fill value stands. */
export interface MaskOperation {
  readonly kind: 'mask'
  readonly values: VirtualArray
  /** Of the shape of the values, or of their last dimensions. */
  readonly mask: VirtualArray
}

/** Points of a finer array of the same rank and type, a block of which becomes one. */
export interface CoarsenOperation {
  readonly kind: 'coarsen'
  readonly of: VirtualArray
  /** Points of a block along each axis: those over the far edge don't count. */
  readonly factors: readonly number[]
  readonly reduction: Reduction
}

/** An array of one member of a join, which all members have alike: its references count from that file. */
export interface MemberOperation {
  readonly kind: 'member'
  readonly of: VirtualArray
  readonly file: number
}

/** An array with some axes the other way round. */
export interface ReverseOperation {
  readonly kind: 'reverse'
  readonly of: VirtualArray
  readonly axes: readonly number[]
}

/** What becomes of a block of points. */
export interface Reduction {
  /** The mean of the points that are not missing, in integers rounded to the nearest, halves to even; or the first point. */
  readonly method: 'mean' | 'nearest'
  /** The type by which the stored bits are read: `_Unsigned` may say another sign than they are stored under. */
  readonly readAs: DataType
  /** What marks missing points in that type; NaN does in any case. The first one stands where all of a block are missing. */
  readonly missing: readonly (number | bigint)[]
}

/** A part of an array: where it begins and how long it is, on each axis. */
export interface Box {
  readonly origin: readonly number[]
  readonly shape: readonly number[]
}

/** The arrays that another is composed of, by numbers. Where they lie is known before any of them is opened. */
export interface Members {
  /** Those that reach into a box, in the order in which later ones lie over earlier ones. */
  reaching(box: Box): readonly number[]
  boxOf(member: number): Box
  /** Undefined where there is none, which reads as the fill value: its file does not exist, or lacks the variable. */
  open(member: number, signal?: AbortSignal): Promise<OpenMember | undefined>
  /** Bytes of memory held. */
  weight(): number
}

/** An opened member. */
export interface OpenMember {
  readonly array: VirtualArray
  /** Which file of a join its references count from; without it the store's own. */
  readonly file?: number | undefined
  /** How it lies over others; without it no member reaches into it. */
  readonly overlay?: Overlay | undefined
}

/** Where a member that lies over others is valid. */
export interface Overlay {
  /** Values of points that are not valid. */
  readonly invalid: readonly Scalar[]
  /** Not zero where points are valid: of the shape of the member, or of its last dimensions. */
  readonly mask?: VirtualArray | undefined
  /** Whether its chunks may go out as they are: those that were never written, and points that are not valid, read as the mosaic's do. */
  readonly isFillAlike?: boolean | undefined
  readonly isInvalidAlike?: boolean | undefined
}

/** What clients are told of an array: that its values are others, which codecs of theirs make of those that are delivered. */
export interface Told extends Pick<VirtualArray, 'dataType' | 'fillValue' | 'sentinels' | 'attributes'> {
  /** From the values to those that are delivered; they stand before the codecs of the chunks. */
  readonly codecs: readonly StoredCodec[]
}

/** The values that mark missing points, of the array's own type. */
export interface Sentinels {
  readonly fillValue: Scalar | undefined
  readonly missingValue: Scalar | undefined
  /** What the source declares by the Zarr convention `missing_value`, whose object is among the attributes. */
  readonly declared?: Scalar | undefined
}

/**
 * Most groups, arrays and fields of records of one store: each costs some kilobytes of documents and plans, and a client as much
 * again. What a format counts sooner is refused before it is read.
 */
export const MOST_NODES = 25_000

/** No point is marked as missing. */
export const NO_SENTINELS: Sentinels = { fillValue: undefined, missingValue: undefined }

/** An array that exists in the source and can't be served: listed, and answered with this error, never dropped in silence. */
export interface SkippedArray {
  readonly kind: 'skipped'
  /** `invalid-request`: an option of the store's URL that this array can't follow. */
  readonly code: 'unsupported-feature' | 'malformed-source' | 'limit-exceeded' | 'invalid-request'
  readonly reason: string
  /** Dimensions that it is known to have, which it may share with arrays that are served; not those that are the length of texts. */
  readonly dataDimensions?: readonly (string | null)[] | undefined
}

/** Something dropped, renamed, guessed or refused while reading a source (DIAG-1). */
export interface Diagnostic {
  /** A stable word for programs: `sentinel-dropped`, `dimension-renamed`, ... */
  readonly code: string
  readonly message: string
  /** The array or group, from the root, without a leading slash. */
  readonly path?: string | undefined
  readonly values?: Json | undefined
}
