// The adapter of the package @cornerstonejs/codec-openjpeg: OpenJPEG.
import { lazily } from '../../../lazily.ts'
import { packageFile, packageScript } from '../package-file.ts'
import { decodeOrEnd } from '../wasm-decoder.ts'
import type { Jpeg2000Header } from './size.ts'

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

/** Its frame has sizes of 16 bits: of a longer row it returns the length modulo 65,536. */
const MAX_SIDE = 65_535

/** What it decodes right: it refuses other numbers of components, cuts values off at 16 bits, and knows no signed bytes and no longer sides. */
export function suitsOpenJpeg({ width, height, samples, bits, signed }: Jpeg2000Header): boolean {
  const isShort = width <= MAX_SIDE && height <= MAX_SIDE
  return isShort && (samples === 1 || samples === 3) && bits <= 16 && !(signed && bits <= 8)
}

/** The samples of a codestream side by side, in bytes or little-endian pairs of them. */
export async function decodeByOpenJpeg(codestream: Uint8Array): Promise<Uint8Array> {
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
