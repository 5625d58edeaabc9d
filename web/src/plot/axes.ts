import { applied, type Frame, inverse, type Matrix, toPlane, toScreen, type Viewport } from './viewport.ts'

/** What stands at the axes of a plot. */
export interface AxisLabels {
  readonly rows: number
  readonly columns: number
  down(row: number): string
  across(column: number): string
  readonly downName: string
  readonly acrossName: string
}

interface AxesInput {
  readonly labels: AxisLabels
  readonly placement: { readonly matrix: Matrix }
  readonly view: Viewport
  readonly frame: Frame
  readonly ink: string
}

const FONT = '12px system-ui, sans-serif'
const LABEL_WIDTH = 96
const LABEL_HEIGHT = 32
const LINE = 14

/** Draws labels at the left and below, of as many points as there is room for. */
export function drawAxes(context: CanvasRenderingContext2D, { labels, placement, view, frame, ink }: AxesInput): void {
  const { matrix } = placement
  const [left, top] = toIndex(matrix, view, frame, frame.x, frame.y)
  const [right, bottom] = toIndex(matrix, view, frame, frame.x + frame.width, frame.y + frame.height)
  context.font = FONT
  context.fillStyle = context.strokeStyle = ink
  context.textBaseline = 'top'
  context.textAlign = 'center'
  const below = frame.y + frame.height
  for (const column of ticks(left, right, frame.width / LABEL_WIDTH, labels.columns)) {
    const [x] = toScreen(view, frame, ...applied(matrix, column + 0.5, 0))
    if (x < frame.x - 1 || x > frame.x + frame.width + 1) continue
    context.fillRect(Math.round(x), below, 1, 4)
    context.fillText(labels.across(column), x, below + 8, LABEL_WIDTH)
  }
  context.textBaseline = 'middle'
  context.textAlign = 'right'
  for (const row of ticks(top, bottom, frame.height / LABEL_HEIGHT, labels.rows)) {
    const [, y] = toScreen(view, frame, ...applied(matrix, 0, row + 0.5))
    if (y < frame.y - 1 || y > frame.y + frame.height + 1) continue
    context.fillRect(frame.x - 4, Math.round(y), 4, 1)
    writeAtLeft(context, labels.down(row), frame.x - 8, y)
  }
}

/** In two lines where one has no room: a date and its hour. */
function writeAtLeft(context: CanvasRenderingContext2D, text: string, x: number, y: number): void {
  const blank = text.lastIndexOf(' ')
  if (blank < 0 || context.measureText(text).width <= x) {
    context.fillText(text, x, y, x)
    return
  }
  context.fillText(text.slice(0, blank), x, y - LINE / 2, x)
  context.fillText(text.slice(blank + 1), x, y + LINE / 2, x)
}

function toIndex(matrix: Matrix, view: Viewport, frame: Frame, x: number, y: number): readonly [number, number] {
  return applied(inverse(matrix), ...toPlane(view, frame, x, y))
}

/** Indexes in round steps, no more than there is room for. */
export function ticks(from: number, to: number, most: number, length: number): readonly number[] {
  const [first, last] = [
    Math.max(0, Math.floor(Math.min(from, to))),
    Math.min(length - 1, Math.ceil(Math.max(from, to))),
  ]
  const step = roundStep((last - first) / Math.max(1, most))
  const found: number[] = []
  for (let at = Math.ceil(first / step) * step; at <= last; at += step) found.push(at)
  return found
}

/** The next of 1, 2, 5, 10, 20, … */
export function roundStep(least: number): number {
  if (least <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5, 10].find((one) => one * power >= least) ?? 10
  return factor * power
}
