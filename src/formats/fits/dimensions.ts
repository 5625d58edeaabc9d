import { computedCoordinate } from '../../model/computed-array.ts'
import type { AttributeValue, VirtualArray } from '../../model/virtual-store.ts'
import { type WorldAxis, worldValues } from './world-axes.ts'

/** The names of the axes of all images of a file, and the coordinates of those that are linear. */
export interface ImageDimensions {
  /** In C order, by the number of the HDU. */
  readonly names: ReadonlyMap<number, readonly string[]>
  readonly coordinates: ReadonlyMap<string, VirtualArray>
}

/** An image, its axes in the order of FITS. */
export interface ImageAxes {
  readonly hdu: number
  readonly axes: readonly WorldAxis[]
}

/** Axes that get their names together. */
interface Unit {
  /** Positions among the image's axes. */
  readonly at: readonly number[]
  readonly names: readonly string[]
}

/** Section 8: the kinds of axes by CTYPE, of which what stands behind a hyphen is the algorithm. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:FREQ|FREQUENCY)$/, 'frequency'],
  [/^(?:ENER|ENERGY)$/, 'energy'],
  [/^WAVN$/, 'wavenumber'],
  [/^(?:VRAD|VOPT|VELO|FELO|VELOCITY)$/, 'velocity'],
  [/^(?:WAVE|AWAV|WAVELENGTH|LAMBDA)$/, 'wavelength'],
  [/^ZOPT$/, 'redshift'],
  [/^BETA$/, 'beta'],
  [/^STOKES$/, 'stokes'],
  [/^COMPLEX$/, 'complex'],
  [/^(?:TIME|UTC|TAI|TT|TDT|ET|IAT|TCG|TCB|TDB|UT1|UT|GMT|GPS|LOCAL)(?:\(.*\))?$/, 'time'],
]
const SKY = /^(?:RA|DEC|[A-Z]LON|[A-Z]LAT|[A-Z]{2}L[NT])-/
/** A word that names an axis; those that say nothing don't. */
const WORD = /^[A-Za-z][A-Za-z0-9_]{1,30}$/
const GENERIC = /^(?:LINEAR|PIXELS?|INDEX|DEFAULT|UNKNOWN|MULTISPE)$/i
const PLACES = ['x', 'y', 'z']

/**
 * Names axes over all images of a file: within a group a name has one length and one coordinate. The first image gets the plain
 * names; one whose axes are of other lengths, or linear with other values, gets `x_2`, `y_2`, ... An image that says
 * nothing of its axes is taken for a plane of the first that has its shape.
 */
export function imageDimensions(images: readonly ImageAxes[], reserved: ReadonlySet<string>): ImageDimensions {
  const given = new Map<string, readonly string[]>()
  const taken = new Set(reserved)
  const numbers = new Map<string, number>()
  const ofShape = new Map<string, readonly string[]>()
  const names = new Map<number, readonly string[]>()
  const coordinates = new Map<string, VirtualArray>()
  for (const { hdu, axes } of images) {
    const shape = axes.map(({ length }) => length).join(' ')
    const isBare = axes.every(({ isDescribed }) => !isDescribed)
    const known = isBare ? ofShape.get(shape) : undefined
    const named = known ?? namesOf(axes, { given, taken, numbers })
    if (!ofShape.has(shape)) ofShape.set(shape, named)
    names.set(hdu, named.toReversed())
    for (const [i, axis] of axes.entries()) {
      const name = named[i]
      if (name !== undefined && known === undefined && !coordinates.has(name)) {
        for (const coordinate of coordinateOf(name, axis)) coordinates.set(name, coordinate)
      }
    }
  }
  return { names, coordinates }
}

interface Names {
  /** Names of units that were met, by what they are. */
  readonly given: Map<string, readonly string[]>
  readonly taken: Set<string>
  /** Where the search for the next free number begins, by name. */
  readonly numbers: Map<string, number>
}

function namesOf(axes: readonly WorldAxis[], { given, taken, numbers }: Names): string[] {
  const named: string[] = []
  const here = new Set<string>()
  for (const unit of unitsOf(axes)) {
    // The same unit twice in one image is two dimensions.
    let key = unitKey(unit, axes)
    while (here.has(key)) key += "'"
    here.add(key)
    const names = given.get(key) ?? freeNames(unit.names, taken, numbers)
    given.set(key, names)
    for (const [i, at] of unit.at.entries()) named[at] = names[i] ?? ''
  }
  return named
}

function freeNames(names: readonly string[], taken: Set<string>, numbers: Map<string, number>): readonly string[] {
  const base = names.join(' ')
  for (let number = numbers.get(base) ?? 1; ; number++) {
    const numbered = number === 1 ? names : names.map((name) => `${name}_${number}`)
    if (numbered.some((name) => taken.has(name))) continue
    numbers.set(base, number + 1)
    for (const name of numbered) taken.add(name)
    return numbered
  }
}

function unitKey({ at, names }: Unit, axes: readonly WorldAxis[]): string {
  return JSON.stringify([names, at.map((i) => [axes[i]?.length, axes[i]?.linear, axes[i]?.linear && axes[i]?.type])])
}

/** What runs along axes gives them their names; the two that are left, or those of the sky, are x and y. */
function unitsOf(axes: readonly WorldAxis[]): Unit[] {
  const kinds = axes.map(({ type }) => kindOf(type))
  const sky = axes.flatMap(({ type }, i) => (SKY.test(type.toUpperCase()) ? [i] : []))
  const unnamed = axes.flatMap((_, i) => (kinds[i] === undefined ? [i] : []))
  const plane = (sky.length === 2 ? sky : unnamed).slice(0, 2)
  const units: Unit[] = plane.length === 0 ? [] : [{ at: plane, names: PLACES.slice(0, plane.length) }]
  let place = 2
  for (const [i, { type }] of axes.entries()) {
    if (plane.includes(i)) continue
    const word = WORD.test(type) && !GENERIC.test(type) ? type.toLowerCase() : undefined
    units.push({ at: [i], names: [kinds[i] ?? word ?? PLACES[place++] ?? `axis_${i + 1}`] })
  }
  return units
}

function kindOf(type: string): string | undefined {
  const [name = ''] = type.toUpperCase().split('-')
  return KINDS.find(([pattern]) => pattern.test(name))?.[1]
}

function coordinateOf(name: string, { length, linear, type }: WorldAxis): VirtualArray[] {
  if (linear === undefined) return []
  const attributes = new Map<string, AttributeValue>()
  if (type !== '') attributes.set('CTYPE', type)
  if (linear.label !== undefined) attributes.set('long_name', linear.label)
  if (linear.unit !== undefined) attributes.set('units', linear.unit)
  return [computedCoordinate(name, length, worldValues(linear), attributes)]
}
