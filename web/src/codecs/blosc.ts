// Takes the place of numcodecs' WebAssembly, whose glue makes functions of text: the page's policy has no `unsafe-eval`.
import { decodeBlosc } from '../../../src/codecs/kernels/blosc.ts'
import { reading } from './codec.ts'

/** A frame says its length; none that the service sends is longer. */
const MOST_BYTES = 2 ** 30

// biome-ignore lint/style/noDefaultExport: as numcodecs exports it
export default reading((bytes) => decodeBlosc(bytes, MOST_BYTES))
