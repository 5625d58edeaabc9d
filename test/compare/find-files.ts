import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'

export type ComparedFormat = 'tiff' | 'vrt' | 'hdf5' | 'netcdf3' | 'fits' | 'hdf4' | 'grib' | 'zarr'

export interface FoundFile {
  readonly path: string
  readonly format: ComparedFormat
}

const HEAD_BYTES = 4608
const ZARR_DOCUMENTS = ['zarr.json', '.zgroup', '.zarray', '.zmetadata']
const SHORT_SIGNATURES: Readonly<Record<string, ComparedFormat>> = {
  'CDF\x01': 'netcdf3',
  'CDF\x02': 'netcdf3',
  'CDF\x05': 'netcdf3',
  '\x0e\x03\x13\x01': 'hdf4',
}
const TIFF_SIGNATURES = ['II*\0', 'MM\0*', 'II+\0', 'MM\0+']
/** Where the superblock of HDF5 may lie, as far as the head reaches. */
const SUPERBLOCK_OFFSETS = [0, 512, 1024, 2048, 4096]

/** All files of our formats in a folder, however deep; a Zarr hierarchy is one. By their bytes, not their names. */
export function* findFiles(folder: string): Generator<FoundFile> {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((one, other) =>
    one.name < other.name ? -1 : 1,
  )
  if (entries.some(({ name }) => ZARR_DOCUMENTS.includes(name))) {
    yield { path: `${folder}/`, format: 'zarr' }
    return
  }
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== '.git') yield* findFiles(path)
    else if (entry.isFile()) {
      const format = /\.zarr\.zip$/.test(entry.name) ? 'zarr' : formatOf(readHead(path))
      if (format !== undefined) yield { path, format }
    }
  }
}

/** The format that the specifications' signatures say. The service's own recognition is what is tested, so it is not asked. */
export function formatOf(head: Buffer): ComparedFormat | undefined {
  const text = head.toString('latin1')
  if (TIFF_SIGNATURES.includes(text.slice(0, 4))) return 'tiff'
  const short = SHORT_SIGNATURES[text.slice(0, 4)]
  if (short !== undefined) return short
  if (SUPERBLOCK_OFFSETS.some((offset) => text.startsWith('\x89HDF\r\n\x1a\n', offset))) return 'hdf5'
  if (text.startsWith('SIMPLE  =')) return 'fits'
  if (/^\s*(?:<\?xml[^>]*>\s*)?<VRTDataset[\s>]/i.test(text)) return 'vrt'
  const message = text.slice(0, 520).indexOf('GRIB')
  return message >= 0 && [1, 2].includes(head[message + 7] ?? 0) ? 'grib' : undefined
}

function readHead(path: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  const file = openSync(path, 'r')
  try {
    return head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0))
  } finally {
    closeSync(file)
  }
}
