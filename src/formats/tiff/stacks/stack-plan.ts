import { recipe } from '../../../model/recipe.ts'
import type { OmeAxis, OmeDocument, OmeImage, OmePlanes, OmeStep } from './ome-xml.ts'

/** Images of one kind that are one array: which axes there are before those of the plane, and where each plane is. */
export interface StackPlan {
  /** Name of the image, where it has one. */
  readonly name: string | undefined
  /** Outermost first; those of length 1 are left out. */
  readonly axes: readonly StackAxis[]
  /** Samples of a pixel. */
  readonly samples: number
  readonly width: number
  readonly height: number
  readonly x: OmeStep | undefined
  readonly y: OmeStep | undefined
  /** Planes, by their position in C order over the axes: the directory of the main chain, or undefined for one that is nowhere. */
  directoryOf(position: number): number | undefined
}

/** An axis of planes, and what its places are called or measured in. */
export interface StackAxis {
  readonly name: 't' | 'c' | 'z'
  readonly length: number
  readonly step: OmeStep | undefined
  readonly labels: readonly string[] | undefined
}

/** More planes are not looked for: each may cost a step along the chain of directories. */
const MOST_PLANES = 100_000
const NOWHERE = -1
const AXES = ['T', 'C', 'Z'] as const

/** The images of an OME-TIFF; throws an `Error` for those that can't be one array each. */
export function omePlans({ uuid, images }: OmeDocument, fileName: string): StackPlan[] {
  const isOwn: Sequence['isOwn'] = (file) => file.uuid === uuid || file.name?.toLowerCase() === fileName.toLowerCase()
  return images.map((image) => omePlan(image, images.length, isOwn))
}

function omePlan(image: OmeImage, imageCount: number, isOwn: Sequence['isOwn']): StackPlan {
  const { sizes, steps, channels, order } = image
  const samples = channels[0]?.samples ?? 1
  if (channels.some((channel) => channel.samples !== samples)) throw new Error('its channels have different samples')
  // SizeC counts samples, of which a plane holds all.
  if (sizes.C % samples !== 0) throw new Error(`SizeC is ${sizes.C}, and planes have ${samples} samples`)
  const lengths = checkedLengths({ T: sizes.T, C: sizes.C / samples, Z: sizes.Z })
  const strides = stridesOf(order, lengths)
  const directories = directoriesOf(image.planes, { lengths, strides, imageCount, isOwn })
  const names = channels.map(({ name }) => name)
  const isNamed = names.length === lengths.C && names.every((name) => name !== '') && new Set(names).size === lengths.C
  return {
    name: image.name,
    axes: axesOf(lengths, steps, isNamed ? names : undefined),
    samples,
    width: sizes.X,
    height: sizes.Y,
    x: steps.X,
    y: steps.Y,
    directoryOf: planeDirectories({ lengths, strides, directories }),
  }
}

export type Lengths = Readonly<Record<'T' | 'C' | 'Z', number>>

/** Throws where there are more planes than are served. */
export function checkedLengths(lengths: Lengths): Lengths {
  const count = lengths.T * lengths.C * lengths.Z
  if (count <= MOST_PLANES) return lengths
  throw new Error(`it has ${count} planes, at most ${MOST_PLANES} are served`)
}

/** The axes that have more than one place. */
export function axesOf(
  lengths: Lengths,
  steps: OmeImage['steps'],
  channels: readonly string[] | undefined,
): StackAxis[] {
  return AXES.filter((axis) => lengths[axis] > 1).map((axis) => ({
    name: ({ T: 't', C: 'c', Z: 'z' } as const)[axis],
    length: lengths[axis],
    step: steps[axis],
    labels: axis === 'C' ? channels : undefined,
  }))
}

/** How far apart neighbours along an axis are in the sequence of planes. */
export function stridesOf(order: string, lengths: Lengths): Lengths {
  const strides = { T: 1, C: 1, Z: 1 }
  let stride = 1
  for (const axis of order.slice(2) as Iterable<OmeAxis>) {
    if (axis === 'X' || axis === 'Y') continue
    strides[axis] = stride
    stride *= lengths[axis]
  }
  return strides
}

interface PlaneDirectories {
  readonly lengths: Lengths
  readonly strides: Lengths
  /** By the place in the sequence; without it they are in their order. */
  readonly directories: Int32Array | undefined
}

/** Which directory a plane is in, by its position over the axes. */
export const planeDirectories = recipe(
  'tiff.plane-directories',
  ({ lengths, strides, directories }: PlaneDirectories): StackPlan['directoryOf'] =>
    (position) => {
      const sequence = sequenceOf(position, lengths, strides)
      const directory = directories === undefined ? sequence : (directories[sequence] ?? NOWHERE)
      return directory === NOWHERE ? undefined : directory
    },
)

/** The place in the sequence of planes of a position over (t, c, z). */
function sequenceOf(position: number, lengths: Lengths, strides: Lengths): number {
  const z = position % lengths.Z
  const c = Math.floor(position / lengths.Z) % lengths.C
  const t = Math.floor(position / (lengths.Z * lengths.C))
  return t * strides.T + c * strides.C + z * strides.Z
}

interface Sequence {
  readonly lengths: Lengths
  readonly strides: Lengths
  readonly imageCount: number
  isOwn(file: NonNullable<OmePlanes['file']>): boolean
}

/** Directories by the place in the sequence, as `TiffData` say; undefined where all of them are in their order. */
function directoriesOf(
  planes: readonly OmePlanes[],
  { lengths, strides, imageCount, isOwn }: Sequence,
): Int32Array | undefined {
  if (planes.some(({ file }) => file !== undefined && !isOwn(file))) {
    throw new Error('some of its planes are in other files')
  }
  const isOpen = planes.every(({ count, directory }) => !count && directory === undefined)
  if (isOpen && imageCount > 1) throw new Error('it does not say which directories its images are in')
  if (planes.length === 0) return undefined
  const total = lengths.T * lengths.C * lengths.Z
  const directories = new Int32Array(total).fill(NOWHERE)
  let named = 0
  for (const { directory, count, first } of planes) {
    // Of a cropped image ImageJ writes places that are no more.
    if (AXES.some((axis) => first[axis] >= lengths[axis])) continue
    const start = first.T * strides.T + first.C * strides.C + first.Z * strides.Z
    const length = Math.min(count || (directory === undefined ? total : 1), total - start)
    named += length
    if (named > 2 * MOST_PLANES) throw new Error('its TiffData name the same planes again and again')
    for (let i = 0; i < length; i++) directories[start + i] = (directory ?? 0) + i
  }
  return directories
}
