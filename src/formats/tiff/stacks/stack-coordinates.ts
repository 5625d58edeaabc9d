import { encodeElements } from '../../../codecs/decode.ts'
import { computedCoordinate } from '../../../model/computed-array.ts'
import type { DataType } from '../../../model/data-type.ts'
import { inlineIndex } from '../../../model/plain-indexes.ts'
import { recipe } from '../../../model/recipe.ts'
import { type AttributeValue, NO_SENTINELS, type VirtualArray } from '../../../model/virtual-store.ts'
import type { OmeStep } from './ome-xml.ts'
import type { StackPlan } from './stack-plan.ts'

type NamedArray = readonly [string, VirtualArray]

const TEXT: DataType = { kind: 'string' }

/** Of the image, or of an overview. */
interface Size {
  readonly width: number
  readonly height: number
}

/** Names of channels, and distances from the first place along each axis that has a physical size. */
export function stackCoordinates({ axes, x, y, width, height }: StackPlan, level: Size): NamedArray[] {
  const ofAxes = axes.flatMap(({ name, length, step, labels }): NamedArray[] => {
    if (labels !== undefined) return [[name, labelCoordinate(name, labels)]]
    return step === undefined ? [] : [[name, stepCoordinate(name, length, step, 1)]]
  })
  return [
    ...ofAxes,
    ...(y === undefined ? [] : [['y', stepCoordinate('y', level.height, y, height / level.height)] as const]),
    ...(x === undefined ? [] : [['x', stepCoordinate('x', level.width, x, width / level.width)] as const]),
  ]
}

interface PixelSteps {
  readonly step: number
  readonly factor: number
}

export const pixelSteps = recipe(
  'tiff.pixel-steps',
  ({ step, factor }: PixelSteps) =>
    (index: number): number =>
      ((index + 0.5) * factor - 0.5) * step,
)

/** Middles of pixels of `factor` times the size, counted from the middle of the first one of the full size. */
function stepCoordinate(name: string, length: number, { step, unit }: OmeStep, factor: number): VirtualArray {
  const attributes = new Map<string, AttributeValue>([['units', unit]])
  return computedCoordinate(name, length, pixelSteps({ step, factor }), attributes)
}

function labelCoordinate(name: string, labels: readonly string[]): VirtualArray {
  const encoding = [{ name: 'vlen-utf8', configuration: {} }]
  const shape = [labels.length]
  const bytes = encodeElements({ kind: 'text', values: labels }, encoding, { shape, dataType: TEXT })
  return {
    kind: 'array',
    shape,
    chunkShape: shape,
    dataType: TEXT,
    fillValue: { kind: 'string', value: '' },
    fillOrigin: 'empty text',
    sentinels: NO_SENTINELS,
    attributes: new Map(),
    dimensionNames: [name],
    encodings: [encoding],
    edges: 'padded',
    chunks: inlineIndex(shape, shape, bytes),
  }
}
