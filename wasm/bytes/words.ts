/** The next eight bytes, the first of them the highest: there is no instruction for that, but for any order of bytes in a vector. */
export function wordAt(at: usize): u64 {
  const bytes = v128.load64_zero(at)
  return i64x2.extract_lane(v128.shuffle<u8>(bytes, bytes, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0)
}
