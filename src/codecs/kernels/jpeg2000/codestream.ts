// T.800 annex A: the segments of a codestream, in front of its tiles and in them.
import { Cursor } from '../../../bytes/cursor.ts'
import { malformed, unsupported } from '../../../errors.ts'
import {
  type ComponentStyle,
  type Quantisation,
  readCodingStyle,
  readComponentStyle,
  readQuantisation,
  type TileStyle,
} from './coding-style.ts'
import { type Jpeg2000Header, jpeg2000Header } from './size.ts'

/** What one header says of how components are coded: all of them, or one by its number. */
interface Styles {
  readonly tile?: TileStyle
  readonly component?: ComponentStyle
  readonly components: ReadonlyMap<number, ComponentStyle>
  readonly quantisation?: Quantisation
  readonly quantisations: ReadonlyMap<number, Quantisation>
}

/** A tile: its packets, one after the other. */
export interface CodedTile {
  readonly style: TileStyle
  readonly packets: Uint8Array
  componentStyle(component: number): ComponentStyle
  quantisation(component: number): Quantisation
}

export interface Codestream {
  readonly header: Jpeg2000Header
  readonly tilesAcross: number
  readonly tilesDown: number
  /** By their numbers. */
  readonly tiles: ReadonlyMap<number, CodedTile>
}

const NOTHING_SAID: Styles = { components: new Map(), quantisations: new Map() }

interface PartedTile {
  styles: Styles
  readonly parts: Uint8Array[]
}

const MARKER = {
  codingStyle: 0xff52,
  componentStyle: 0xff53,
  quantisation: 0xff5c,
  componentQuantisation: 0xff5d,
  tilePart: 0xff90,
  data: 0xff93,
  end: 0xffd9,
} as const
/** What changes how all else is read. */
const REFUSED: ReadonlyMap<number, string> = new Map([
  [0xff50, 'parts beyond the first of the standard'],
  [0xff5e, 'regions of interest'],
  [0xff5f, 'changes of the order of packets'],
  [0xff60, 'packed packet headers'],
  [0xff61, 'packed packet headers'],
])
const TILE_PART_BYTES = 14

/** Finds the tiles of a codestream. */
export function readCodestream(bytes: Uint8Array): Codestream {
  const header = jpeg2000Header(bytes)
  const { box, tile, samples, end } = header
  const tilesAcross = Math.ceil((box.right - tile.left) / (tile.right - tile.left))
  const tilesDown = Math.ceil((box.bottom - tile.top) / (tile.bottom - tile.top))
  if (tilesAcross * tilesDown * TILE_PART_BYTES > bytes.length) {
    throw malformed(`a JPEG 2000 picture of ${bytes.length} bytes has ${tilesAcross} by ${tilesDown} tiles`)
  }
  const cursor = new Cursor(bytes, 'big')
  cursor.seek(end)
  let main = NOTHING_SAID
  let marker = cursor.u16()
  for (; marker !== MARKER.tilePart; marker = cursor.u16()) main = withSegment(main, marker, cursor, samples)
  const parted = new Map<number, PartedTile>()
  for (; marker === MARKER.tilePart; marker = cursor.u16()) readTilePart(cursor, parted, samples)
  if (marker !== MARKER.end) throw malformed(`a JPEG 2000 picture has the marker ${hex(marker)} behind a tile`)
  const tiles = new Map<number, CodedTile>()
  for (let number = 0; number < tilesAcross * tilesDown; number++) {
    tiles.set(number, tileOf(number, parted.get(number), main))
  }
  return { header, tilesAcross, tilesDown, tiles }
}

function readTilePart(cursor: Cursor, parted: Map<number, PartedTile>, samples: number): void {
  const start = cursor.position - 2
  cursor.skip(2)
  const [number, length] = [cursor.u16(), cursor.u32()]
  cursor.skip(2)
  const tile = parted.get(number) ?? { styles: NOTHING_SAID, parts: [] }
  parted.set(number, tile)
  for (let marker = cursor.u16(); marker !== MARKER.data; marker = cursor.u16()) {
    tile.styles = withSegment(tile.styles, marker, cursor, samples)
  }
  // The last one may leave its length open: up to the marker at the end.
  const end = length === 0 ? cursor.bytes.length - 2 : start + length
  if (end < cursor.position || end > cursor.bytes.length - 2) {
    throw malformed(
      `a part of a JPEG 2000 tile has ${length} bytes, expected at most ${cursor.bytes.length - 2 - start}`,
    )
  }
  tile.parts.push(cursor.take(end - cursor.position))
}

function withSegment(styles: Styles, marker: number, cursor: Cursor, samples: number): Styles {
  const refused = REFUSED.get(marker)
  if (refused !== undefined) throw unsupported(`JPEG 2000 with ${refused}`, `JPEG 2000 with ${refused} is not decoded`)
  if (marker < 0xff4f || marker === MARKER.end)
    throw malformed(`a JPEG 2000 picture has the marker ${hex(marker)} in a header`)
  const length = cursor.u16()
  if (length < 2) throw malformed(`a segment of a JPEG 2000 picture has ${length} bytes, expected at least 2`)
  const content = new Cursor(cursor.take(length - 2), 'big')
  const component = () => (samples < 257 ? content.u8() : content.u16())
  switch (marker) {
    case MARKER.codingStyle:
      return { ...styles, ...readCodingStyle(content) }
    case MARKER.componentStyle: {
      const number = component()
      const style = readComponentStyle(content, (content.u8() & 1) > 0)
      return { ...styles, components: new Map([...styles.components, [number, style]]) }
    }
    case MARKER.quantisation:
      return { ...styles, quantisation: readQuantisation(content) }
    case MARKER.componentQuantisation: {
      const number = component()
      return { ...styles, quantisations: new Map([...styles.quantisations, [number, readQuantisation(content)]]) }
    }
  }
  return styles
}

/** What a tile says of itself goes before what is said of all tiles, and what is said of one component before what is said of all. */
function tileOf(number: number, parted: PartedTile | undefined, main: Styles): CodedTile {
  if (parted === undefined) throw malformed(`a JPEG 2000 picture has no tile ${number}`)
  const own = parted.styles
  return {
    style: said(own.tile ?? main.tile),
    packets: joined(parted.parts),
    componentStyle: (component) =>
      said(own.components.get(component) ?? own.component ?? main.components.get(component) ?? main.component),
    quantisation: (component) =>
      said(
        own.quantisations.get(component) ?? own.quantisation ?? main.quantisations.get(component) ?? main.quantisation,
      ),
  }
}

function said<Style>(style: Style | undefined): Style {
  if (style === undefined) throw malformed('a JPEG 2000 picture does not say how it is coded')
  return style
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  return only !== undefined && parts.length === 1 ? only : Buffer.concat(parts)
}

function hex(marker: number): string {
  return `0x${marker.toString(16)}`
}
