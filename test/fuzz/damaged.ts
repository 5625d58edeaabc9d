/** A copy with some bytes changed, set to extremes, moved or cut off; the same numbers give the same copy. */
export function damaged(whole: Uint8Array, random: Iterator<number, never>): Uint8Array {
  // The lower bits of these numbers repeat soon.
  const below = (most: number) => Math.floor((random.next().value / 2 ** 32) * most)
  const bytes = whole.slice()
  // What describes the file lies near its start more often than not.
  const place = () => (below(2) === 0 ? below(Math.min(bytes.length, 4096)) : below(bytes.length))
  for (let changes = 1 + below(6); changes > 0; changes--) {
    const at = place()
    const kind = below(4)
    if (kind === 0) bytes[at] = below(256)
    else if (kind === 1) bytes.fill([0, 0xff, 0x7f, 0x80][below(4)] ?? 0, at, Math.min(at + 1 + below(8), bytes.length))
    else if (kind === 2) bytes.copyWithin(at, place(), place())
    else bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8))
  }
  return below(8) === 0 ? bytes.subarray(0, 1 + below(bytes.length)) : bytes
}
