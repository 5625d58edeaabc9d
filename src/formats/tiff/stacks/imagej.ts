// ImageJ's TIFF: a description of `key=value` lines in the first directory; ij/io/TiffEncoder.java and FileOpener.java.

import type { Tags } from '../directories/read-tags.ts'
import { TAG } from '../directories/tags.ts'
import type { Image } from '../image.ts'
import type { OmeStep } from './ome-xml.ts'
import { axesOf, checkedLengths, planeDirectories, type StackPlan, stridesOf } from './stack-plan.ts'

const ORDER = /^(?:czt|ctz|zct|ztc|tcz|tzc)$/
const PIXEL = /^(?:pixels?)?$/i

/** Whether a description is ImageJ's. */
export function isImageJ(text: string): boolean {
  return /^ImageJ=/m.test(text.slice(0, 256))
}

/** The stack that a description tells of; throws an `Error` where it contradicts itself. */
export function imageJPlan(text: string, tags: Tags, image: Image): StackPlan {
  const lines = new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const at = line.indexOf('=')
      return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const]
    }),
  )
  const lengths = checkedLengths(lengthsOf(lines, image))
  const order = lines.get('order')?.toLowerCase() ?? 'czt'
  const strides = stridesOf(`XY${(ORDER.test(order) ? order : 'czt').toUpperCase()}`, lengths)
  const unit = unitOf(lines.get('unit'))
  const ofPlane = (tag: number) => {
    const resolution = tags.number(tag)
    return unit === undefined || resolution === undefined ? undefined : stepOf(1 / resolution, unit)
  }
  const steps = {
    T: stepOf(Number(lines.get('finterval')), lines.get('tunit') ?? 'sec'),
    Z: unit === undefined ? undefined : stepOf(Number(lines.get('spacing')), unit),
  }
  return {
    name: undefined,
    axes: axesOf(lengths, steps, undefined),
    samples: image.samples,
    width: image.width,
    height: image.height,
    x: ofPlane(TAG.xResolution),
    y: ofPlane(TAG.yResolution),
    directoryOf: planeDirectories({ lengths, strides, directories: undefined }),
  }
}

function lengthsOf(lines: ReadonlyMap<string, string>, { samples }: Image) {
  const count = (key: string) => {
    const value = lines.get(key) ?? '1'
    if (/^\d{1,9}$/.test(value) && Number(value) > 0) return Number(value)
    throw new Error(`its description says ${key}=${value.slice(0, 20)}`)
  }
  const [images, frames, slices] = [count('images'), count('frames'), count('slices')]
  // Some writers call the samples of a pixel channels.
  const channels = count('channels')
  const lengths = { T: frames, C: channels === samples && images <= frames * slices ? 1 : channels, Z: slices }
  const product = lengths.T * lengths.C * lengths.Z
  // Images without any more words are a stack.
  if (product === 1 && images > 1) return { ...lengths, Z: images }
  if (images > product) throw new Error(`its description says images=${images}, and ${product} by their axes`)
  return lengths
}

function stepOf(step: number, unit: string): OmeStep | undefined {
  return Number.isFinite(step) && step !== 0 ? { step, unit } : undefined
}

/** Java's escapes for what is no ASCII; pixels are no unit. */
function unitOf(text: string | undefined): string | undefined {
  if (text === undefined || PIXEL.test(text)) return undefined
  return text.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
