// FITS Standard 4.0, section 10.1: images cut into tiles, each compressed on its own, in the rows of a binary table.
import { malformed, unsupported } from '../../errors.ts'
import type { Member, VirtualArray } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import { type BinaryColumn, binaryColumns, heapOf } from './binary-columns.ts'
import type { Hdu } from './hdu.ts'
import { countOf, type Header, integerOf, numberOf, wholeOf } from './header.ts'
import { type FitsFile, imageAttributes, imageFill, imageType } from './image.ts'
import { quantizationOf, tileEncodings } from './tile-encodings.ts'
import { type RowNumber, tileIndex } from './tile-index.ts'

const BITPIX = [8, 16, 32, 64, -32, -64]

/** Whether a binary table is a compressed image. */
export function isTiledImage({ kind, header }: Hdu): boolean {
  return kind === 'binary-table' && header.values.get('ZIMAGE') === true
}

/** The image that the tiles make: a chunk is a tile. */
export function tiledImage(hdu: Hdu, path: string, file: FitsFile, source: Source): Member {
  const { header } = hdu
  const bitpix = integerOf(header, 'ZBITPIX')
  if (!BITPIX.includes(bitpix)) throw malformed(`ZBITPIX is ${bitpix}`, header.place)
  const dataType = imageType(bitpix)
  const { shape, chunkShape } = tilesOf(header)
  const columns = new Map(binaryColumns(hdu, path).map((column) => [column.name.toUpperCase(), column]))
  if (columns.has('NULL_PIXEL_MASK'))
    throw unsupported('ZMASKCMP', 'compressed masks of missing pixels are not decoded')
  const rowNumber = (name: string) => numberIn(header, columns, name)
  const quantization = bitpix < 0 ? quantizationOf(header, rowNumber('ZSCALE') !== undefined) : undefined
  return {
    kind: 'array',
    shape,
    chunkShape,
    dataType,
    edges: 'cropped',
    encodings: tileEncodings(header, bitpix, quantization),
    ...imageFill(header, dataType, path, file, wholeOf(header, 'BLANK') ?? wholeOf(header, 'ZBLANK')),
    attributes: imageAttributes(hdu, dataType, path, file, { isTiled: true }),
    chunks: tileIndex({
      source,
      shape,
      chunkShape,
      table: { offset: hdu.data.offset, entryBytes: hdu.axes[0] ?? 0, count: hdu.axes[1] ?? 0 },
      heap: heapOf(hdu),
      columns: ['COMPRESSED_DATA', 'GZIP_COMPRESSED_DATA', 'UNCOMPRESSED_DATA'].map((name) => columns.get(name)),
      quantized:
        quantization === undefined
          ? undefined
          : {
              seed: quantization.seed,
              scale: rowNumber('ZSCALE') ?? { value: 1 },
              zero: rowNumber('ZZERO') ?? { value: 0 },
              blank: rowNumber('ZBLANK'),
            },
      place: { ...header.place, path },
    }),
  } satisfies VirtualArray
}

/** Shape and tile of the image, in C order; a tile is by default a row. */
function tilesOf(header: Header): { readonly shape: readonly number[]; readonly chunkShape: readonly number[] } {
  const count = countOf(header, 'ZNAXIS')
  if (count < 1 || count > 64) throw malformed(`ZNAXIS is ${count}, expected 1 to 64`, header.place)
  const shape: number[] = []
  const chunkShape: number[] = []
  for (let axis = count; axis >= 1; axis--) {
    const length = countOf(header, `ZNAXIS${axis}`)
    const tile = countOf(header, `ZTILE${axis}`, axis === 1 ? length : 1)
    if (tile === 0 && length > 0) throw malformed(`ZTILE${axis} is 0`, header.place)
    shape.push(length)
    chunkShape.push(Math.max(1, Math.min(length, tile)))
  }
  if (!Number.isSafeInteger(shape.reduce((product, length) => product * Math.max(1, length), 8))) {
    throw malformed(`an image of ${shape.join(' x ')} values takes more than 2^53 bytes`, header.place)
  }
  return { shape, chunkShape }
}

/** A number that each tile has in a column of its own, or all have in a keyword. */
function numberIn(header: Header, columns: ReadonlyMap<string, BinaryColumn>, name: string): RowNumber | undefined {
  const column = columns.get(name)
  if (column === undefined) {
    const value = numberOf(header, name)
    return value === undefined ? undefined : { value }
  }
  const { code, width } = column.binary
  if (!isNumberCode(code) || width === 0)
    throw malformed(`column ${name} is "${column.form}", expected numbers`, column.place)
  return { at: column.at, code }
}

function isNumberCode(code: string): code is 'B' | 'I' | 'J' | 'K' | 'E' | 'D' {
  return 'BIJKED'.includes(code)
}
