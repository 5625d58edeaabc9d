// TIFF 6.0 section 14 and technical note 3: predictors.
import type { Endian } from '../../bytes/cursor.ts'
import { tiffPredictor2, tiffPredictor3 } from '../../codecs/tiff/predictor.ts'
import { malformed, unsupported } from '../../errors.ts'
import type { JsonObject } from '../../json/json.ts'
import type { StoredCodec } from '../../model/encoding.ts'
import type { Image } from './image.ts'
import type { SampleType } from './samples.ts'

const PREDICTED_BITS = [8, 16, 32, 64]

/** What undoes a predictor: on the numbers, as clients of imagecodecs know it, or on their bytes. */
export interface Predictor {
  readonly array: readonly StoredCodec[]
  readonly bytes: readonly StoredCodec[]
  /** The order of bytes below it, when that is not the file's. */
  readonly endian?: Endian
}

export const NO_PREDICTOR: Predictor = { array: [], bytes: [] }

/** What the Predictor tag says; it means nothing to other compressions. */
export function predictorOf(
  image: Image,
  { native, dataType }: SampleType,
  endian: Endian,
  inner: StoredCodec,
): Predictor {
  const { predictor, bits, kind, samples, planar, blocks } = image
  if (predictor === 1 || !PREDICTED.has(inner.name)) return NO_PREDICTOR
  if (predictor !== 2 && predictor !== 3) throw malformed(`Predictor is ${predictor}, expected 1, 2 or 3`)
  if (predictor === 2 && !PREDICTED_BITS.includes(bits)) {
    const message = `predictor 2 is defined for 8, 16, 32 and 64 bits, not for ${bits}`
    throw unsupported(`predictor 2 with ${bits} bits`, message)
  }
  if (predictor === 3 && kind !== 'float') throw malformed('Predictor 3 is defined for floating-point samples only')
  // Along x, which planes have last and interleaved samples last but one.
  const axis = samples > 1 && !planar ? -2 : -1
  if (predictor === 2 && native && (kind === 'uint' || kind === 'int')) {
    return { array: [codec('imagecodecs_delta', { axis, dist: 1 })], bytes: [] }
  }
  if (predictor === 3 && native && dataType.kind === 'float') {
    const row = samples > 1 && !planar ? [blocks.width, samples] : [blocks.width]
    const shape = [...(samples > 1 && planar ? [1] : []), blocks.height, ...row]
    // The bytes of a row are not in the order of the file: the predictor puts the highest first in all files.
    const configuration = { shape, dtype: `<f${bits / 8}`, axis, dist: 1 }
    return { array: [codec('imagecodecs_floatpred', configuration)], bytes: [], endian: 'little' }
  }
  const undo = predictor === 2 ? tiffPredictor2 : tiffPredictor3
  return { array: [], bytes: [undo.stored({ bits, samples: planar ? 1 : samples, width: blocks.width, endian })] }
}

const PREDICTED: ReadonlySet<string> = new Set(['imagecodecs_lzw', 'numcodecs.zlib', 'zstd', 'numcodecs.lzma'])

function codec(name: string, configuration: JsonObject): StoredCodec {
  return { name, configuration }
}
