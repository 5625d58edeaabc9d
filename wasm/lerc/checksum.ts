/** Fletcher's sum of words of 16 bits, the highest byte first. */
export function checksumOf(from: usize, end: usize): u32 {
  let sum1: u32 = 0xffff
  let sum2: u32 = 0xffff
  let at = from
  let words = (end - from) >> 1
  while (words > 0) {
    let some = min(words, 359)
    words -= some
    for (; some > 0; some--, at += 2) {
      sum1 += (u32(load<u8>(at)) << 8) | load<u8>(at, 1)
      sum2 += sum1
    }
    sum1 = (sum1 & 0xffff) + (sum1 >> 16)
    sum2 = (sum2 & 0xffff) + (sum2 >> 16)
  }
  if ((end - from) & 1) {
    sum1 += u32(load<u8>(at)) << 8
    sum2 += sum1
  }
  sum1 = (sum1 & 0xffff) + (sum1 >> 16)
  sum2 = (sum2 & 0xffff) + (sum2 >> 16)
  return (sum2 << 16) | sum1
}
