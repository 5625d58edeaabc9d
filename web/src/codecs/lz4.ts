// Takes the place of numcodecs' WebAssembly, as blosc.ts does: a length of four bytes, then one block.
import { decodeLz4Block } from '../../../src/codecs/kernels/lz4.ts'
import { reading } from './codec.ts'

// biome-ignore lint/style/noDefaultExport: as numcodecs exports it
export default reading((bytes) => {
  const target = new Uint8Array(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true))
  decodeLz4Block(bytes.subarray(4), target)
  return target
})
