import type { GeoTIFFImage } from 'geotiff'

/** Kinds of images for which a difference is laid to geotiff 3.0, not yet checked one by one against libtiff; undefined for all others. */
export async function faultOfGeotiff(image: GeoTIFFImage): Promise<string | undefined> {
  const directory = image.getFileDirectory()
  const one = async (name: 'Predictor' | 'BitsPerSample' | 'Compression'): Promise<number | undefined> => {
    const value = (await directory.loadValue(name)) as number | ArrayLike<number> | undefined
    return typeof value === 'object' ? value[0] : value
  }
  const [predictor = 1, bits = 1, compression = 1] = [
    await one('Predictor'),
    await one('BitsPerSample'),
    await one('Compression'),
  ]
  if (predictor === 2 && bits > 8 && !image.littleEndian)
    return 'geotiff undoes horizontal differencing as if big-endian samples were little-endian'
  if (predictor === 3 && !image.littleEndian)
    return 'geotiff takes big-endian floating-point differencing for little-endian'
  if (compression === 7 || compression === 6)
    return 'JPEG is lossy: decoders round otherwise, and geotiff does not turn YCbCr into RGB'
  if (bits < 8 && image.getSamplesPerPixel() > 1)
    return 'geotiff unpacks several samples of less than a byte at the places of one'
  return undefined
}
