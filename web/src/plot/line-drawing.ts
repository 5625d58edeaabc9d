import { roundStep, ticks } from './axes.ts'
import { numberText } from './meaning.ts'
import type { Statistics } from './statistics.ts'

interface LineInput {
  readonly values: Float64Array
  readonly statistics: Statistics
  readonly at: number | undefined
  label(index: number): string
}

const ROOM = { left: 72, right: 12, top: 12, bottom: 32 }
const FONT = '12px system-ui, sans-serif'

/** Draws values over their indexes; where they are missing the line is interrupted. */
export function drawLine(canvas: HTMLCanvasElement, { values, statistics, at, label }: LineInput): void {
  const { clientWidth: width, clientHeight: height } = canvas
  canvas.width = Math.max(1, Math.round(width * devicePixelRatio))
  canvas.height = Math.max(1, Math.round(height * devicePixelRatio))
  const context = canvas.getContext('2d')
  if (context === null || width === 0) return
  context.scale(devicePixelRatio, devicePixelRatio)
  const style = getComputedStyle(canvas)
  const [inner, tall] = [width - ROOM.left - ROOM.right, height - ROOM.top - ROOM.bottom]
  const { least, most } = statistics
  const room = most > least ? (most - least) * 0.05 : Math.abs(most) || 1
  const [low, high] = [least - room, most + room]
  const x = (index: number) => ROOM.left + (values.length > 1 ? (index / (values.length - 1)) * inner : inner / 2)
  const y = (value: number) => ROOM.top + tall - ((value - low) / (high - low)) * tall
  context.font = FONT
  context.fillStyle = style.color
  drawValueLines(context, { low, high, width, y, line: style.getPropertyValue('--line'), most: tall / 40 })
  context.textAlign = 'center'
  context.textBaseline = 'top'
  for (const index of ticks(0, values.length - 1, inner / 110, values.length))
    context.fillText(label(index), Math.min(x(index), width - 60), ROOM.top + tall + 8, 104)
  context.strokeStyle = context.fillStyle = style.getPropertyValue('--accent')
  context.lineWidth = 1.5
  drawValues(context, values, x, y)
  const value = at === undefined ? undefined : values[at]
  if (at === undefined || value === undefined) return
  context.strokeStyle = style.color
  context.lineWidth = 1
  context.strokeRect(Math.round(x(at)) + 0.5, ROOM.top, 0, tall)
  if (!Number.isNaN(value)) context.fillRect(x(at) - 3, y(value) - 3, 6, 6)
}

interface ValueLines {
  readonly low: number
  readonly high: number
  readonly width: number
  readonly line: string
  readonly most: number
  y(value: number): number
}

function drawValueLines(context: CanvasRenderingContext2D, { low, high, width, line, most, y }: ValueLines): void {
  const range = high - low
  const unit = 10 ** (Math.floor(Math.log10(range)) - 2)
  const step = roundStep(range / unit / Math.max(1, most)) * unit
  context.textAlign = 'right'
  context.textBaseline = 'middle'
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
    context.strokeStyle = line
    context.beginPath()
    context.moveTo(ROOM.left, y(value))
    context.lineTo(width - ROOM.right, y(value))
    context.stroke()
    context.fillText(numberText(Number(value.toPrecision(6))), ROOM.left - 8, y(value), ROOM.left - 8)
  }
}

function drawValues(
  context: CanvasRenderingContext2D,
  values: Float64Array,
  x: (index: number) => number,
  y: (value: number) => number,
): void {
  context.beginPath()
  let isDown = false
  for (const [index, value] of values.entries()) {
    if (!Number.isFinite(value)) {
      isDown = false
      continue
    }
    const isAlone = !isDown && !Number.isFinite(values[index + 1] ?? Number.NaN)
    if (isAlone) context.fillRect(x(index) - 1.5, y(value) - 1.5, 3, 3)
    else if (isDown) context.lineTo(x(index), y(value))
    else context.moveTo(x(index), y(value))
    isDown = true
  }
  context.stroke()
}
