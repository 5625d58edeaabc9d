/** A run of bytes: both members are non-negative safe integers. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

/** The first position after the range. */
export function endOf(range: ByteRange): number {
  return range.offset + range.length
}
