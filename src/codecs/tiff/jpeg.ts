// TIFF technical note 2: JPEG in TIFF, with tables that all blocks share.
import { malformed } from '../../errors.ts'
import type { ChunkLayout, DecodeContext, Elements } from '../codec.ts'
import { internalSerial } from '../internal.ts'
import { decodeJpeg, type JpegChroma, type JpegPicture, readJpegTables } from '../kernels/jpeg.ts'
import type { JpegSamples } from '../kernels/jpeg-idct.ts'
import { type JpegFrame, type JpegTables, noTables } from '../kernels/jpeg-markers.ts'
import { upsampledRow } from '../kernels/jpeg-upsample.ts'

const YCBCR = 6

/** One JPEG stream a block. */
export const tiffJpeg = internalSerial<JpegParameters>({
  name: 'vz.tiff-jpeg',
  mayLackRows: true,
  prepare: ({ tables: base64, photometric }, layout) => {
    const tables = base64 === null ? noTables() : readJpegTables(Buffer.from(base64, 'base64'))
    return {
      decode: (bytes, context) =>
        decodeJpegBlock(bytes, tables, { layout, photometric, chroma: 'transformed', context }),
    }
  },
})

interface JpegParameters {
  /** TIFF's JPEGTables in base64. */
  readonly tables: string | null
  /** 6 makes RGB of YCbCr, every other one leaves the components as they are stored. */
  readonly photometric: number
}

/** What a JPEG stream is decoded for. */
interface JpegBlock {
  readonly layout: ChunkLayout
  readonly photometric: number
  readonly chroma: JpegChroma
  readonly context: DecodeContext
}

/** The samples of one block. */
export function decodeJpegBlock(bytes: Uint8Array, tables: JpegTables, block: JpegBlock): Elements {
  const { layout, photometric, chroma, context } = block
  const check = (frame: JpegFrame) => requireFrame(frame, layout, context)
  const picture = decodeJpeg(bytes, tables, { check, chroma })
  const samples = interleaved(picture, layout.shape[0] ?? 1)
  if (photometric === YCBCR && picture.frame.components.length >= 3) toRgb(samples, picture.frame)
  return { kind: 'fixed', bytes: new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength) }
}

/** A last strip may be stored with the rows of a whole one, a tile at the lower edge without those outside of the image. */
function requireFrame(
  { width, height, components, precision }: JpegFrame,
  layout: ChunkLayout,
  { limit, inside }: DecodeContext,
) {
  const [rows = 1, columns = 1, samples = 1] = layout.shape
  if (width !== columns || height < (inside?.[0] ?? rows) || components.length !== samples) {
    const found = `${height} rows of ${width} with ${components.length} components`
    throw malformed(`a JPEG block has ${found}, expected ${rows} rows of ${columns} with ${samples}`)
  }
  const bits = layout.dataType.kind === 'uint' ? layout.dataType.bits : 0
  if (bits !== (precision === 8 ? 8 : 16)) {
    throw malformed(`a JPEG block has samples of ${precision} bits, which are not those of its array`)
  }
  if (width * height * samples > limit) throw malformed(`a JPEG block has ${height} rows, ${rows} are expected`)
}

/** The samples of all components side by side, row by row. */
export function interleaved({ frame, planes }: JpegPicture, rows: number): JpegSamples {
  const { width, height, precision } = frame
  const count = planes.length
  const target = precision === 8 ? new Uint8Array(rows * width * count) : new Uint16Array(rows * width * count)
  for (const [place, plane] of planes.entries()) {
    const room = (plane.width + 1) * plane.across
    const row = precision === 8 ? new Uint8Array(room) : new Uint16Array(room)
    for (let y = 0; y < Math.min(rows, height); y++) {
      const samples = upsampledRow(plane, y, row)
      const start = y * width * count + place
      for (let x = 0; x < width; x++) target[start + x * count] = samples[x] ?? 0
    }
  }
  return target
}

/** YCbCr by ITU-R BT.601 in full range (JFIF), rounded as libjpeg does, in place. */
export function toRgb(
  samples: JpegSamples,
  { precision, components }: JpegFrame,
  chroma: JpegChroma = 'transformed',
): void {
  const step = components.length
  const centre = 1 << (precision - 1)
  const most = (1 << precision) - 1
  const half = 1 << 15
  // 0.344136286 and 0.34414, of the newer and the older library (see jpeg.ts).
  const blueOfGreen = precision === 8 && chroma === 'transformed' ? -22553 : -22554
  for (let at = 0; at + 2 < samples.length; at += step) {
    const y = samples[at] ?? 0
    const blue = (samples[at + 1] ?? 0) - centre
    const red = (samples[at + 2] ?? 0) - centre
    samples[at] = clamped(y + ((91881 * red + half) >> 16), most)
    samples[at + 1] = clamped(y + ((blueOfGreen * blue - 46802 * red + half) >> 16), most)
    samples[at + 2] = clamped(y + ((116130 * blue + half) >> 16), most)
  }
}

function clamped(value: number, most: number): number {
  return value < 0 ? 0 : Math.min(value, most)
}
