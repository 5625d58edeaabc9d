import { decode } from '../../src/codecs/pipeline.ts'
import { prepareEncoding } from '../../src/codecs/prepare.ts'
import { isVirtualZarrError } from '../../src/errors.ts'
import { grib } from '../../src/formats/grib/index.ts'
import { gridCoordinates } from '../../src/model/chunk-index.ts'
import type { Member, VirtualArray } from '../../src/model/virtual-store.ts'
import { countingSource } from '../helpers/counting-source.ts'
import { parseContext } from '../helpers/parse-context.ts'
import { asStored } from '../helpers/stored-array.ts'
import { pythonJob } from '../interop/python.ts'
import { gribPython } from '../interop/venv.ts'
import { type AnnouncedDifference, type Difference, ElementCounts, type GeneratorReport } from './generator.ts'

/** Sections of GRIB grids: each template with coordinates, scanning mode, increments, areas, earths, both editions. */
export const name = 'grib-grids'

/** A point of a message: its value, which is its place in the file, and where it lies. */
type Point = readonly [value: number, latitude: number, longitude: number]

interface Document {
  readonly index: number
  readonly document: string
  readonly grid: string
  readonly elements: readonly string[]
  readonly message: string
  readonly count: number
  readonly missing: number
  readonly reference: 'ecCodes' | 'PROJ' | 'refused' | 'none'
  readonly because?: string
  readonly points?: readonly Point[]
  /** ecCodes itself failed while it wrote or read the message. */
  readonly failed?: boolean
}

interface Job {
  readonly elements: readonly string[]
  readonly documents: readonly Document[]
}

const MAX_CHUNK_BYTES = 2 ** 24
const EXACT_DEGREES = 1e-8
/** Its fractions of longitudes are up to 1e-4 degrees off: then it counts another point of a row than there are. */
const REFUSED = 'ecCodes refuses the grid'
/** ecCodes rounds rotated points to single precision, and ends the series of the equal-area map on an ellipsoid early. */
const ROUNDED_DEGREES: ReadonlyMap<string, number> = new Map([
  ['rotated_ll', 1e-5],
  ['reduced_rotated_gg', 2e-5],
  ['lambert_azimuthal_equal_area', 1e-7],
])
/** Where PROJ is asked, the points of plain grids are worked out from corners that are rounded when they are coded. */
const CODED_DEGREES = 2e-3
const PLAIN: ReadonlySet<string> = new Set(['regular_ll', 'rotated_ll', 'regular_gg', 'rotated_gg'])

export async function generate(seed: number, count: number): Promise<GeneratorReport> {
  const job = await pythonJob<Job>('grib_grids.py', { seed, count }, {}, gribPython)
  const counts = new ElementCounts(job.elements)
  const differences: Difference[] = []
  const announced: AnnouncedDifference[] = []
  let documents = 0
  for (const document of job.documents) {
    if (document.failed === true) {
      const { index } = document
      const what = { index, what: 'the message', document: '', reference: 'ecCodes fails', ours: 'not asked' }
      announced.push({ ...what, reason: 'ecCodes fails to write or to read the message' })
      continue
    }
    documents++
    for (const element of document.elements) counts.add(element)
    const { difference, reason } = await compareDocument(document)
    if (difference === undefined) continue
    if (reason === undefined) differences.push(difference)
    else announced.push({ ...difference, reason })
  }
  return { documents, counts: counts.counts, differences, announced }
}

interface Outcome {
  readonly difference?: Difference
  /** What announces the difference. */
  readonly reason?: string | undefined
}

async function compareDocument(document: Document): Promise<Outcome> {
  const { context, diagnostics } = parseContext()
  const message = new Uint8Array(Buffer.from(document.message, 'base64'))
  const { index } = document
  const differs = (what: string, reference: string, ours: string, reason?: string): Outcome => ({
    difference: { index, what, document: document.document, reference, ours },
    reason: reason ?? diagnostics[0]?.code,
  })
  try {
    const tree = await grib.parse(countingSource(message), context)
    const arrays = tree.kind === 'group' ? tree.members : new Map<string, Member>()
    const points = await servedPoints(arrays, message)
    if (points === undefined) return differs('the array', `${document.count} values`, 'no array')
    const { values, places } = points
    const present = values.filter((value) => !Number.isNaN(value)).length
    if (present !== document.count - document.missing) {
      return differs('values', `${document.count - document.missing} values`, `${present} values`)
    }
    if (document.reference === 'none') return {}
    if (document.reference === 'refused') {
      if (places === undefined) return {}
      return differs('coordinates', `refused: ${document.because ?? ''}`, 'some', REFUSED)
    }
    if (places === undefined) {
      return differs('coordinates', 'some', 'none', diagnostics[0]?.code ?? `${document.grid} has no coordinates here`)
    }
    const wrong = firstWrong(document, values, places)
    if (wrong === undefined) return {}
    return differs(`the point ${wrong.point[0]}`, wrong.point.slice(1).join(', '), wrong.own.join(', '))
  } catch (error) {
    if (!isVirtualZarrError(error)) throw error
    return differs('the file', document.reference, error.message, error.code)
  }
}

