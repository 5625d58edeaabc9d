// imagecodecs' jpeg8_decode: colours as libjpeg takes them (jdapimin.c, default_decompress_parms), and as a document asks for.
import { malformed, unsupported } from '../../errors.ts'
import type { Json, JsonObject } from '../../json/json.ts'
import type { ChunkLayout, DecodeContext, SerialStep } from '../codec.ts'
import { type DecodedJpeg, decodeJpeg, readJpegTables } from '../kernels/jpeg.ts'
import { type JpegFrame, MARKER, nextMarker, noTables } from '../kernels/jpeg-markers.ts'
import type { JpegSamples } from '../kernels/jpeg-picture.ts'

type Colours = 'grey' | 'rgb' | 'ycbcr' | 'cmyk' | 'ycck'

/** Numbers of libjpeg, and names that imagecodecs knows; all others leave the choice to libjpeg. */
const COLOURS: ReadonlyMap<Json, Colours> = new Map<Json, Colours>([
  [1, 'grey'],
  [2, 'rgb'],
  [3, 'ycbcr'],
  [4, 'cmyk'],
  [5, 'ycck'],
  [6, 'rgb'],
  ...(['GRAY', 'GRAYSCALE', 'MINISBLACK', 'MINISWHITE'] as const).map((name): [Json, Colours] => [name, 'grey']),
  ['RGB', 'rgb'],
  ['YCBCR', 'ycbcr'],
  ['CMYK', 'cmyk'],
  ['SEPARATED', 'cmyk'],
  ['YCCK', 'ycck'],
])

/** The pixels of one JPEG stream; `tables` and `header` are base64, `colorspace_jpeg` and `colorspace_data` say what to take it for. */
export function jpegPixels(
  layout: ChunkLayout,
  { tables, header, colorspace_jpeg, colorspace_data }: JsonObject,
): SerialStep['decode'] {
  const before = typeof header === 'string' ? fromBase64(header) : undefined
  const given = typeof tables === 'string' ? readJpegTables(fromBase64(tables)) : noTables()
  const said = coloursOf(colorspace_jpeg)
  const asked = coloursOf(colorspace_data)
  return (bytes, context) => {
    const stream = before === undefined ? bytes : Buffer.concat([before, bytes, END])
    const conversionOf = (frame: JpegFrame) => {
      const stored = said ?? guessed(stream, frame)
      return { stored, wanted: asked ?? (said === undefined ? DECODED[stored] : stored) }
    }
    const plan = (frame: JpegFrame) => {
      requireFrame(frame, layout, context)
      return { rows: layout.shape[0] ?? 1, toRgb: isToRgb(conversionOf(frame), frame) }
    }
    const decoded = decodeJpeg(stream, given, { plan, chroma: CHROMA })
    const samples = converted(decoded, conversionOf(decoded.frame))
    return { kind: 'fixed', bytes: new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength) }
  }
}

/** The package stands on libjpeg-turbo. */
const CHROMA = 'interpolated'
const END = Uint8Array.of(0xff, MARKER.end)

/** What libjpeg makes of colours when nothing is asked for. */
const DECODED: Readonly<Record<Colours, Colours>> = {
  grey: 'grey',
  rgb: 'rgb',
  ycbcr: 'rgb',
  cmyk: 'cmyk',
  ycck: 'cmyk',
}

function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64')
}

function coloursOf(value: Json | undefined): Colours | undefined {
  if (typeof value === 'number' && value > 6 && value < 17) {
    throw unsupported(`JPEG color space ${value}`, `JPEG in color space ${value} is not decoded`)
  }
  return value === undefined ? undefined : COLOURS.get(typeof value === 'string' ? value.toUpperCase() : value)
}

function requireFrame(
  { width, height, components, precision }: JpegFrame,
  layout: ChunkLayout,
  { limit }: DecodeContext,
) {
  const [rows = 1, columns = 1] = layout.shape
  const bits = layout.dataType.kind === 'uint' ? layout.dataType.bits : 0
  if (width !== columns || height !== rows || bits !== (precision === 8 ? 8 : 16)) {
    const found = `${height} rows of ${width} samples of ${precision} bits`
    throw malformed(`a JPEG picture has ${found}, expected ${rows} rows of ${columns} in ${bits} bits`)
  }
  if (width * height * components.length > limit)
    throw malformed(`a JPEG picture of ${width} by ${height} is too large`)
}

/** By the markers of JFIF and Adobe, else by the names of the components. */
function guessed(stream: Uint8Array, { components }: JpegFrame): Colours {
  const { isJfif, transform } = marks(stream)
  switch (components.length) {
    case 1:
      return 'grey'
    case 3: {
      if (isJfif) return 'ycbcr'
      if (transform !== undefined) return transform === 0 ? 'rgb' : 'ycbcr'
      return components.map(({ id }) => String.fromCharCode(id)).join('') === 'RGB' ? 'rgb' : 'ycbcr'
    }
    case 4:
      return transform === undefined || transform === 0 ? 'cmyk' : 'ycck'
  }
  throw unsupported('JPEG components', `JPEG of ${components.length} components is not decoded`)
}

/** What markers before the first scan say of colours. */
function marks(stream: Uint8Array): { readonly isJfif: boolean; readonly transform: number | undefined } {
  let isJfif = false
  let transform: number | undefined
  for (let at = 0; ; ) {
    const found = nextMarker(stream, at)
    if (found === undefined || found.marker === MARKER.scan) return { isJfif, transform }
    const { marker, content } = found
    const begins = (text: string) => Buffer.from(content.subarray(0, text.length)).toString('latin1') === text
    if (marker === 0xe0 && content.length >= 14 && begins('JFIF\0')) isJfif = true
    if (marker === 0xee && content.length >= 12 && begins('Adobe')) transform = content[11]
    at = found.end
  }
}

interface Conversion {
  readonly stored: Colours
  readonly wanted: Colours
}

/** Whether YCbCr becomes RGB on the way; what can't be converted is refused. */
function isToRgb({ stored, wanted }: Conversion, { components }: JpegFrame): boolean {
  if (components.length !== COMPONENTS[stored]) {
    throw malformed(`a JPEG picture of ${components.length} components is said to be ${stored}`)
  }
  switch (`${stored} as ${wanted}`) {
    case 'ycbcr as rgb':
    case 'ycck as cmyk':
      return true
    case 'ycbcr as grey':
    case 'grey as rgb':
      return false
  }
  if (stored === wanted) return false
  throw unsupported('JPEG color conversion', `JPEG of ${stored} as ${wanted} is not decoded`)
}

/** What is left to do with samples, of which YCbCr is RGB already. */
function converted({ frame, samples }: DecodedJpeg, { stored, wanted }: Conversion): JpegSamples {
  if (stored === 'ycbcr' && wanted === 'grey') return samples.filter((_, at) => at % 3 === 0)
  if (stored === 'grey' && wanted === 'rgb') return thrice(samples)
  if (stored !== 'ycck' || wanted !== 'cmyk') return samples
  const most = (1 << frame.precision) - 1
  return samples.map((value, at) => (at % 4 === 3 ? value : most - value))
}

const COMPONENTS: Readonly<Record<Colours, number>> = { grey: 1, rgb: 3, ycbcr: 3, cmyk: 4, ycck: 4 }

function thrice(samples: JpegSamples): JpegSamples {
  const result =
    samples instanceof Uint8Array ? new Uint8Array(3 * samples.length) : new Uint16Array(3 * samples.length)
  for (let at = 0; at < result.length; at++) result[at] = samples[Math.floor(at / 3)] ?? 0
  return result
}
