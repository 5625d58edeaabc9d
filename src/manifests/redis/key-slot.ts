const SLOTS = 16_384
/** CRC-16 as XMODEM has it: https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/, appendix A. */
const POLYNOMIAL = 0x1021

/** Where a cluster puts keys with this tag. */
export function slotOf(tag: string): number {
  let crc = 0
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? POLYNOMIAL : 0)) & 0xffff
  }
  return crc % SLOTS
}
