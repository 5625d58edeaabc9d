import { malformed, unsupported } from '../../errors.ts'
import type { Corner, VrtSource } from './document.ts'
import { childOf, textIn, type XmlElement } from './xml.ts'

const KINDS = ['SimpleSource', 'ComplexSource']

/** What a complex source may ask for besides, none of which is built: computed values by tables, curves and palettes. */
const COMPUTED = ['LUT', 'Exponent', 'ColorTableComponent', 'SrcMin', 'SrcMax', 'DstMin', 'DstMax']

/** Reads a source of a band; `place` names the band for errors. */
export function readSource(element: XmlElement, place: string): VrtSource {
  const { name } = element
  if (!KINDS.includes(name)) throw notBuilt(name, `the values of ${place} are computed from several pixels`)
  const computed = COMPUTED.find((child) => childOf(element, child) !== undefined)
  if (computed !== undefined) throw notBuilt(computed, `the values of ${place} are computed by it`)
  const options = childOf(element, 'OpenOptions')
  if (options !== undefined && options.children.length > 0)
    throw notBuilt('OpenOptions', `a source of ${place} is opened in another way than usual`)
  const file = childOf(element, 'SourceFilename')
  if (file === undefined) throw malformed(`a source of ${place} has no SourceFilename`)
  const isComplex = name === 'ComplexSource'
  return {
    file: { name: file.text.trim(), isRelative: file.attributes['relativeToVRT'] === '1' },
    ...bandOf(textIn(element, 'SourceBand') ?? '1', place),
    ...windowOf(element, place),
    nodata: isComplex ? textIn(element, 'NODATA') : undefined,
    usesMask: isComplex && /^(?:true|yes|on|1)$/i.test(textIn(element, 'UseMaskBand') ?? ''),
    scaling: isComplex ? scalingOf(element) : undefined,
  }
}

function notBuilt(kind: string, why: string): Error {
  return unsupported(`VRT ${kind.slice(0, 60)}`, `${kind.slice(0, 60)} of a VRT is not read: ${why}`)
}

function bandOf(text: string, place: string): Pick<VrtSource, 'band' | 'isMask'> {
  const match = /^(mask(?:,)?)?(\d{1,6})?$/.exec(text)
  const band = Number(match?.[2] ?? (match?.[1] === undefined ? '' : '1'))
  if (match === null || band < 1) throw malformed(`SourceBand of ${place} is ${JSON.stringify(text.slice(0, 60))}`)
  return { band, isMask: match[1] !== undefined }
}

interface Rectangle extends Corner {
  readonly width: number
  readonly height: number
}

/** Offsets are written with some digits only. */
const TOLERANCE = 0.001

function windowOf(element: XmlElement, place: string): Pick<VrtSource, 'from' | 'to' | 'size'> {
  const from = rectangleIn(element, 'SrcRect', place)
  const to = rectangleIn(element, 'DstRect', place)
  if (from === undefined && to === undefined) return { from: undefined, to: { column: 0, row: 0 }, size: undefined }
  // A missing source window is all of the file, which is known when it is opened.
  const size = from ?? to
  if (size === undefined) throw malformed(`a source of ${place} has no window`)
  if (from !== undefined && to === undefined)
    throw notBuilt('SrcRect without DstRect', `it is scaled to all of ${place}`)
  const isScaled = from !== undefined && to !== undefined && !isSameSize(from, to)
  if (isScaled) {
    const [one, other] = [from, to].map(({ width, height }) => `${width} x ${height}`)
    throw notBuilt(
      `resampling`,
      `SrcRect of ${place} is ${one} and DstRect ${other} pixels, which are not of equal size`,
    )
  }
  const [column, row] = [to?.column ?? 0, to?.row ?? 0].map((at) => whole(at, 'DstRect', place))
  const corner = from === undefined ? undefined : cornerOf(from, place)
  return {
    from: corner,
    to: { column: column ?? 0, row: row ?? 0 },
    size: [whole(size.width, 'SrcRect', place), whole(size.height, 'SrcRect', place)],
  }
}

function isSameSize(one: Rectangle, other: Rectangle): boolean {
  return Math.abs(one.width - other.width) <= TOLERANCE && Math.abs(one.height - other.height) <= TOLERANCE
}

function cornerOf(rectangle: Rectangle, place: string): Corner {
  return { column: whole(rectangle.column, 'SrcRect', place), row: whole(rectangle.row, 'SrcRect', place) }
}

function whole(value: number, name: string, place: string): number {
  const rounded = Math.round(value)
  if (Math.abs(value - rounded) <= TOLERANCE) return rounded
  throw notBuilt('resampling', `${name} of ${place} is at ${value}, between pixels`)
}

function rectangleIn(element: XmlElement, name: string, place: string): Rectangle | undefined {
  const rectangle = childOf(element, name)
  if (rectangle === undefined) return undefined
  const numbers = ['xOff', 'yOff', 'xSize', 'ySize'].map((key) => Number(rectangle.attributes[key] ?? Number.NaN))
  const [column = 0, row = 0, width = 0, height = 0] = numbers
  const isRectangle = numbers.every((number) => Number.isFinite(number) && Math.abs(number) < 2 ** 31)
  if (!isRectangle || width <= 0 || height <= 0) throw malformed(`${name} of ${place} is no rectangle`)
  return { column, row, width, height }
}

function scalingOf(element: XmlElement): VrtSource['scaling'] {
  const [ratio, offset] = [textIn(element, 'ScaleRatio'), textIn(element, 'ScaleOffset')].map((text) =>
    text === undefined ? undefined : Number(text),
  )
  if (ratio === undefined && offset === undefined) return undefined
  if (!Number.isFinite(ratio ?? 1) || !Number.isFinite(offset ?? 0))
    throw malformed('ScaleRatio and ScaleOffset are expected to be numbers')
  return ratio === undefined || (ratio === 1 && (offset ?? 0) === 0)
    ? offset === undefined || offset === 0
      ? undefined
      : { ratio: 1, offset }
    : { ratio, offset: offset ?? 0 }
}
