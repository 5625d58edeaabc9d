import type { Overlay, OverlayPlace } from '../plot/plane-canvas.ts'
import { type Box, seenBox, toScreen } from '../plot/viewport.ts'
import { graticule } from './graticule.ts'
import type { Projection } from './projection.ts'

export type Line = readonly (readonly [longitude: number, latitude: number])[]

interface OverlayInput {
  readonly projection: Projection
  readonly coast: readonly Line[]
  /** The plane is one of degrees, on which the world goes on beyond its edges. */
  readonly isPlain: boolean
}

/** Coasts and a grid of meridians and parallels over whatever is seen. */
export function mapOverlay({ projection, coast, isPlain }: OverlayInput): Overlay {
  return (context, place) => {
    const seen = seenBox(place.view, place.frame)
    const degrees = isPlain
      ? { left: seen.left, right: seen.right, top: -seen.bottom, bottom: -seen.top }
      : degreesOf(seen, projection)
    if (degrees === undefined) return
    context.lineWidth = 1
    context.strokeStyle = place.ink
    context.globalAlpha = 0.22
    const lines = graticule(degrees)
    for (const { points } of lines) strokeLine(context, points, projection, place, 0)
    context.globalAlpha = 0.85
    for (const line of coast.filter((one) => touches(one, degrees, isPlain)))
      for (const turn of isPlain ? turnsWithin(degrees) : [0]) strokeLine(context, line, projection, place, turn)
    context.globalAlpha = 1
    for (const line of lines) writeLabel(context, line, projection, place)
  }
}

/** The part of the Earth that is seen, found from points along the picture's rows. */
export function degreesOf({ left, right, top, bottom }: Box, projection: Projection): Box | undefined {
  const found: (readonly [number, number])[] = []
  const steps = 8
  for (let i = 0; i <= steps; i++) {
    for (let j = 0; j <= steps; j++) {
      const place = projection.back(left + ((right - left) * i) / steps, -(top + ((bottom - top) * j) / steps))
      if (place !== undefined && Math.abs(place[1]) <= 90) found.push(place)
    }
  }
  if (found.length === 0) return undefined
  const [xs, ys] = [found.map(([x]) => x), found.map(([, y]) => y)]
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

/** Whole turns around the world that are seen, for grids from 0 to 360. */
function turnsWithin({ left, right }: Box): readonly number[] {
  const first = Math.max(-3, Math.floor((left + 180) / 360))
  const last = Math.min(3, Math.floor((right + 180) / 360))
  return Array.from({ length: Math.max(1, last - first + 1) }, (_, at) => (first + at) * 360)
}

function touches(line: Line, { left, right, top, bottom }: Box, isPlain: boolean): boolean {
  const margin = 5
  return line.some(
    ([x, y]) => y >= top - margin && y <= bottom + margin && (isPlain || (x >= left - margin && x <= right + margin)),
  )
}

/** A step over half the world, or over more than the picture, runs around the back of the Earth. */
const LONGEST_STEP = 180
const NEAR = 2

function strokeLine(
  context: CanvasRenderingContext2D,
  line: Line,
  projection: Projection,
  { view, frame }: OverlayPlace,
  turn: number,
): void {
  context.beginPath()
  let before: readonly [x: number, y: number, longitude: number] | undefined
  for (const [longitude, latitude] of line) {
    const place = projection.forward(longitude, latitude)
    const now = place === undefined ? undefined : toScreen(view, frame, place[0] + turn, -place[1])
    if (now === undefined) {
      before = undefined
      continue
    }
    const isStep = before !== undefined && Math.abs(longitude - before[2]) < LONGEST_STEP
    const isNear = before !== undefined && Math.abs(now[0] - before[0]) < frame.width * NEAR
    if (isStep && isNear) context.lineTo(...now)
    else context.moveTo(...now)
    before = [...now, longitude]
  }
  context.stroke()
}

const FONT = '11px system-ui, sans-serif'

/** The name of a meridian at the lower edge, of a parallel at the left. */
function writeLabel(
  context: CanvasRenderingContext2D,
  { points, name, isMeridian }: ReturnType<typeof graticule>[number],
  projection: Projection,
  { view, frame, ink, paper }: OverlayPlace,
): void {
  const places = points.flatMap(([x, y]) => {
    const place = projection.forward(x, y)
    return place === undefined ? [] : [toScreen(view, frame, place[0], -place[1])]
  })
  const seen = places.filter(
    ([x, y]) =>
      x >= frame.x + 4 && x <= frame.x + frame.width - 28 && y >= frame.y + 16 && y <= frame.y + frame.height - 6,
  )
  const edge = seen.toSorted((a, b) => (isMeridian ? b[1] - a[1] : a[0] - b[0]))[0]
  if (edge === undefined) return
  context.font = FONT
  context.textAlign = 'left'
  context.textBaseline = 'alphabetic'
  context.lineWidth = 3
  context.strokeStyle = paper
  context.fillStyle = ink
  const [x, y] = [edge[0] + 3, edge[1] - 3]
  context.strokeText(name, x, y)
  context.fillText(name, x, y)
}
