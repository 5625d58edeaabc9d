// TIFF 6.0 section 22, which technical note 2 replaced, as libtiff reads it.
import { malformed } from '../../errors.ts'
import { internalSerial } from '../internal.ts'
import { readJpegTables } from '../kernels/jpeg.ts'
import { isFrame, MARKER, nextMarker } from '../kernels/jpeg-markers.ts'
import { decodeJpegBlock } from './jpeg.ts'
import { type YcbcrColours, ycbcrConverter } from './ycbcr.ts'

const END = Uint8Array.of(0xff, MARKER.end)

/**
 * A block is a whole JPEG stream, or what follows its first scan's header. Chroma of a lower resolution is repeated and colours are those of the tags, as in
 * libtiff.
 */
export const tiffOldJpeg = internalSerial<OldJpegParameters>({
  name: 'vz.tiff-old-jpeg',
  prepare: ({ header: base64, photometric, ...colours }, layout) => {
    const header = Buffer.from(base64, 'base64')
    const tables = readJpegTables(header)
    const convert = photometric === YCBCR && layout.shape[2] === 3 ? ycbcrConverter(colours) : undefined
    return {
      decode: (bytes, context) => {
        const stream = wholeStream(bytes, header, layout.shape[0] ?? 1)
        const elements = decodeJpegBlock(stream, tables, { layout, toRgb: false, chroma: 'repeated', context })
        convert?.(elements.bytes)
        return elements
      },
    }
  },
})

const YCBCR = 6

interface OldJpegParameters extends YcbcrColours {
  /** All before the first scan's header, in base64: the file keeps it once. */
  readonly header: string
  readonly photometric: number
}

function wholeStream(bytes: Uint8Array, header: Uint8Array, rows: number): Uint8Array {
  if (beginsWith(bytes, MARKER.start)) return bytes
  const { height, scan } = placesIn(header)
  const begun = new Uint8Array(beginsWith(bytes, MARKER.scan) ? header.subarray(0, scan) : header)
  // The frame is that of the image, of which this block is a part.
  begun[height] = rows >> 8
  begun[height + 1] = rows & 255
  return Buffer.concat([begun, bytes, END])
}

function beginsWith(bytes: Uint8Array, marker: number): boolean {
  return bytes[0] === 0xff && bytes[1] === marker
}

/** Where a header has the height of its frame, and where the header of its scan begins. */
function placesIn(header: Uint8Array): { readonly height: number; readonly scan: number } {
  let height: number | undefined
  for (let at = 0; ; ) {
    const found = nextMarker(header, at)
    if (found === undefined) throw malformed('old JPEG: the file does not say how its blocks are coded')
    if (isFrame(found.marker)) height = found.end - found.content.length + 1
    if (found.marker === MARKER.scan && height !== undefined) {
      return { height, scan: found.end - found.content.length - 4 }
    }
    at = found.end
  }
}
