import { skippedArray } from '../../model/skipped-array.ts'
import type { Member, VirtualGroup } from '../../model/virtual-store.ts'
import type { Source } from '../../source/source.ts'
import { turn } from '../../turns.ts'
import type { ParseContext } from '../format.ts'
import { asciiTable } from './ascii-table.ts'
import { headerAttributes } from './attributes.ts'
import { binaryTable } from './binary-table.ts'
import { type ImageAxes, imageDimensions } from './dimensions.ts'
import type { Hdu } from './hdu.ts'
import { hduNames } from './hdu-names.ts'
import { textOf } from './header.ts'
import { type FitsFile, imageArray } from './image.ts'
import { randomGroups } from './random-groups.ts'
import { isTiledImage, tiledImage } from './tile-image.ts'
import { worldAxes } from './world-axes.ts'

/** The tree of a file: an array or a group for each HDU that has data. */
export async function toModel(hdus: readonly Hdu[], source: Source, context: ParseContext): Promise<VirtualGroup> {
  const file: FitsFile = { size: source.size, context }
  const names = hduNames(hdus)
  const members = new Map<string, Member>()
  for (const [i, hdu] of hdus.entries()) {
    await turn()
    const name = names[i] ?? `HDU${i}`
    // A primary header without data speaks of the whole file: its records are those of the root.
    if (i === 0 && hdu.axes.length === 0) continue
    members.set(name, memberOf(hdu, name, file, source))
  }
  nameDimensions(members, hdus, names)
  const [primary] = hdus
  const isBare = primary !== undefined && primary.axes.length === 0
  return { kind: 'group', attributes: isBare ? headerAttributes(primary.header.cards) : new Map(), members }
}

/** Images get the names of their axes, and the coordinates of those that are linear stand beside them. */
function nameDimensions(members: Map<string, Member>, hdus: readonly Hdu[], names: readonly string[]): void {
  const images: ImageAxes[] = hdus.flatMap(({ header }, hdu) => {
    const image = members.get(names[hdu] ?? '')
    return image?.kind === 'array' ? [{ hdu, axes: worldAxes(header, image.shape.toReversed()) }] : []
  })
  const dimensions = imageDimensions(images, new Set(names))
  for (const { hdu } of images) {
    const name = names[hdu] ?? ''
    const image = members.get(name)
    if (image?.kind === 'array') members.set(name, { ...image, dimensionNames: dimensions.names.get(hdu) })
  }
  for (const [name, coordinate] of dimensions.coordinates) members.set(name, coordinate)
}

/** One HDU that can't be served costs the others nothing. */
function memberOf(hdu: Hdu, name: string, file: FitsFile, source: Source): Member {
  try {
    return servedMember(hdu, name, file, source)
  } catch (error) {
    return skippedArray(error)
  }
}

function servedMember(hdu: Hdu, name: string, file: FitsFile, source: Source): Member {
  switch (hdu.kind) {
    case 'image':
      return hdu.axes.length === 0 ? withoutData(hdu) : imageArray(hdu, name, file)
    case 'groups':
      return randomGroups(hdu, name, file)
    case 'ascii-table':
      return asciiTable(hdu, name, file)
    case 'binary-table':
      if (hdu.header.values.get('ZTABLE') === true) return unsupportedHdu('a compressed table')
      return isTiledImage(hdu) ? tiledImage(hdu, name, file, source) : binaryTable(hdu, name, file)
    case 'other':
      return unsupportedHdu(`an extension of type "${textOf(hdu.header, 'XTENSION') ?? ''}"`)
  }
}

/** Its records are all there is of it. */
function withoutData(hdu: Hdu): VirtualGroup {
  const attributes = headerAttributes(hdu.header.cards).set('hdu', hdu.index)
  return { kind: 'group', attributes, members: new Map() }
}

function unsupportedHdu(what: string): Member {
  return { kind: 'skipped', code: 'unsupported-feature', reason: `${what} is not served` }
}
