// TIFF technical note 2: JPEG in TIFF, with tables that all blocks share.
import { malformed } from '../../errors.ts'
import type { ChunkLayout, DecodeContext, Elements } from '../codec.ts'
import { internalSerial } from '../internal.ts'
import { decodeJpeg, readJpegTables } from '../kernels/jpeg.ts'
import { type JpegFrame, type JpegTables, noTables } from '../kernels/jpeg-markers.ts'
import type { JpegChroma } from '../kernels/jpeg-shape.ts'

const YCBCR = 6

/** One JPEG stream a block. */
export const tiffJpeg = internalSerial<JpegParameters>({
  name: 'vz.tiff-jpeg',
  mayLackRows: true,
  prepare: ({ tables: base64, photometric }, layout) => {
    const tables = base64 === null ? noTables() : readJpegTables(Buffer.from(base64, 'base64'))
    return {
      decode: (bytes, context) =>
        decodeJpegBlock(bytes, tables, { layout, toRgb: photometric === YCBCR, chroma: 'interpolated', context }),
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
  /** Whether three components or more are YCbCr, and become RGB. */
  readonly toRgb: boolean
  readonly chroma: JpegChroma
  readonly context: DecodeContext
}

type FixedElements = Extract<Elements, { readonly kind: 'fixed' }>

/** The samples of one block. */
export function decodeJpegBlock(bytes: Uint8Array, tables: JpegTables, block: JpegBlock): FixedElements {
  const { layout, toRgb, chroma, context } = block
  const plan = (frame: JpegFrame) => {
    requireFrame(frame, layout, context)
    return { rows: layout.shape[0] ?? 1, toRgb: toRgb && frame.components.length >= 3 }
  }
  const { samples } = decodeJpeg(bytes, tables, { chroma, plan })
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
