/** The content is longer than the region that it is to fill. */
export const FULL: i32 = -1

/** The codes end before what they are of does. */
export const ENDS_EARLY: i32 = -1

/** How many bytes were written. */
export function written(to: usize, start: usize): i32 {
  return (to - start) as i32
}

/** The stream makes no sense, as was found so many bytes behind its beginning. */
export function damaged(from: usize, start: usize): i32 {
  return -2 - ((from - start) as i32)
}
