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

/** An array: what its values are, how its chunks are stored and where. */
export interface VirtualArray {
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
  /** How chunks are stored; `[0]` is the usual way. */
  readonly encodings: readonly Encoding[]
  /** Chunks over the far edge: stored whole, or cut off. */
  readonly edges: 'padded' | 'cropped'
  readonly chunks: ChunkIndex
  /**
   * Where the values are when the chunks of this array aren't stored as such (merged strips, another grid, joins that
   * don't line up): each served chunk is assembled from these. `encodings` is then empty, `edges` is 'padded', and
   * `chunks` answers 'assembled' (or 'missing' where it knows).
   */
  readonly stored?: readonly StoredPart[] | undefined
  /**
   * What says apart from the values which points are valid, where the source has that: not zero. Of this array's shape, or of its
   * last dimensions. It is applied where that is asked for.
   */
  readonly maskedBy?: VirtualArray | SkippedArray | undefined
  /** The values and the mask that this array is made of. `encodings` is then empty, `edges` is 'padded', and `chunks` answers 'assembled'. */
  readonly masked?: MaskedParts | undefined
  /** The finer array whose blocks of points are the points of this one. `encodings`, `edges` and `chunks` are as with `masked`. */
  readonly reduced?: ReducedParts | undefined
  /**
   * Fields of records that are texts of any length, by their names: no structured type holds them. They have the shape of this
   * array, and are served beside its other fields where those are arrays of their own.
   */
  readonly textFields?: ReadonlyMap<string, VirtualArray> | undefined
  readonly told?: Told | undefined
  /** Where references are written its values are wanted in place of them. */
  readonly isInlined?: boolean | undefined
  /**
   * Arrays of other sources that this one is made of, opened when a chunk reaches into them (joins). `encodings` are those of the
   * usual part, which decide what is advertised; `chunks` answers 'part', 'assembled' or 'missing'.
   */
  readonly joined?: JoinedParts | undefined
}

/** What clients are told of an array: that its values are others, which codecs of theirs make of those that are delivered. */
export interface Told extends Pick<VirtualArray, 'dataType' | 'fillValue' | 'sentinels' | 'attributes'> {
  /** From the values to those that are delivered; they stand before the codecs of the chunks. */
  readonly codecs: readonly StoredCodec[]
}

/** Parts that nobody lists: they are found, and their sources opened, by where they lie. */
export interface JoinedParts {
  /** Those that reach into a box of the array. */
  within(box: Box, signal?: AbortSignal): Promise<readonly StoredPart[]>
  /** They may lie over each other: known before any of them is opened. */
  readonly isOverlaid?: true | undefined
}

/** A part of an array: where it begins and how long it is, on each axis. */
export interface Box {
  readonly origin: readonly number[]
  readonly shape: readonly number[]
}

/** Values in a type of their own, all of which that of the masked array holds; where the mask is zero its fill value stands. */
interface MaskedParts {
  readonly values: VirtualArray
  /** Of the shape of the values, or of their last dimensions. */
  readonly mask: VirtualArray
}

/** Points of a finer array of the same rank and type, a block of which becomes one. */
interface ReducedParts {
  readonly values: VirtualArray
  /** Points of a block along each axis: those over the far edge don't count. */
  readonly factors: readonly number[]
  readonly reduction: Reduction
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

/** An array of the same rank and type that lies somewhere in another; what no part covers reads as the fill value. */
export interface StoredPart {
  readonly array: VirtualArray
  /** Where its first element lies in the served array; negative where a view begins inside it. */
  readonly origin: readonly number[]
  /** The source of a join that its references count from; without it the store's own. */
  readonly part?: number | undefined
  /** It lies over the parts before it, which show through where it isn't valid. Without this no part reaches into another. */
  readonly over?: Overlay | undefined
}

/** How a part lies over others: mosaics, whose later images win wherever they are valid. */
export interface Overlay {
  /** Values of points that are not valid. */
  readonly invalid: readonly Scalar[]
  /** Not zero where points are valid: of the shape of the part, or of its last dimensions. */
  readonly mask?: VirtualArray | undefined
  /** Axes along which the part runs the other way. */
  readonly reversed?: readonly number[] | undefined
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
