import type { Overlay, OverlayPlace } from '../plot/plane-canvas.ts'
import { seenBox, toScreen } from '../plot/viewport.ts'
import { degreesOf } from './overlay.ts'
import type { Projection } from './projection.ts'

/** Pictures of the Earth that the operator chose, in the Mercator projection of web maps (EPSG:3857). */
export interface Tiles {
  /** With `{z}`, `{x}` and `{y}`. */
  readonly template: string
  readonly attribution: string
}

/** What the service says in the page; undefined where no tiles are configured. */
export function configuredTiles(): Tiles | undefined {
  const said = document.querySelector<HTMLMetaElement>('meta[name=tiles]')?.content
  if (said === undefined) return undefined
  const [template = '', ...words] = said.split(' ')
  return { template, attribution: words.join(' ') }
}

interface TileInput {
  readonly tiles: Tiles
  readonly projection: Projection
  /** The plane is one of degrees, on which the world goes on beyond its edges. */
  readonly isPlain: boolean
  /** A tile has come: the picture is to be drawn again. */
  readonly onTile: () => void
}

const SIDE = 256
const DEEPEST = 18
const MOST_TILES = 48
/** Beyond it there are none. */
const MOST_LATITUDE = 85.05

/** Tiles under whatever is seen, each bent to the plane in small pieces. */
export function tileUnderlay({ tiles, projection, isPlain, onTile }: TileInput): Overlay {
  const pictures = new Map<string, HTMLImageElement>()
  const pictureAt = (zoom: number, x: number, y: number): HTMLImageElement => {
    const count = 2 ** zoom
    const column = ((x % count) + count) % count
    const url = tiles.template.replace('{z}', String(zoom)).replace('{x}', String(column)).replace('{y}', String(y))
    const known = pictures.get(url)
    if (known !== undefined) return known
    const picture = new Image()
    // Without it the picture could not be saved any more.
    picture.crossOrigin = 'anonymous'
    picture.onload = onTile
    picture.src = url
    pictures.set(url, picture)
    return picture
  }
  return (context, place) => {
    const range = tilesSeen(place, projection, isPlain)
    if (range === undefined) return
    for (let x = range.first[0]; x <= range.last[0]; x++)
      for (let y = range.first[1]; y <= range.last[1]; y++) {
        const picture = pictureAt(range.zoom, x, y)
        if (picture.complete && picture.naturalWidth > 0)
          drawTile(context, picture, { zoom: range.zoom, x, y }, projection, place)
      }
    writeAttribution(context, tiles.attribution, place)
  }
}

interface TileRange {
  readonly zoom: number
  readonly first: readonly [x: number, y: number]
  readonly last: readonly [x: number, y: number]
}

/** The tiles whose pixels are about as large as the picture's, and not too many. */
function tilesSeen(place: OverlayPlace, projection: Projection, isPlain: boolean): TileRange | undefined {
  const seen = seenBox(place.view, place.frame)
  const degrees = isPlain
    ? { left: seen.left, right: seen.right, top: -seen.bottom, bottom: -seen.top }
    : degreesOf(seen, projection)
  if (degrees === undefined || degrees.right <= degrees.left) return undefined
  const across = (360 * place.frame.width) / ((degrees.right - degrees.left) * SIDE)
  for (let zoom = Math.min(DEEPEST, Math.max(0, Math.round(Math.log2(across)))); zoom >= 0; zoom--) {
    const count = 2 ** zoom
    const bounded = (x: number) => (isPlain ? x : Math.min(count - 1, Math.max(0, x)))
    const first = [bounded(Math.floor(((degrees.left + 180) / 360) * count)), rowOf(degrees.bottom, count)] as const
    const last = [bounded(Math.floor(((degrees.right + 180) / 360) * count)), rowOf(degrees.top, count)] as const
    if ((last[0] - first[0] + 1) * (last[1] - first[1] + 1) <= MOST_TILES) return { zoom, first, last }
  }
  return undefined
}

/** `bottom` of a box is its northern edge: boxes of degrees count upwards. */
function rowOf(latitude: number, count: number): number {
  const radians = (Math.max(-MOST_LATITUDE, Math.min(MOST_LATITUDE, latitude)) * Math.PI) / 180
  const row = Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * count)
  return Math.min(count - 1, Math.max(0, row))
}

/** Pieces along a side: what is straight in one of them bends little on any plane. */
const PIECES = 8

function drawTile(
  context: CanvasRenderingContext2D,
  picture: HTMLImageElement,
  { zoom, x, y }: { readonly zoom: number; readonly x: number; readonly y: number },
  projection: Projection,
  { view, frame }: OverlayPlace,
): void {
  const count = 2 ** zoom
  const corner = (column: number, row: number) => {
    const longitude = ((x + column / PIECES) / count) * 360 - 180
    const north = Math.PI * (1 - (2 * (y + row / PIECES)) / count)
    const at = projection.forward(longitude, (Math.atan(Math.sinh(north)) * 180) / Math.PI)
    return at === undefined ? undefined : toScreen(view, frame, at[0], -at[1])
  }
  const [width, height] = [picture.naturalWidth / PIECES, picture.naturalHeight / PIECES]
  for (let row = 0; row < PIECES; row++) {
    for (let column = 0; column < PIECES; column++) {
      const [origin, right, below] = [corner(column, row), corner(column + 1, row), corner(column, row + 1)]
      if (origin === undefined || right === undefined || below === undefined) continue
      context.save()
      context.transform(
        (right[0] - origin[0]) / width,
        (right[1] - origin[1]) / width,
        (below[0] - origin[0]) / height,
        (below[1] - origin[1]) / height,
        origin[0],
        origin[1],
      )
      // A little more than the piece, so that no line shows between two.
      context.drawImage(picture, column * width, row * height, width, height, 0, 0, width * 1.02, height * 1.02)
      context.restore()
    }
  }
}

function writeAttribution(context: CanvasRenderingContext2D, text: string, { frame, ink }: OverlayPlace): void {
  if (text === '') return
  context.fillStyle = ink
  context.font = '11px system-ui, sans-serif'
  context.textAlign = 'right'
  context.fillText(text, frame.x + frame.width - 6, frame.y + frame.height - 6)
  context.textAlign = 'left'
}
