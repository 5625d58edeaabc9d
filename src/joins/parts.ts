import type { Cuts } from './cuts.ts'
import type { PartTree } from './tree.ts'

/** The sources of a join along one dimension. */
export interface Parts {
  readonly cuts: Cuts
  /** The source at a position; undefined where there is none and its part reads as fill. */
  open(position: number, signal?: AbortSignal): Promise<OpenPart | undefined>
}

/** A source that was read. Its tree is the same object as long as it is kept, so that what is derived from it is kept too. */
export interface OpenPart {
  readonly tree: PartTree
  /** Its number among all sources of the join; absent for a row, whose arrays name the parts they are made of themselves. */
  readonly part: number | undefined
}
