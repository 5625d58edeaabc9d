import { open } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'

const ROWS_A_STRIP = 16

/**
 * A square image of bytes in strips, in web mercator, without overviews: the kind of file that no viewer shows. Values rise along
 * both axes with some noise, so that neither compression nor means are trivial.
 */
export async function writeStripTiff(path: string, size: number, isCompressed: boolean): Promise<void> {
  const file = await open(path, 'w')
  const offsets: number[] = []
  const lengths: number[] = []
  let end = 8
  for (let top = 0; top < size; top += ROWS_A_STRIP) {
    const rows = stripOf(top, size)
    const strip = isCompressed ? deflateSync(rows) : rows
    await file.write(strip, 0, strip.length, end)
    offsets.push(end)
    lengths.push(strip.length)
    end += strip.length
  }
  const at = end + (end % 2)
  const directory = directoryOf(size, offsets, lengths, isCompressed, at)
  await file.write(directory, 0, directory.length, at)
  const header = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])
  header.writeUInt32LE(at, 4)
  await file.write(header, 0, 8, 0)
  await file.close()
}

function stripOf(top: number, size: number): Uint8Array {
  const rows = new Uint8Array(size * ROWS_A_STRIP)
  let noise = top + 1
  for (let i = 0; i < rows.length; i++) {
    const [row, column] = [top + Math.floor(i / size), i % size]
    if (i % 8 === 0) noise = (noise * 48271) % 2147483647
    rows[i] = Math.floor(((row + column) * 112) / size) + (noise & 15)
  }
  return rows
}

const TYPE_BYTES: Readonly<Record<number, number>> = { 3: 2, 4: 4, 12: 8 }

/** One directory with its values behind it (TIFF 6.0, section 2). */
function directoryOf(
  size: number,
  offsets: readonly number[],
  lengths: readonly number[],
  isCompressed: boolean,
  at: number,
): Buffer {
  const entries: (readonly [tag: number, type: number, values: readonly number[]])[] = [
    [256, 4, [size]],
    [257, 4, [size]],
    [258, 3, [8]],
    [259, 3, [isCompressed ? 8 : 1]],
    [262, 3, [1]],
    [273, 4, offsets],
    [277, 3, [1]],
    [278, 3, [ROWS_A_STRIP]],
    [279, 4, lengths],
    [33550, 12, [100, 100, 0]],
    [33922, 12, [0, 0, 0, 0, 1_600_000, 0]],
    [34735, 3, [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 3857]],
  ]
  const head = Buffer.alloc(2 + entries.length * 12 + 4)
  const behind: Buffer[] = []
  let place = at + head.length
  head.writeUInt16LE(entries.length, 0)
  for (const [i, [tag, type, values]] of entries.entries()) {
    const bytes = Buffer.alloc(Math.max(4, values.length * (TYPE_BYTES[type] ?? 4)))
    for (const [k, value] of values.entries()) writeValue(bytes, type, k, value)
    const entry = head.subarray(2 + i * 12)
    entry.writeUInt16LE(tag, 0)
    entry.writeUInt16LE(type, 2)
    entry.writeUInt32LE(values.length, 4)
    if (bytes.length === 4) bytes.copy(entry, 8)
    else {
      entry.writeUInt32LE(place, 8)
      behind.push(bytes)
      place += bytes.length
    }
  }
  return Buffer.concat([head, ...behind])
}

function writeValue(bytes: Buffer, type: number, index: number, value: number): void {
  if (type === 3) bytes.writeUInt16LE(value, index * 2)
  else if (type === 4) bytes.writeUInt32LE(value, index * 4)
  else bytes.writeDoubleLE(value, index * 8)
}
