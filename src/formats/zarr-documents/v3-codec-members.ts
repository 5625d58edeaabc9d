// Zarr v3 core specification, "Codecs", and the registered ones that every reader knows: members of their configurations.
import type { Json, JsonObject } from '../../json/json.ts'
import { type Repair, spell, tellUnknown } from './document.ts'

type Check = (value: Json) => boolean

const within =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
const oneOf =
  (...words: readonly Json[]): Check =>
  (value) =>
    words.includes(value)
const anything: Check = () => true

const MEMBERS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  bytes: { endian: anything },
  transpose: { order: anything },
  gzip: { level: within(0, 9) },
  zstd: { level: within(-131072, 22), checksum: oneOf(true, false) },
  blosc: {
    cname: oneOf('lz4', 'lz4hc', 'blosclz', 'zstd', 'snappy', 'zlib'),
    clevel: within(0, 9),
    shuffle: oneOf('noshuffle', 'shuffle', 'bitshuffle', 0, 1, 2),
    typesize: within(1, 2 ** 31),
    blocksize: within(0, 2 ** 31),
  },
  crc32c: {},
  'vlen-utf8': {},
  'vlen-bytes': {},
}
/** Only these may be left out. */
const OPTIONAL: readonly string[] = ['endian', 'checksum', 'typesize', 'blocksize', 'order']

/** Tells what most readers refuse of a configuration, though chunks are decoded all the same: each says for itself how it was made. */
export function tellOfMembers(name: string, configuration: JsonObject, repair: Repair): void {
  const members = MEMBERS[name]
  if (members === undefined) return
  tellUnknown(configuration, Object.keys(members), `codec ${name}`, repair)
  for (const [member, isRight] of Object.entries(members)) {
    const value = configuration[member]
    const isMissing = value === undefined && !OPTIONAL.includes(member)
    if (isMissing || (value !== undefined && !isRight(value))) {
      repair(`${member} of codec ${name} is ${spell(value)}: passed over`)
    }
  }
}
