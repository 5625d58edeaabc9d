import { malformed, unsupported } from '../../errors.ts'
import { leadingInteger, leadingNumber } from '../../formats/georeference/c-numbers.ts'
import { childOf, lookUp, textIn } from '../../formats/georeference/gdal-xml.ts'
import type { Corner, VrtSource } from './document.ts'
import { finiteIn, integerIn, isTrue, numberIn, type Reading, readingOf, spelledNumber } from './reading.ts'

/** Elements that GDAL reads sources of; it compares these names with regard to case, and leaves other elements out. */
const BUILT = ['SimpleSource', 'ComplexSource']
const NOT_BUILT = ['AveragedSource', 'KernelFilteredSource', 'NoDataFromMaskSource', 'ArraySource', 'FuncSource']

export function isSource(name: string): boolean {
  return BUILT.includes(name) || NOT_BUILT.includes(name)
}

/** Reads a source of a band; `place` names the band for errors. Undefined for a window that GDAL paints nothing of. */
export function readSource(reading: Reading, place: string): VrtSource | undefined {
  const { element } = reading
  const { name } = element
  if (!BUILT.includes(name)) throw notBuilt(name, `the values of ${place} are computed from several pixels`)
  const isComplex = name === 'ComplexSource'
  if (isComplex) refuseComputed(reading, place)
  const options = childOf(element, 'OpenOptions')
  if (options !== undefined && options.children.length > 0)
    throw notBuilt('OpenOptions', `a source of ${place} is opened in another way than usual`)
  const file = lookUp(element, 'SourceFilename')?.trim() ?? ''
  if (file === '') throw malformed(`a source of ${place} has no SourceFilename`)
  const window = windowOf(reading, place)
  if (window === undefined) return undefined
  const usesMask = isComplex && isTrue(textIn(element, 'UseMaskBand'))
  return {
    file: { name: file, isRelative: isRelative(reading) },
    ...bandOf(reading, place),
    ...window,
    nodata: isComplex ? nodataIn(reading) : undefined,
    isNodataAlone:
      !usesMask && lookUp(element, 'ScaleOffset') === undefined && lookUp(element, 'ScaleRatio') === undefined,
    usesMask,
    scaling: isComplex ? scalingOf(reading) : undefined,
  }
}

function notBuilt(kind: string, why: string): Error {
  return unsupported(`VRT ${kind.slice(0, 60)}`, `${kind.slice(0, 60)} of a VRT is not read: ${why}`)
}

/** What a complex source may ask for besides, none of which is built: values computed by tables, curves and palettes. */
function refuseComputed({ element }: Reading, place: string): void {
  const has = (name: string) => lookUp(element, name) !== undefined
  const isLinear = has('ScaleOffset') || has('ScaleRatio')
  const isCurve = !isLinear && has('Exponent') && has('DstMin') && has('DstMax')
  const palette = lookUp(element, 'ColorTableComponent')
  const isPalette = palette !== undefined && leadingInteger(palette).value !== 0
  const computed = isCurve ? 'Exponent' : has('LUT') ? 'LUT' : isPalette ? 'ColorTableComponent' : undefined
  if (computed !== undefined) throw notBuilt(computed, `the values of ${place} are computed by it`)
}

function isRelative(reading: Reading): boolean {
  const file = childOf(reading.element, 'SourceFilename')
  return file !== undefined && (integerIn(readingOf(reading, file, 1), 'relativeToVRT') ?? 0) !== 0
}

const MOST_BAND = 65_536

function bandOf(reading: Reading, place: string): Pick<VrtSource, 'band' | 'isMask'> {
  const text = lookUp(reading.element, 'SourceBand') ?? '1'
  const [, mask, number] = /^\s*(mask)(?:,(.*))?/is.exec(text) ?? []
  const isMask = mask !== undefined
  const spelled = isMask ? (number ?? '1') : text
  const { value: band } = spelledNumber(reading, 'SourceBand', spelled, leadingInteger)
  if (band < 1 || band > MOST_BAND) throw malformed(`SourceBand of ${place} is ${JSON.stringify(text.slice(0, 60))}`)
  return { band, isMask }
}