type PlaceAt = (position: number) => readonly [latitude: number, longitude: number]

function firstWrong(document: Document, values: readonly number[], placeAt: PlaceAt) {
  const positions = new Map(values.map((value, position) => [value, position]))
  const tolerance =
    document.reference === 'PROJ' && PLAIN.has(document.grid)
      ? CODED_DEGREES
      : (ROUNDED_DEGREES.get(document.grid) ?? EXACT_DEGREES)
  for (const point of document.points ?? []) {
    const [value, latitude, longitude] = point
    const position = positions.get(value)
    const own = position === undefined ? ([Number.NaN, Number.NaN] as const) : placeAt(position)
    // ecCodes says 0, 0 of points that a satellite sees beside the earth.
    if (document.grid === 'space_view' && latitude === 0 && longitude === 0 && Number.isNaN(own[0])) continue
    const east = Math.abs(((((own[1] - longitude + 540) % 360) + 360) % 360) - 180)
    // At a pole every longitude is the same point.
    const isPole = Math.abs(latitude) > 90 - 1e-6
    const isRight =
      Math.abs(own[0] - latitude) <= tolerance && (isPole || east * Math.cos((latitude * Math.PI) / 180) <= tolerance)
    if (!isRight) return { point, own }
  }
  return undefined
}

async function servedPoints(members: ReadonlyMap<string, Member>, message: Uint8Array) {
  const arrays = [...members].flatMap(([key, member]) => (member.kind === 'array' ? [[key, member] as const] : []))
  const data = arrays.find(([, { attributes }]) => attributes.has('GRIB_gridType'))?.[1]
  if (data === undefined) return undefined
  const values = await numbersOf(data, message)
  const [latitude, longitude] = ['latitude', 'longitude'].map((key) => arrays.find(([own]) => own === key)?.[1])
  if (latitude === undefined || longitude === undefined) return { values, places: undefined }
  const [north, east] = [await placeOf(latitude, data, message), await placeOf(longitude, data, message)]
  return { values, places: (position: number) => [north(position), east(position)] as const }
}

/** The coordinate of a point of the data by its place in C order. */
async function placeOf(coordinate: VirtualArray, data: VirtualArray, message: Uint8Array) {
  const numbers = await numbersOf(coordinate, message)
  const axes = (coordinate.dimensionNames ?? []).map((dimension) => (data.dimensionNames ?? []).indexOf(dimension))
  return (position: number): number => {
    const coords = gridCoordinates(position, data.shape)
    const place = axes.reduce((offset, axis) => offset * (data.shape[axis] ?? 1) + (coords[axis] ?? 0), 0)
    return numbers[place] ?? Number.NaN
  }
}

async function numbersOf(array: VirtualArray, message: Uint8Array): Promise<number[]> {
  const { chunks, encodings, shape, dataType } = asStored(array)
  const numbers: number[] = []
  const size = chunks.gridShape.reduce((product, length) => product * length, 1)
  for (let chunk = 0; chunk < size; chunk++) {
    const ref = await chunks.at(gridCoordinates(chunk, chunks.gridShape))
    if (ref.kind === 'inline') numbers.push(...new Float64Array(new Uint8Array(ref.bytes).buffer))
    else if (ref.kind === 'range') {
      const pipeline = prepareEncoding(encodings[ref.encoding ?? 0] ?? [], { shape, dataType })
      const stored = message.subarray(ref.offset, ref.offset + ref.length)
      const elements = await decode(pipeline, stored, { limit: MAX_CHUNK_BYTES })
      if (elements.kind !== 'fixed') throw new TypeError('a field is numbers')
      numbers.push(...new Float32Array(new Uint8Array(elements.bytes).buffer))
    } else throw new TypeError(`a chunk of a field is ${ref.kind}`)
  }
  return numbers
}
