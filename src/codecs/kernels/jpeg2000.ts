// The adapter of the package @cornerstonejs/codec-openjpeg: OpenJPEG.

import { Cursor } from '../../bytes/cursor.ts'
import { malformed, unsupported } from '../../errors.ts'
import { lazily } from '../../lazily.ts'
import { boxesOf } from './boxes.ts'
import { packageFile, packageScript } from './package-file.ts'
import { decodeOrEnd } from './wasm-decoder.ts'

/** What the header of a codestream says (ITU-T T.800 A.5.1). */
export interface Jpeg2000Header {
  readonly width: number
  readonly height: number
  readonly samples: number
  readonly bits: number
  readonly signed: boolean
}

interface Decoder {
  getEncodedBuffer(length: number): Uint8Array
  getDecodedBuffer(): Uint8Array
  decode(): void
  delete(): void
}

interface OpenJpeg {
  readonly J2KDecoder: new () => Decoder
}

type StartOpenJpeg = (options: object) => Promise<OpenJpeg>

const openjpeg = lazily(async (): Promise<OpenJpeg> => {
  const start = (await packageScript('@cornerstonejs/codec-openjpeg/decodewasmjs')) as StartOpenJpeg
  const wasmBinary = await packageFile('@cornerstonejs/codec-openjpeg/decodewasm')
  const silent = () => undefined
  return await start({ wasmBinary, print: silent, printErr: silent })
})

/** The samples of a codestream side by side, in bytes or little-endian pairs of them. */
export async function decodeJpeg2000(codestream: Uint8Array): Promise<Uint8Array> {
  const { J2KDecoder } = await openjpeg()
  return decodeOrEnd('a JPEG 2000 block', () => {
    const decoder = new J2KDecoder()
    decoder.getEncodedBuffer(codestream.length).set(codestream)
    decoder.decode()
    const samples = new Uint8Array(decoder.getDecodedBuffer())
    decoder.delete()
    return samples
  })
}

const START = 0xff4f
const SIZE = 0xff51
const END = 0xffd9

/** The codestream of a picture: all of it, or what a JP2 file has in its box. */
export function codestreamOf(bytes: Uint8Array): Uint8Array {
  if (new Cursor(bytes, 'big').u16() === START) return whole(bytes)
  for (const { kind, content } of boxesOf(bytes)) if (kind === 'jp2c') return whole(content)
  throw malformed('a block is no JPEG 2000 picture')
}

/** OpenJPEG fills in what is missing at the end of a picture. */
function whole(codestream: Uint8Array): Uint8Array {
  let end = codestream.length
  while (end > 2 && codestream[end - 1] === 0) end--
  if (end >= 2 && codestream[end - 2] === END >> 8 && codestream[end - 1] === (END & 255)) return codestream
  throw malformed('a JPEG 2000 picture is cut off')
}

/** The header of a codestream; its components must be alike. */
export function jpeg2000Header(codestream: Uint8Array): Jpeg2000Header {
  const cursor = new Cursor(codestream, 'big')
  if (cursor.u16() !== START || cursor.u16() !== SIZE) throw malformed('a JPEG 2000 picture has no header')
  cursor.skip(4)
  const [right, bottom, left, top] = [cursor.u32(), cursor.u32(), cursor.u32(), cursor.u32()]
  cursor.skip(16)
  const samples = cursor.u16()
  if (samples < 1) throw malformed('a JPEG 2000 picture has no components')
  const components = Array.from({ length: samples }, () => [cursor.u8(), cursor.u8(), cursor.u8()])
  const [precision = 0] = components[0] ?? []
  if (components.some(([own, across, down]) => own !== precision || across !== 1 || down !== 1)) {
    throw unsupported('JPEG 2000 components', 'JPEG 2000 whose components differ in precision or size is not decoded')
  }
  const bits = (precision & 127) + 1
  return { width: right - left, height: bottom - top, samples, bits, signed: precision > 127 }
}
