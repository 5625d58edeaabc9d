// The adapter of the package @jsquash/jxl: libjxl, with everything turned into RGBA of 8 bits in sRGB.
import { malformed } from '../errors.ts'
import { decodeOrEnd, lazily, packageFile } from './wasm-decoder.ts'

interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

interface JpegXl {
  decode(bytes: Uint8Array): Picture | null
}

const jpegXl = lazily(async (): Promise<JpegXl> => {
  const { default: start } = await import('@jsquash/jxl/codec/dec/jxl_dec.js')
  const silent = () => undefined
  const wasmBinary = packageFile('@jsquash/jxl/codec/dec/jxl_dec.wasm')
  return (await start({ wasmBinary, noInitialRun: true, print: silent, printErr: silent } as object)) as JpegXl
})

/** The pixels of a picture; the caller has checked that they lose nothing. */
export async function decodeJpegXl(bytes: Uint8Array): Promise<Picture> {
  const module = await jpegXl()
  return decodeOrEnd('a JPEG XL block', () => {
    const picture = module.decode(bytes)
    if (picture === null) throw malformed('a JPEG XL block is damaged: libjxl refuses it')
    return picture
  })
}
