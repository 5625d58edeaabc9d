/** What is being decoded. */
@unmanaged
class Blob {
  rows: i32 = 0
  columns: i32 = 0
  /** Values of a pixel. */
  depth: i32 = 0
  /** Rows and columns of a tile. */
  tile: i32 = 0
  /** By number: i8, u8, i16, u16, i32, u32, f32, f64. */
  type: i32 = 0
  /** What lies between values that are told apart. */
  step: f64 = 0
  least: f64 = 0
  most: f64 = 0
  /** Where the least and the greatest of each value of a pixel are, of those that have several; else 0. */
  leasts: usize = 0
  mosts: usize = 0
  /** What is left of the blob. */
  at: usize = 0
  end: usize = 0
  /** A byte a pixel, 0 where it holds nothing; means nothing where all are valid. */
  mask: usize = 0
  isWhole: bool = true
}

export const blob = changetype<Blob>(memory.data(128, 16))

/** Whether there are so many bytes. */
export function has(bytes: usize): bool {
  return bytes <= blob.end - blob.at
}

export function isValid(pixel: i32): bool {
  return blob.isWhole || load<u8>(blob.mask + pixel) !== 0
}

/** The nearest value of a type, towards zero. */
export function numberOf<T>(value: f64): T {
  if (isFloat<T>()) return <T>value
  const least = isSigned<T>() ? -f64(u64(1) << (8 * sizeof<T>() - 1)) : 0
  const most = isSigned<T>() ? -least - 1 : f64((u64(1) << (8 * sizeof<T>())) - 1)
  return <T>(value >= least ? <i64>(value <= most ? value : most) : <i64>least)
}
