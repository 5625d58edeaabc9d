// FITS Standard 4.0, section 8: world coordinates of an image's axes, as far as each is a linear function of its own pixels.
import { recipe } from '../../model/recipe.ts'
import { type Header, numberOf, textOf } from './header.ts'

/** An axis of an image (axis 1 varies fastest): what runs along it, and which value each pixel has where that is linear. */
export interface WorldAxis {
  readonly length: number
  /** CTYPE of the world axis that runs along it; empty where nothing is said. */
  readonly type: string
  /** Whether the header says anything of the axis. */
  readonly isDescribed: boolean
  readonly linear: LinearAxis | undefined
}

/** value = reference + step * (pixel - referencePixel), pixels counted from 1. */
export interface LinearAxis {
  readonly reference: number
  readonly referencePixel: number
  readonly step: number
  /** CUNIT, as it is written. */
  readonly unit: string | undefined
  /** CNAME. */
  readonly label: string | undefined
}

/** The value at the centre of a pixel, counted from 0. */
/** The same for any place, as coordinates are worked out. */
export const worldValues = recipe(
  'fits.world',
  (axis: LinearAxis) =>
    (index: number): number =>
      worldValue(axis, index),
)

function worldValue({ reference, referencePixel, step }: LinearAxis, index: number): number {
  return reference + step * (index + 1 - referencePixel)
}

const DESCRIBING = ['CTYPE', 'CRVAL', 'CRPIX', 'CDELT', 'CUNIT']
/** Section 8.2: an algorithm stands behind four characters and a hyphen. */
const ALGORITHM = /^.{4}-[A-Z0-9]{3}/
/** In AIPS's way, what stands there is the frame of a velocity, and the axis is linear. */
const FRAME = /^(?:FREQ|VELO)-(?:LSR|LSD|HEL|OBS|GEO|SOU|GAL|TOP|BAR)$/
/** IRAF's spectra whose coordinates are in records of its own. */
const ELSEWHERE = /^MULTISPE/
/** Paper I allows 99 axes; the draft before it had three digits and no bar between them. */
const MATRIX = /^(PC|CD)(?:(\d{1,2})_(\d{1,2})|0(\d\d)0(\d\d))$/
const DISTORTION = /^(?:CPDIS|CQDIS|CPERR|CQERR|D2IMDIS|DP|DQ)(\d{1,2})\b/
const ROTATION = /^CROTA\d+$/

/** The axes of an image, from axis 1 on. */
export function worldAxes(header: Header, lengths: readonly number[]): WorldAxis[] {
  const mapping = mappingOf(header)
  return lengths.map((length, i) => {
    const pixelAxis = i + 1
    const world = worldOf(mapping, header, pixelAxis)
    const axis = world?.axis ?? pixelAxis
    const type = textOf(header, `CTYPE${axis}`)?.trim() ?? ''
    const isDescribed = describes(header, pixelAxis) || describes(header, axis) || mapping.kinds.size > 0
    const isLinear = isDescribed && !mapping.distorted.has(pixelAxis) && isLinearType(header, type)
    const linear = isLinear && world !== undefined ? linearAxis(header, axis, pixelAxis, world.scale) : undefined
    const ends = linear === undefined ? [] : [worldValue(linear, 0), worldValue(linear, length - 1)]
    return { length, type, isDescribed, linear: ends.every(Number.isFinite) ? linear : undefined }
  })
}

function describes(header: Header, axis: number): boolean {
  return DESCRIBING.some((keyword) => header.values.has(`${keyword}${axis}`))
}

function isLinearType(header: Header, type: string): boolean {
  const spelled = type.toUpperCase()
  if (ELSEWHERE.test(spelled) || (ALGORITHM.test(spelled) && !FRAME.test(spelled))) return false
  // IRAF: the numbers are logarithms of what the unit is of.
  return numberOf(header, 'DC-FLAG') !== 1
}

function linearAxis(header: Header, axis: number, pixelAxis: number, step: number): LinearAxis {
  return {
    reference: numberOf(header, `CRVAL${axis}`) ?? 0,
    referencePixel: numberOf(header, `CRPIX${pixelAxis}`) ?? 0,
    step,
    unit: textOf(header, `CUNIT${axis}`)?.trim(),
    label: textOf(header, `CNAME${axis}`)?.trim(),
  }
}

/** Section 8.1: PCi_j (the unit matrix unless given) times CDELTi, or CDi_j alone; the old CROTAn turns axes. */
interface Mapping {
  readonly kinds: ReadonlySet<string>
  /** What is given of the matrix, by world axis and pixel axis. */
  readonly rows: ReadonlyMap<number, ReadonlyMap<number, number>>
  readonly lastAxis: number
  readonly isRotated: boolean
  /** Pixel axes, and world axes, with a distortion that is a table or a polynomial. */
  readonly distorted: ReadonlySet<number>
}

function mappingOf(header: Header): Mapping {
  const rows = new Map<number, Map<number, number>>()
  const kinds = new Set<string>()
  const distorted = new Set<number>()
  let lastAxis = 0
  let isRotated = false
  for (const keyword of header.values.keys()) {
    const [, kind, ...indexes] = MATRIX.exec(keyword) ?? []
    const [world, pixel] = indexes.filter((index) => index !== undefined).map(Number)
    if (kind !== undefined && world !== undefined && pixel !== undefined) {
      kinds.add(kind)
      const row = rows.get(world) ?? new Map<number, number>()
      rows.set(world, row.set(pixel, numberOf(header, keyword) ?? Number.NaN))
      lastAxis = Math.max(lastAxis, world, pixel)
    }
    isRotated ||= ROTATION.test(keyword) && numberOf(header, keyword) !== 0
    const [, axis] = DISTORTION.exec(keyword) ?? []
    if (axis !== undefined) distorted.add(Number(axis))
  }
  return { kinds, rows, lastAxis, isRotated, distorted }
}

/** The world axis that depends on this pixel axis alone, and by how much a pixel changes it. */
function worldOf(mapping: Mapping, header: Header, pixelAxis: number) {
  const { kinds, rows, isRotated, lastAxis } = mapping
  // Both kinds together are forbidden. Without either, it is the first two axes that can be turned: those of the sky.
  if (kinds.size > 1 || (isRotated && kinds.size === 0 && pixelAxis <= 2)) return undefined
  const isScaled = !kinds.has('CD')
  const element = (world: number, pixel: number) => rows.get(world)?.get(pixel) ?? (isScaled && world === pixel ? 1 : 0)
  const axes = Array.from({ length: Math.max(lastAxis, pixelAxis) }, (_, i) => i + 1)
  const [axis, ...others] = axes.filter((world) => element(world, pixelAxis) !== 0)
  if (axis === undefined || others.length > 0) return undefined
  if (axes.some((pixel) => pixel !== pixelAxis && element(axis, pixel) !== 0)) return undefined
  const scale = element(axis, pixelAxis) * (isScaled ? (numberOf(header, `CDELT${axis}`) ?? 1) : 1)
  return scale === 0 || !Number.isFinite(scale) ? undefined : { axis, scale }
}
