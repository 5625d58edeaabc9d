// GDAL's compression 34712 and Aperio's 33005: one JPEG 2000 picture a block.
import { malformed } from '../../errors.ts'
import type { ChunkLayout, Elements } from '../codec.ts'
import { packedLength } from '../elements.ts'
import { internalSerial } from '../internal.ts'
import { jpeg2000Samples, type Samples } from '../kernels/jpeg2000/picture.ts'
import { type Jpeg2000Header, jpeg2000Header } from '../kernels/jpeg2000/size.ts'
import { codestreamOf } from '../kernels/jpeg2000/whole-codestream.ts'
import { requireSize } from '../kernels/wasm-decoder.ts'
import { bytesOf, isLong, zeroNumbers } from '../numbers.ts'

/** Samples as they are stored, of up to 32 bits, in any number of components. */
export const tiffJpeg2000 = internalSerial<{ readonly samples?: number }>({
  name: 'vz.tiff-jpeg2000',
  prepare: (_configuration, layout) => ({ decode: (bytes) => jpeg2000Pixels(bytes, layout) }),
})

/** The samples of one picture, which is all of the layout. */
export function jpeg2000Pixels(bytes: Uint8Array, layout: ChunkLayout): Elements {
  const codestream = codestreamOf(bytes)
  const header = jpeg2000Header(codestream)
  requireHeader(header, layout)
  const samples = sideBySide(jpeg2000Samples(codestream), header, layout)
  const length = packedLength(layout) ?? 0
  if (samples.length < length) throw malformed(`a JPEG 2000 block has ${samples.length} bytes, expected ${length}`)
  return { kind: 'fixed', bytes: samples.subarray(0, length) }
}

function sideBySide(
  planes: readonly Samples[],
  { width, height, samples }: Jpeg2000Header,
  { dataType }: ChunkLayout,
): Uint8Array {
  const pixels = zeroNumbers(width * height * samples, dataType)
  if (isLong(pixels)) throw malformed('a JPEG 2000 block has no integers of 64 bits')
  for (const [component, plane] of planes.entries())
    for (let from = 0, to = component; from < plane.length; from++, to += samples) pixels[to] = plane[from] ?? 0
  return bytesOf(pixels)
}

function requireHeader(header: Jpeg2000Header, { shape, dataType }: ChunkLayout): void {
  requireSize('a JPEG 2000 block', header, shape)
  if (header.samples !== (shape[2] ?? 1)) {
    throw malformed(`a JPEG 2000 block has ${header.samples} samples, expected ${shape[2] ?? 1}`)
  }
  const bits = dataType.kind === 'int' || dataType.kind === 'uint' ? dataType.bits : 0
  const wanted = header.bits <= 8 ? 8 : header.bits <= 16 ? 16 : 32
  if (header.bits > 32 || bits !== wanted || header.signed !== (dataType.kind === 'int')) {
    throw malformed(`a JPEG 2000 block has samples of ${header.bits} bits, which are not those of its array`)
  }
}
