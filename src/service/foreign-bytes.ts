/** How a file of a kind begins; of several that fit, the first counts. */
interface Signature {
  readonly name: string
  /** Bytes as Latin-1 text. */
  readonly begins: string
  readonly at?: number
}

/** What files begin with that are mistaken for data, or that hold data which is not read here. */
const SIGNATURES: readonly Signature[] = [
  { begins: 'GRIB', name: 'a GRIB file of another edition than 1 and 2' },
  { begins: 'BUFR', name: 'a BUFR file' },
  { begins: 'PAR1', name: 'a Parquet file; of a set of references the folder is read' },
  { begins: 'PARE', name: 'an encrypted Parquet file' },
  { begins: 'ARROW1', name: 'an Arrow file' },
  { begins: 'SQLite format 3\0', name: 'an SQLite database (GeoPackage, MBTiles)' },
  { begins: 'PMTiles', name: 'a PMTiles archive' },
  { begins: '\x93NUMPY', name: 'a NumPy array (.npy)' },
  { begins: 'MATLAB 5.0 MAT-file', name: 'a MATLAB file of version 5' },
  { begins: 'LASF', name: 'a point cloud (LAS, LAZ)' },
  { begins: 'NITF', name: 'a NITF file' },
  { begins: '\x00\x00\x27\x0a', name: 'a shapefile' },
  { begins: '\xcd\xf3\x00\x01', name: "a file of NASA's Common Data Format (CDF, which is not NetCDF)" },
  { begins: '\xcd\xf2\x60\x02', name: "a file of NASA's Common Data Format (CDF, which is not NetCDF)" },
  { begins: '\x89PNG\r\n\x1a\n', name: 'a PNG picture' },
  { begins: '\xff\xd8\xff', name: 'a JPEG picture' },
  { begins: '\0\0\0\x0cjP  \r\n\x87\n', name: 'a JPEG 2000 picture (JP2)' },
  { begins: '\xff\x4f\xff\x51', name: 'a JPEG 2000 picture (codestream)' },
  { begins: 'GIF8', name: 'a GIF picture' },
  { begins: 'WEBP', at: 8, name: 'a WebP picture' },
  { begins: '%PDF-', name: 'a PDF document' },
  { begins: 'BZh', name: 'a file compressed with bzip2; gzip and zstd are read, or decompress it at the source' },
  { begins: '\xfd7zXZ\0', name: 'a file compressed with xz; gzip and zstd are read, or decompress it at the source' },
  { begins: '\x1f\x9d', name: 'a file compressed with compress (.Z); gzip and zstd are read' },
  { begins: '\x04\x22\x4d\x18', name: 'a file compressed with LZ4; gzip and zstd are read' },
  { begins: '7z\xbc\xaf\x27\x1c', name: 'a 7z archive: unpack it at the source' },
  { begins: 'Rar!\x1a\x07', name: 'a RAR archive: unpack it at the source' },
  { begins: 'ustar', at: 257, name: 'a tar archive: unpack it at the source' },
  { begins: 'version https://git-lfs.github.com/spec/', name: 'a pointer of Git LFS, not the file that it stands for' },
  { begins: '/annex/objects/', name: 'a pointer of git-annex, not the file that it stands for' },
]

type Mark = readonly [pattern: RegExp, name: string]

/** What documents in angle brackets hold somewhere; the first that fits counts. */
const MARKUP: readonly Mark[] = [
  [/<(?:!doctype html|html|head|body|script|title)\b/i, 'an HTML page (a login, a listing, a viewer?)'],
  [/<(?:\w+:)?Code>/, 'an error message of an object store (XML)'],
  [/<(?:\w+:)?(?:ExceptionReport|ServiceException)/, 'an error message of a web service (XML)'],
  [/<netcdf[^>]+ncml/, 'an NcML document'],
  [/<catalog[^>]+thredds/i, 'a catalog of a THREDDS server: name one of its files'],
  [/<(?:\w+:)?Dataset\b/, 'a DMR document without the places of chunks (a DMR++ has them)'],
  [/^/, 'an XML document, and no DMR++'],
]

const JSON_MEMBERS: readonly Mark[] = [
  [/"stac_version"/, 'a STAC document, which is known and not read yet: name one of its assets'],
  [/"type"\s*:\s*"(?:Feature|FeatureCollection|Topology)"/, 'a GeoJSON document'],
  [/^/, 'a JSON document that is neither Kerchunk references nor metadata of Zarr'],
]

/** Says what a file is that no format recognises, by its first bytes; undefined where nothing is known of them. */
export function nameOfBytes(head: Uint8Array): string | undefined {
  if (head.length === 0) return 'empty'
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  const known = SIGNATURES.find(({ begins, at = 0 }) => bytes.startsWith(begins, at))
  if (known !== undefined) return known.name
  if (head.every((byte) => byte === 0)) return 'nothing but zeros at its start, as a file whose transfer never ended'
  const text = textOf(head)
  return text === undefined ? undefined : nameOfText(text)
}

function nameOfText(text: string): string {
  if (/^<[\w?!]/.test(text)) {
    const [, code] = /<(?:\w+:)?Code>\s*(\w{1,60})\s*</.exec(text) ?? []
    return `${firstMark(MARKUP, text)}${code === undefined ? '' : `: ${code}`}`
  }
  if (/^[[{]/.test(text)) return firstMark(JSON_MEMBERS, text)
  const [first = '', second] = text.split(/\r?\n/, 2)
  const separator = [',', '\t', ';'].find((sign) => first.includes(sign))
  const isTable = separator !== undefined && second?.split(separator).length === first.split(separator).length
  return isTable ? 'a table as text (CSV)' : 'text'
}

function firstMark(marks: readonly Mark[], text: string): string {
  return marks.find(([pattern]) => pattern.test(text))?.[1] ?? 'text'
}

/** The bytes as text when that is what they are; a character may be cut at the end. */
function textOf(head: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true }).trimStart()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of them
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text
  } catch {
    return undefined // not UTF-8
  }
}
