import { crc32 } from 'node:zlib'
import { malformed } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import type { ByteCodec } from '../codec.ts'
import { integerMember, integersMember, wordMember } from '../configuration.ts'
import { crc32c } from '../kernels/crc32c.ts'
import { fletcher32, fletcher32Reversed } from '../kernels/fletcher32.ts'
import { lookup3 } from '../kernels/lookup3.ts'

type Location = 'start' | 'end'

/** The checksums of these bytes that are accepted; the first is written. */
type Sums = (bytes: Uint8Array) => readonly number[]

const crc32cOf: Sums = (bytes) => [crc32c(bytes)]

/** Zarr's own `crc32c`: four bytes after the data, little-endian. */
export const crc32cCodec = checksum('crc32c', 'end', () => crc32cOf)

/** The checksums of numcodecs; all are little-endian, most of them before the data. */
export const numcodecsChecksums: readonly ByteCodec[] = [
  checksum('numcodecs.crc32c', 'end', () => crc32cOf),
  checksum('numcodecs.crc32', 'start', () => (bytes) => [crc32(bytes)]),
  checksum('numcodecs.adler32', 'start', () => (bytes) => [adler32(bytes)]),
  // HDF5 before 1.6.3 wrote the sums with their bytes swapped, and its filter still accepts that.
  checksum('numcodecs.fletcher32', 'end', () => (bytes) => [fletcher32(bytes), fletcher32Reversed(bytes)]),
  checksum('numcodecs.jenkins_lookup3', 'end', jenkins),
]

/** Where a checksum codec puts its four bytes; undefined for codecs that are no checksum. */
export function checksumPlace(name: string, configuration: JsonObject): Location | undefined {
  switch (name) {
    case 'crc32c':
    case 'numcodecs.crc32c':
    case 'numcodecs.fletcher32':
    case 'numcodecs.jenkins_lookup3':
      return placeOf(configuration, 'end')
    case 'numcodecs.crc32':
    case 'numcodecs.adler32':
      return placeOf(configuration, 'start')
  }
  return undefined
}

function placeOf(configuration: JsonObject, usual: Location): Location {
  return wordMember<Location>(configuration, 'location', ['start', 'end'], usual)
}

function checksum(name: string, usual: Location, sumsOf: (configuration: JsonObject) => Sums): ByteCodec {
  return {
    kind: 'bytes',
    name,
    reach: 'native',
    writes: true,
    prepare: (configuration) => {
      const atStart = placeOf(configuration, usual) === 'start'
      const sums = sumsOf(configuration)
      return {
        decode: (bytes) => {
          if (bytes.length < 4) throw malformed(`${bytes.length} bytes end in no ${name} checksum`)
          const data = atStart ? bytes.subarray(4) : bytes.subarray(0, -4)
          const found = new DataView(bytes.buffer, bytes.byteOffset + (atStart ? 0 : data.length)).getUint32(0, true)
          const accepted = sums(data)
          if (accepted.includes(found)) return data
          throw malformed(`the ${name} checksum of a chunk is ${found}, computed ${accepted[0]}: the chunk is damaged`)
        },
        encode: (bytes) => {
          const result = new Uint8Array(bytes.length + 4)
          result.set(bytes, atStart ? 4 : 0)
          new DataView(result.buffer).setUint32(atStart ? 0 : bytes.length, sums(bytes)[0] ?? 0, true)
          return result
        },
      }
    },
  }
}

function jenkins(configuration: JsonObject): Sums {
  const seed = integerMember(configuration, 'initval', { least: 0, most: 2 ** 32 - 1, fallback: 0 })
  const prefix = integersMember(configuration, 'prefix')
  if (prefix.some((byte) => byte > 255)) throw malformed('numcodecs.jenkins_lookup3: "prefix" is not a list of bytes')
  const before = Uint8Array.from(prefix)
  return (bytes) => [lookup3(before.length === 0 ? bytes : Buffer.concat([before, bytes]), seed)]
}

/** RFC 1950 section 9. */
function adler32(bytes: Uint8Array): number {
  let a = 1
  let b = 0
  for (let start = 0; start < bytes.length; start += 3800) {
    const end = Math.min(start + 3800, bytes.length)
    for (let at = start; at < end; at++) {
      a += bytes[at] ?? 0
      b += a
    }
    a %= 65521
    b %= 65521
  }
  return b * 65536 + a
}