/** GDAL reads it with the decimal comma, too. */
function nodataIn(reading: Reading): number | undefined {
  return numberIn(reading, 'NODATA', (text) => leadingNumber(text.replace(',', '.')))
}

interface Rectangle extends Corner {
  readonly width: number
  readonly height: number
}

/** What GDAL takes for a number of a window that isn't given. */
const UNSET = -1
/** Offsets are written with some digits only. */
const TOLERANCE = 0.001
const MOST_PIXELS = 2 ** 31 - 1

function windowOf(reading: Reading, place: string): Pick<VrtSource, 'from' | 'to' | 'size'> | undefined {
  const from = rectangleIn(reading, 'SrcRect', place)
  const to = rectangleIn(reading, 'DstRect', place)
  if (from === undefined && to === undefined) return { from: undefined, to: { column: 0, row: 0 }, size: undefined }
  if (from === undefined || to === undefined || !hasSize(from) || !hasSize(to)) {
    const message = `${reading.path} has not both a SrcRect and a DstRect with their sizes: as in GDAL, nothing of it is read`
    reading.warn({ code: 'vrt-window', message })
    return undefined
  }
  if (!isSameSize(from, to)) {
    const [one, other] = [from, to].map(({ width, height }) => `${width} x ${height}`)
    throw notBuilt(
      `resampling`,
      `SrcRect of ${place} is ${one} and DstRect ${other} pixels, which are not of equal size`,
    )
  }
  return {
    from: cornerOf(from, 'SrcRect', place),
    to: cornerOf(to, 'DstRect', place),
    size: [whole(from.width, 'SrcRect', place), whole(from.height, 'SrcRect', place)],
  }
}

function hasSize({ width, height }: Rectangle): boolean {
  return width !== UNSET && height !== UNSET
}

function isSameSize(one: Rectangle, other: Rectangle): boolean {
  return Math.abs(one.width - other.width) <= TOLERANCE && Math.abs(one.height - other.height) <= TOLERANCE
}

function cornerOf({ column, row }: Rectangle, name: string, place: string): Corner {
  return { column: whole(column, name, place), row: whole(row, name, place) }
}

function whole(value: number, name: string, place: string): number {
  const rounded = Math.round(value)
  if (Math.abs(value - rounded) <= TOLERANCE) return rounded
  throw notBuilt('resampling', `${name} of ${place} is at ${value}, between pixels`)
}

/** Undefined where there is none, or all its numbers are -1, which is the same. */
function rectangleIn(reading: Reading, name: string, place: string): Rectangle | undefined {
  const element = childOf(reading.element, name)
  if (element === undefined) return undefined
  const own = readingOf(reading, element, 1)
  const [column = UNSET, row = UNSET, width = UNSET, height = UNSET] = ['xOff', 'yOff', 'xSize', 'ySize'].map((key) =>
    numberIn(own, key),
  )
  const isPlace = [column, row].every((at) => Math.abs(at) <= MOST_PIXELS)
  const isSize = [width, height].every((length) => length === UNSET || (length > 0 && length <= MOST_PIXELS))
  if (!isPlace || !isSize) throw malformed(`${name} of ${place} is no rectangle`)
  const isUnset = [column, row, width, height].every((number) => number === UNSET)
  return isUnset ? undefined : { column, row, width, height }
}

function scalingOf(reading: Reading): VrtSource['scaling'] {
  const [ratio = 1, offset = 0] = [finiteIn(reading, 'ScaleRatio'), finiteIn(reading, 'ScaleOffset')]
  return ratio === 1 && offset === 0 ? undefined : { ratio, offset }
}
