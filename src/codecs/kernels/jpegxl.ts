// The adapters of the packages @cornerstonejs/codec-libjxl, which gives samples, and jxl-oxide-wasm, which gives pictures as PNG: both of 8
// or 16 bits, as they were stored.
import { malformed } from '../../errors.ts'
import { lazily } from '../../lazily.ts'
import type { JpegXlHeader } from './jpegxl-header.ts'
import { packageFile, packageScript } from './package-file.ts'
import { compiledFile, decodeOrEnd, isBroken } from './wasm-decoder.ts'

interface Decoder {
  getEncodedBuffer(length: number): Uint8Array
  getDecodedBuffer(): Uint8Array
  decode(): void
  delete(): void
}

interface LibJxl {
  readonly JpegXLDecoder: new () => Decoder
}

type StartLibJxl = (options: object) => Promise<LibJxl>

async function startLibJxl(): Promise<LibJxl> {
  const script = await packageScript('@cornerstonejs/codec-libjxl/decodewasmjs')
  const wasmBinary = await packageFile('@cornerstonejs/codec-libjxl/dist/jpegxlwasm_decode.wasm')
  return await (script as { readonly default: StartLibJxl }).default({ wasmBinary })
}

class LibJxlDecoder {
  #idle: LibJxl | undefined

  async decode(bytes: Uint8Array): Promise<Uint8Array> {
    const libJxl = this.#idle ?? (await startLibJxl())
    // Only a memory in which all went well is used again: exceptions leave their part of its stack behind.
    this.#idle = undefined
    let samples: Uint8Array
    try {
      samples = samplesBy(libJxl, bytes)
    } catch (cause) {
      throw malformed('a JPEG XL block is damaged, or cut off', {}, cause)
    }
    this.#idle = libJxl
    return samples
  }
}

function samplesBy({ JpegXLDecoder }: LibJxl, bytes: Uint8Array): Uint8Array {
  const decoder = new JpegXLDecoder()
  decoder.getEncodedBuffer(bytes.length).set(bytes)
  decoder.decode()
  const samples = new Uint8Array(decoder.getDecodedBuffer())
  decoder.delete()
  return samples
}

const libJxlDecoder = lazily(() => new LibJxlDecoder())

/** What libjxl's package leaves as it is: it drops alpha, and makes sRGB of other colours. */
export function suitsLibJxl({ colours, alpha }: JpegXlHeader): boolean {
  return !alpha && colours !== 'other'
}

/** The samples of a picture side by side, in bytes or little-endian pairs of them; the caller has checked its size. */
export async function decodeByLibJxl(bytes: Uint8Array): Promise<Uint8Array> {
  return await libJxlDecoder().decode(bytes)
}

const jxlOxide = lazily(async () => {
  const { initSync, JxlImage } = await import('jxl-oxide-wasm')
  initSync({ module: await compiledFile('jxl-oxide-wasm/module.wasm') })
  return JxlImage
})

/** A picture as PNG; the caller has checked its size, and that PNG can hold it. */
export async function decodeByJxlOxide(bytes: Uint8Array): Promise<Uint8Array> {
  const JxlImage = await jxlOxide()
  return decodeOrEnd('a JPEG XL block', () => {
    const image = new JxlImage()
    try {
      // Samples as they are, whatever colours they mean.
      image.forceSrgb = false
      image.feedBytes(bytes)
      // What is there of a stream that is cut off would be rendered.
      if (!image.tryInit() || !image.loaded) throw malformed('a JPEG XL block is cut off')
      return image.render().encodeToPng()
    } catch (cause) {
      if (isBroken(cause) || !(cause instanceof Error)) throw cause
      throw malformed(`a JPEG XL block is damaged: ${cause.message}`, {}, cause)
    } finally {
      image.free()
    }
  })
}
