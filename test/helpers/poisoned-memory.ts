import { after, before } from 'node:test'
import { chunkMemory } from '../../src/codecs/kernels/chunk-memory.ts'

/** For the tests of a file: what codecs take to write over completely holds something else until then, as in a thread that has worked before. */
export function poisonChunkMemory(): void {
  before(() => {
    Object.defineProperty(chunkMemory, 'take', {
      configurable: true,
      value: (length: number) => new Uint8Array(length).fill(0xa5),
    })
  })
  // The method of its class again.
  after(() => void Reflect.deleteProperty(chunkMemory, 'take'))
}
