// FITS Standard 4.0, section 6: random groups. Each group is PCOUNT parameters, then an array, all of one type.

import { readFitsBlank } from '../../fill-value/fits-blank.ts'
import { rawEncoding } from '../../model/encoding.ts'
import { type PlacedValues, rowArray } from '../../model/run-chunks.ts'
import { elementCount } from '../../model/shape.ts'
import type { Member, VirtualArray, VirtualGroup } from '../../model/virtual-store.ts'
import { headerAttributes } from './attributes.ts'
import type { Hdu } from './hdu.ts'
import { numbered } from './hdu-names.ts'
import { numberOf, textOf } from './header.ts'
import { type FitsFile, imageAttributes, imageFill, imageType, listener } from './image.ts'

/** Most parameters that become arrays. */
const MOST_PARAMETERS = 999

/** A group of the array `DATA`, whose first axis is that of the groups, and of its parameters by their PTYPE. */
export function randomGroups(hdu: Hdu, path: string, file: FitsFile): VirtualGroup {
  const { header, pcount } = hdu
  const dataType = imageType(hdu.bitpix)
  const members = new Map<string, Member>()
  const filter = { isGroups: true }
  members.set('DATA', {
    kind: 'array',
    ...placed(hdu, pcount, hdu.axes.slice(1).toReversed(), file),
    dataType,
    encodings: [rawEncoding('big')],
    ...imageFill(header, dataType, `${path}/DATA`, file),
    attributes: imageAttributes(hdu, dataType, `${path}/DATA`, file, filter),
  })
  for (let parameter = 1; parameter <= Math.min(pcount, MOST_PARAMETERS); parameter++) {
    const name = numbered(
      textOf(header, `PTYPE${parameter}`)?.trim() || `PARAMETER${parameter}`,
      new Set(members.keys()),
    )
    members.set(name, parameterArray(hdu, parameter, `${path}/${name}`, file))
  }
  return {
    kind: 'group',
    attributes: new Map([...headerAttributes(header.cards, filter), ['hdu', hdu.index]]),
    members,
  }
}

function parameterArray(hdu: Hdu, parameter: number, path: string, file: FitsFile): VirtualArray {
  const dataType = imageType(hdu.bitpix)
  const { fillValue, sentinels, attributes } = readFitsBlank({
    blank: undefined,
    bscale: numberOf(hdu.header, `PSCAL${parameter}`) ?? 1,
    bzero: numberOf(hdu.header, `PZERO${parameter}`) ?? 0,
    dataType,
    ...listener(path, file.context),
  })
  return {
    kind: 'array',
    ...placed(hdu, parameter - 1, [], file),
    dataType,
    encodings: [rawEncoding('big')],
    fillValue,
    fillOrigin: 'zero',
    sentinels,
    attributes,
  }
}

/** Values that begin behind `skipped` others in each group. */
function placed(
  { axes, bitpix, pcount, gcount, data, header }: Hdu,
  skipped: number,
  cell: readonly number[],
  file: FitsFile,
): PlacedValues {
  const itemSize = Math.abs(bitpix) / 8
  const values = elementCount(axes.slice(1))
  return rowArray({
    offset: data.offset + skipped * itemSize,
    stride: (pcount + values) * itemSize,
    rows: gcount,
    cell,
    itemSize,
    fileSize: file.size,
    place: header.place,
  })
}
