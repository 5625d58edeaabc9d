import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly content: string | Uint8Array | object
  readonly deflated?: boolean
  readonly method?: number
  readonly flags?: number
  /** Bytes of extra field in the local header only, as aligning writers leave them. */
  readonly localExtra?: number
  /** What the directory says instead of the truth. */
  readonly claims?: {
    readonly size?: number
    readonly storedSize?: number
    readonly crc?: number
    readonly offset?: number
  }
  readonly nameBytes?: Uint8Array
}

export interface ZipSettings {
  readonly comment?: string
  readonly zip64?: boolean
  /** Bytes before the archive, which its positions don't count. */
  readonly prefix?: number
}

/** An archive as PKWARE's APPNOTE has it: local headers and contents, the central directory, the end record. */
export function buildZip(entries: readonly ZipEntry[], settings: ZipSettings = {}): Uint8Array {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const entry of entries) {
    const content = contentOf(entry.content)
    const stored = entry.deflated ? deflateRawSync(content) : content
    const method = entry.method ?? (entry.deflated ? 8 : 0)
    const name = entry.nameBytes ?? new TextEncoder().encode(entry.name)
    const flags = entry.flags ?? 0x800
    const crc = entry.claims?.crc ?? crc32(content)
    const sizes = [entry.claims?.storedSize ?? stored.length, entry.claims?.size ?? content.length] as const
    const local = record([
      [4, 0x04034b50],
      [2, 20],
      [2, flags],
      [2, method],
      [4, 0],
      [4, crc],
      [4, sizes[0]],
      [4, sizes[1]],
      [2, name.length],
      [2, entry.localExtra ?? 0],
    ])
    parts.push(local, name, new Uint8Array(entry.localExtra ?? 0), stored)
    directory.push(
      directoryRecord({
        name,
        flags,
        method,
        crc,
        sizes,
        offset: entry.claims?.offset ?? offset,
        zip64: settings.zip64 ?? false,
      }),
    )
    offset += local.length + name.length + (entry.localExtra ?? 0) + stored.length
  }
  const list = Buffer.concat(directory)
  const comment = new TextEncoder().encode(settings.comment ?? '')
  const end = settings.zip64 ? zip64End(entries.length, list.length, offset) : record([])
  const plain = settings.zip64
    ? ([0xffff, 0xffffffff, 0xffffffff] as const)
    : ([entries.length, list.length, offset] as const)
  const tail = record([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, plain[0]],
    [2, plain[0]],
    [4, plain[1]],
    [4, plain[2]],
    [2, comment.length],
  ])
  return new Uint8Array(Buffer.concat([prefixOf(settings.prefix ?? 0), ...parts, list, end, tail, comment]))
}

/** What begins like an archive, as the stub of a self-extracting one does not. */
function prefixOf(length: number): Uint8Array {
  return Buffer.concat([Buffer.from('PK\x03\x04'), new Uint8Array(length)]).subarray(0, length)
}

interface DirectoryEntry {
  readonly name: Uint8Array
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly sizes: readonly [number, number]
  readonly offset: number
  readonly zip64: boolean
}

function directoryRecord({ name, flags, method, crc, sizes, offset, zip64 }: DirectoryEntry): Uint8Array {
  const extra = zip64
    ? record([
        [2, 1],
        [2, 24],
        [8, sizes[1]],
        [8, sizes[0]],
        [8, offset],
      ])
    : record([])
  const said = zip64 ? ([0xffffffff, 0xffffffff, 0xffffffff] as const) : ([sizes[0], sizes[1], offset] as const)
  const head = record([
    [4, 0x02014b50],
    [2, 20],
    [2, 20],
    [2, flags],
    [2, method],
    [4, 0],
    [4, crc],
    [4, said[0]],
    [4, said[1]],
    [2, name.length],
    [2, extra.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, said[2]],
  ])
  return Buffer.concat([head, name, extra])
}

function zip64End(count: number, size: number, offset: number): Uint8Array {
  const end = record([
    [4, 0x06064b50],
    [8, 44],
    [2, 45],
    [2, 45],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, offset],
  ])
  return Buffer.concat([
    end,
    record([
      [4, 0x07064b50],
      [4, 0],
      [8, offset + size],
      [4, 1],
    ]),
  ])
}

/** Little-endian numbers one after another, each with its width in bytes. */
function record(fields: readonly (readonly [2 | 4 | 8, number])[]): Uint8Array {
  const bytes = Buffer.alloc(fields.reduce((total, [width]) => total + width, 0))
  let at = 0
  for (const [width, value] of fields) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at)
    else bytes.writeUIntLE(value, at, width)
    at += width
  }
  return bytes
}

function contentOf(content: string | Uint8Array | object): Uint8Array {
  if (content instanceof Uint8Array) return content
  return new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content))
}
