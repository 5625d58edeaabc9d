// GDAL's compression 34712 and Aperio's 33005: one JPEG 2000 picture a block.
import { malformed, unsupported } from '../../errors.ts'
import type { ChunkLayout, Elements } from '../codec.ts'
import { packedLength } from '../elements.ts'
import { internalSerial } from '../internal.ts'
import { codestreamOf, decodeJpeg2000, jpeg2000Header } from '../kernels/jpeg2000.ts'
import { requireSize } from '../kernels/wasm-decoder.ts'

/** Samples as they are stored, of up to 16 bits, in one or three components. */
export const tiffJpeg2000 = internalSerial<{ readonly samples?: number }>({
  name: 'vz.tiff-jpeg2000',
  prepare: ({ samples = 1 }, layout) => {
    if (samples === 1 || samples === 3) return { decode: (bytes) => jpeg2000Pixels(bytes, layout) }
    throw unsupported(`JPEG 2000 with ${samples} samples`, `JPEG 2000 with ${samples} samples is not decoded`)
  },
})

/** The samples of one picture, which is all of the layout. */
export async function jpeg2000Pixels(bytes: Uint8Array, layout: ChunkLayout): Promise<Elements> {
  const codestream = codestreamOf(bytes)
  requireHeader(codestream, layout)
  const samples = await decodeJpeg2000(codestream)
  const length = packedLength(layout) ?? 0
  if (samples.length < length) throw malformed(`a JPEG 2000 block has ${samples.length} bytes, expected ${length}`)
  return { kind: 'fixed', bytes: samples.subarray(0, length) }
}

function requireHeader(codestream: Uint8Array, { shape, dataType }: ChunkLayout): void {
  const header = jpeg2000Header(codestream)
  requireSize('a JPEG 2000 block', header, shape)
  if (header.samples !== (shape[2] ?? 1)) {
    throw malformed(`a JPEG 2000 block has ${header.samples} samples, expected ${shape[2] ?? 1}`)
  }
  const bits = dataType.kind === 'int' || dataType.kind === 'uint' ? dataType.bits : 0
  if (header.signed && header.bits <= 8) {
    throw unsupported('JPEG 2000 with signed bytes', 'JPEG 2000 with signed samples of 8 bits is not decoded')
  }
  const fits = header.bits <= 8 ? bits === 8 : header.bits <= 16 && bits === 16
  if (!fits || header.signed !== (dataType.kind === 'int')) {
    throw malformed(`a JPEG 2000 block has samples of ${header.bits} bits, which are not those of its array`)
  }
}
