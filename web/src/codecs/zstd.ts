// Takes the place of numcodecs' WebAssembly, as blosc.ts does.
import { decompress } from 'fzstd'
import { reading } from './codec.ts'

// biome-ignore lint/style/noDefaultExport: as numcodecs exports it
export default reading((bytes) => decompress(bytes))
