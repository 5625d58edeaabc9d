// TIFF 6.0 section 22, which technical note 2 replaced, as libtiff reads it.
import { malformed } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import type { SerialCodec } from '../codec.ts'
import { integerMember } from '../configuration.ts'
import { readJpegTables } from '../kernels/jpeg.ts'
import { isFrame, MARKER, nextMarker } from '../kernels/jpeg-markers.ts'
import { decodeJpegBlock } from './jpeg.ts'

const END = Uint8Array.of(0xff, MARKER.end)

/**
 * A block is a whole JPEG stream, or what follows its first scan's header. `header` is all before that, in base64, which the
 * file keeps once. Chroma of a lower resolution is repeated, as in libtiff.
 */
export const tiffOldJpeg: SerialCodec = {
  kind: 'serial',
  name: 'vz.tiff-old-jpeg',
  reach: 'internal',
  check: (configuration) => {
    integerMember(configuration, 'photometric', { least: 0, most: 65_535 })
    headerOf(configuration)
  },
  decode: (bytes, layout, configuration, context) => {
    const header = headerOf(configuration)
    const stream = wholeStream(bytes, header, layout.shape[0] ?? 1)
    const photometric = integerMember(configuration, 'photometric', { least: 0, most: 65_535 })
    return decodeJpegBlock(stream, readJpegTables(header), { layout, photometric, chroma: 'repeated', context })
  },
}

function headerOf({ header }: JsonObject): Uint8Array {
  if (typeof header !== 'string') throw malformed('vz.tiff-old-jpeg: the header is not base64')
  return Buffer.from(header, 'base64')
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
