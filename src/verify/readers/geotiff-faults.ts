import type { GeoTIFFImage } from 'geotiff'
import type { ReaderFault } from './reader.ts'

const YCBCR = 6

type TagName = 'Predictor' | 'BitsPerSample' | 'Compression' | 'PhotometricInterpretation'

/** Kinds of images that geotiff 3.0 gives otherwise than GDAL and tifffile; test/verify/reader-faults.test.ts has the proof. */
export async function faultOfGeotiff(image: GeoTIFFImage): Promise<ReaderFault | undefined> {
  const directory = image.getFileDirectory()
  const one = async (name: TagName): Promise<number | undefined> => {
    const value = (await directory.loadValue(name)) as number | ArrayLike<number> | undefined
    return typeof value === 'object' ? value[0] : value
  }
  const [predictor = 1, bits = 1, compression = 1, photometric] = [
    await one('Predictor'),
    await one('BitsPerSample'),
    await one('Compression'),
    await one('PhotometricInterpretation'),
  ]
  if (predictor === 2 && bits > 8 && !image.littleEndian)
    return {
      why: 'geotiff 3.0 undoes horizontal differencing as if big-endian samples were little-endian',
      makes: { kind: 'swapped-differences', columns: image.getTileWidth() },
    }
  if (predictor === 3 && !image.littleEndian)
    return {
      why: 'geotiff 3.0 gives big-endian samples of floating-point differencing with their bytes swapped',
      makes: { kind: 'swapped-bytes' },
    }
  const isJpeg = compression === 7 || compression === 6
  // Without JPEG the luma depends on YCbCrCoefficients and ReferenceBlackWhite, so it is not compared.
  if (photometric === YCBCR)
    return { why: 'geotiff 3.0 does not turn YCbCr into RGB', ...(isJpeg ? { makes: { kind: 'luma', by: 2 } } : {}) }
  if (isJpeg) return { why: 'decoders of JPEG round in their own ways', makes: { kind: 'rounded', by: 2 } }
  if (bits % 8 !== 0 && image.getSamplesPerPixel() > 1)
    return { why: 'geotiff 3.0 unpacks several samples that are no whole bytes at the places of others' }
  return undefined
}
