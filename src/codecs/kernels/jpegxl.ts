// The adapter of the package jxl-oxide-wasm, which gives pictures as PNG of 8 or 16 bits, as they were stored.
import { malformed } from '../../errors.ts'
import { lazily } from '../../lazily.ts'
import { compiledFile, decodeOrEnd, isBroken } from './wasm-decoder.ts'

const jxlOxide = lazily(async () => {
  const { initSync, JxlImage } = await import('jxl-oxide-wasm')
  initSync({ module: await compiledFile('jxl-oxide-wasm/module.wasm') })
  return JxlImage
})

/** A picture as PNG; the caller has checked its size, and that PNG can hold it. */
export async function decodeJpegXl(bytes: Uint8Array): Promise<Uint8Array> {
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
