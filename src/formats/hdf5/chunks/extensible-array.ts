// HDF5 File Format Specification, section VII.D "The Extensible Array Index": datasets with one unlimited dimension.
import type { Hdf5File } from '../structures/hdf5-file.ts'
import { stepAt } from './elements.ts'
import {
  addressAt,
  blockPointer,
  type DataBlock,
  dataBlockPrefix,
  dataBlockRequest,
  type ExtensibleArray,
  indexBlockPrefix,
  indexBlockRequest,
  pageBits,
  pageRequest,
  parseExtensibleArray,
  superBlockPointer,
  superBlockRequest,
  superPointer,
} from './extensible-array-layout.ts'
import { scanExtensibleArray } from './extensible-array-scan.ts'
import { linearIndex } from './linear.ts'
import { ABSENT, type ChunkGrid, type Locator, type NodeRequest, type Nodes, type Step } from './locator.ts'

/** Finds chunks by their number, over index block, super blocks and data blocks. */
export function extensibleArrayLocator(file: Hdf5File, address: number, grid: ChunkGrid): Locator {
  const order = linearIndex(grid)
  const length = 16 + 6 * file.lengthSize + file.offsetSize
  const header: NodeRequest = {
    address,
    length,
    check: (bytes) => void parseExtensibleArray(file, bytes, address, grid),
  }
  return {
    locate(coords, nodes) {
      const bytes = nodes(address)
      if (bytes === undefined) return { kind: 'read', request: header }
      const array = parseExtensibleArray(file, bytes, address, grid)
      if (array.indexBlock === undefined) return ABSENT
      const request = indexBlockRequest(array, array.indexBlock)
      const block = nodes(request.address)
      if (block === undefined) return { kind: 'read', request }
      const index = order.indexOf(coords)
      if (index < array.inIndexBlock)
        return stepAt(array.elements, block, indexBlockPrefix(array) + index * array.elements.size)
      return locateInBlocks(array, block, index - array.inIndexBlock, nodes)
    },
    async scan(read, emit) {
      const arrays: ExtensibleArray[] = []
      await read([header], (bytes) => void arrays.push(parseExtensibleArray(file, bytes, address, grid)))
      for (const array of arrays) await scanExtensibleArray(array, order, read, emit)
    },
  }
}

function locateInBlocks(array: ExtensibleArray, indexBlock: Uint8Array, index: number, nodes: Nodes): Step {
  const number = Math.floor(Math.log2(index / array.leastBlockLength + 1))
  const superBlock = array.superBlocks[number]
  if (superBlock === undefined) return ABSENT
  const inSuper = index - superBlock.firstElement
  const nth = Math.floor(inSuper / superBlock.blockLength)
  const within = inSuper % superBlock.blockLength
  const first = superBlock.firstElement + nth * superBlock.blockLength
  if (number < array.directSuperBlocks) {
    const address = addressAt(array, indexBlock, blockPointer(array, superBlock.firstBlock + nth))
    if (address === undefined) return ABSENT
    return locateInBlock(array, { address, first, length: superBlock.blockLength }, within, undefined, nodes)
  }
  const superAddress = addressAt(array, indexBlock, superPointer(array, number))
  if (superAddress === undefined) return ABSENT
  const request = superBlockRequest(array, superBlock, superAddress)
  const bytes = nodes(request.address)
  if (bytes === undefined) return { kind: 'read', request }
  const address = addressAt(array, bytes, superBlockPointer(array, superBlock, nth))
  if (address === undefined) return ABSENT
  const bits = pageBits(array, superBlock, bytes, nth)
  return locateInBlock(array, { address, first, length: superBlock.blockLength }, within, bits, nodes)
}

function locateInBlock(
  array: ExtensibleArray,
  block: DataBlock,
  within: number,
  hasPage: ((page: number) => boolean) | undefined,
  nodes: Nodes,
): Step {
  const { elements, pageLength } = array
  const page = Math.floor(within / pageLength)
  const isPaged = block.length > pageLength
  if (isPaged && hasPage !== undefined && !hasPage(page)) return ABSENT
  const request = isPaged ? pageRequest(array, block, page) : dataBlockRequest(array, block)
  const bytes = nodes(request.address)
  if (bytes === undefined) return { kind: 'read', request }
  const at = isPaged ? (within % pageLength) * elements.size : dataBlockPrefix(array) + within * elements.size
  return stepAt(array.elements, bytes, at)
}
