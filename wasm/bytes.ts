// Decoders of bytes (AssemblyScript, decision 24): `npm run build:wasm` makes src/codecs/kernels/wasm/compiled/bytes.ts of this
// file. A region is given by where it begins and ends; no function reads or writes outside of those it is given.
export { bitUnshuffle } from './bytes/bit-shuffle'
export { blosclz } from './bytes/blosclz'
export { ccsdsInterval, ccsdsStart } from './bytes/ccsds'
export { fitsRice } from './bytes/fits-rice'
export { lz4 } from './bytes/lz4'
export { lzf } from './bytes/lzf'
export { packbits } from './bytes/packbits'
export { scaleOffset } from './bytes/scale-offset'
export { shuffle, unshuffle } from './bytes/shuffle'
export { sumRows } from './bytes/sums'

/** From here on the memory is the caller's. */
export const room: usize = __heap_base
