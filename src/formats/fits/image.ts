// FITS Standard 4.0, sections 3.3.2, 4.4.2.5 (BSCALE, BZERO, BLANK, BUNIT) and 7.1.
import { readFitsBlank } from '../../fill-value/fits-blank.ts'
import type { DataType } from '../../model/data-type.ts'
import { rawEncoding } from '../../model/encoding.ts'
import { rowArray } from '../../model/run-chunks.ts'
import type { AttributeValue, VirtualArray } from '../../model/virtual-store.ts'
import type { ParseContext } from '../format.ts'
import { headerAttributes } from './attributes.ts'
import type { Hdu } from './hdu.ts'
import { type Header, numberOf, textOf, wholeOf } from './header.ts'

/** What every array of a file needs to know of it. */
export interface FitsFile {
  readonly size: number
  readonly context: ParseContext
}

/** The type of the values of an image. */
export function imageType(bitpix: number): DataType {
  switch (bitpix) {
    case 8:
      return { kind: 'uint', bits: 8 }
    case 16:
      return { kind: 'int', bits: 16 }
    case 32:
      return { kind: 'int', bits: 32 }
    case -32:
      return { kind: 'float', bits: 32 }
    case -64:
      return { kind: 'float', bits: 64 }
  }
  return { kind: 'int', bits: 64 }
}

/** An image: its values lie together, and are cut into chunks of rows. */
export function imageArray(hdu: Hdu, path: string, file: FitsFile): VirtualArray {
  const dataType = imageType(hdu.bitpix)
  const [rows = 1, ...cell] = hdu.axes.toReversed()
  const itemSize = Math.abs(hdu.bitpix) / 8
  const placed = rowArray({
    offset: hdu.data.offset,
    stride: cell.reduce((product, length) => product * length, itemSize),
    rows,
    cell,
    itemSize,
    fileSize: file.size,
    place: { ...hdu.header.place, path },
  })
  return {
    kind: 'array',
    ...placed,
    dataType,
    encodings: [rawEncoding('big')],
    ...imageFill(hdu.header, dataType, path, file),
    attributes: imageAttributes(hdu, dataType, path, file),
  }
}

/** What `BLANK` says, and the packing. */
export function imageFill(
  header: Header,
  dataType: DataType,
  path: string,
  { context }: FitsFile,
  blank: number | bigint | undefined = wholeOf(header, 'BLANK'),
): Pick<VirtualArray, 'fillValue' | 'fillOrigin' | 'sentinels'> {
  const { fillValue, sentinels } = readFitsBlank({ ...packing(header), blank, dataType, ...listener(path, context) })
  const isBlank = sentinels.fillValue !== undefined
  const fillOrigin = isBlank ? 'keyword BLANK' : dataType.kind === 'float' ? 'NaN of floating images' : 'zero'
  return { fillValue, fillOrigin, sentinels }
}

/** The header's records, `scale_factor` and `add_offset`, `units`, and the HDU's number. */
export function imageAttributes(
  hdu: Hdu,
  dataType: DataType,
  path: string,
  { context }: FitsFile,
  filter: { readonly isTiled?: boolean; readonly isGroups?: boolean } = {},
): Map<string, AttributeValue> {
  const { attributes } = readFitsBlank({
    ...packing(hdu.header),
    blank: undefined,
    dataType,
    ...listener(path, context),
  })
  const units = textOf(hdu.header, 'BUNIT')
  return new Map<string, AttributeValue>([
    ...headerAttributes(hdu.header.cards, filter),
    ...attributes,
    ...(units === undefined ? [] : ([['units', units]] as const)),
    ['hdu', hdu.index],
  ])
}

function packing(header: Header) {
  return { bscale: numberOf(header, 'BSCALE') ?? 1, bzero: numberOf(header, 'BZERO') ?? 0 }
}

/** Typed sources warn of a sentinel that the type can't hold (FV-FITS-2). */
export function listener(path: string, { options, warn }: ParseContext) {
  return { policy: options.sentinel === 'error' ? ('error' as const) : ('warn' as const), path, warn }
}
