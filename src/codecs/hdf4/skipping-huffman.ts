import { malformed } from '../../errors.ts'
import { requireInteger } from '../configuration.ts'
import { internalBytes } from '../internal.ts'

/**
 * HDF4's "skipping Huffman" (cskphuff.c): each byte is the way down a tree that is splayed after every use (Jones, "Application of
 * splay trees to data compression", 1988), one tree for each of `skip` bytes in turn. How many bytes there are the codes don't say: `length` does.
 */
export const hdf4SkippingHuffman = internalBytes<{ readonly skip: number; readonly length: number }>({
  name: 'vz.hdf4-skipping-huffman',
  prepare: ({ skip, length }) => {
    requireInteger('skip', skip, 1, MOST_TREES)
    return {
      decode: (bytes, { limit }) => {
        if (length > limit) throw malformed(`skipping Huffman codes of ${length} bytes, at most ${limit} are expected`)
        return decodeSplayed(bytes, skip, length)
      },
    }
  },
})

const MOST_TREES = 1024
/** Nodes 0 to 255 branch, those from here on are the bytes. */
const LEAVES = 256
const ROOT = 0

interface Tree {
  /** Both children of each branch, side by side. */
  readonly children: Uint16Array
  readonly parents: Uint8Array
}

function newTree(): Tree {
  return {
    children: Uint16Array.from({ length: 2 * LEAVES }, (_, i) => i),
    parents: Uint8Array.from({ length: 2 * LEAVES }, (_, i) => i >> 1),
  }
}

function decodeSplayed(bytes: Uint8Array, skip: number, length: number): Uint8Array {
  if (length > bytes.length * 8)
    throw malformed(`${bytes.length} bytes of skipping Huffman codes hold no ${length} bytes`)
  const trees = Array.from({ length: skip }, newTree)
  const result = new Uint8Array(length)
  let at = 0
  let mask = 0x80
  for (let i = 0; i < length; i++) {
    const tree = trees[i % skip]
    if (tree === undefined) break
    let node = ROOT
    while (node < LEAVES) {
      if (at >= bytes.length) throw malformed(`skipping Huffman codes end after ${i} bytes, ${length} are expected`)
      const bit = ((bytes[at] ?? 0) & mask) === 0 ? 0 : 1
      mask >>= 1
      if (mask === 0) {
        mask = 0x80
        at++
      }
      node = tree.children[2 * node + bit] ?? ROOT
    }
    result[i] = node - LEAVES
    splay(tree, node)
  }
  return result
}

/** Turns every other pair of branches on the way from a leaf to the root. */
function splay({ children, parents }: Tree, leaf: number): void {
  for (let node = leaf; node !== ROOT; ) {
    const parent = parents[node] ?? ROOT
    if (parent === ROOT) return
    const grandparent = parents[parent] ?? ROOT
    const isLeft = children[2 * grandparent] === parent
    const aunt = children[2 * grandparent + (isLeft ? 1 : 0)] ?? ROOT
    children[2 * grandparent + (isLeft ? 1 : 0)] = node
    children[2 * parent + (children[2 * parent] === node ? 0 : 1)] = aunt
    parents[node] = grandparent
    parents[aunt] = parent
    node = grandparent
  }
}
