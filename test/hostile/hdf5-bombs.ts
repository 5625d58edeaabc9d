import { type Bomb, times } from './bomb.ts'
import { attribute, chunkNode, dataset, Hdf5Builder, hardLink, LINK_INFO, objectHeader } from './hdf5-file.ts'

/** HDF5: few bytes that name many things, or the same ones many times. */
export const HDF5_BOMBS: readonly Bomb[] = [
  ...['all one', 'distinct'].map(
    (kind): Bomb => ({
      name: `hdf5 65,000 links, ${kind}`,
      source: `${kind.replace(' ', '')}.h5`,
      files: () => {
        const b = new Hdf5Builder()
        const one = b.put(dataset({ shape: [4] }))
        const links = times(65_000, (i) =>
          hardLink(`n${i}`, kind === 'distinct' ? b.put(dataset({ shape: [i + 1] })) : one),
        )
        return { [`${kind.replace(' ', '')}.h5`]: b.finish(b.put(objectHeader([LINK_INFO, ...links]))) }
      },
    }),
  ),
  {
    name: 'hdf5 65,000 links _nc4_non_coord_',
    source: 'nc4.h5',
    files: () => {
      const b = new Hdf5Builder()
      const one = b.put(dataset({ shape: [4] }))
      const links = times(65_000, (i) => hardLink(`_nc4_non_coord_n${i}`, one))
      return { 'nc4.h5': b.finish(b.put(objectHeader([LINK_INFO, ...links]))) }
    },
  },
  {
    name: 'hdf5 wide and long: 20,000 arrays beside 20,000 groups',
    source: 'wide.h5',
    files: () => {
      const b = new Hdf5Builder()
      const links = times(20_000, (i) => hardLink(`n${i}`, b.put(dataset({ shape: [i + 1] }))))
      const groups = times(20_000, (i) => hardLink(`g${i}`, b.put(objectHeader([LINK_INFO]))))
      return { 'wide.h5': b.finish(b.put(objectHeader([LINK_INFO, ...links, ...groups]))) }
    },
  },
  {
    name: 'hdf5 100,000 groups deep',
    source: 'deep.h5',
    files: () => {
      const b = new Hdf5Builder()
      let at = b.put(dataset({ shape: [4] }))
      for (let i = 0; i < 100_000; i++) at = b.put(objectHeader([LINK_INFO, hardLink('g', at)]))
      return { 'deep.h5': b.finish(at) }
    },
  },
  {
    name: 'hdf5 binary tree of groups by hard links (2^40 paths)',
    source: 'diamond.h5',
    files: () => {
      const b = new Hdf5Builder()
      let at = b.put(dataset({ shape: [4] }))
      for (let i = 0; i < 40; i++) at = b.put(objectHeader([LINK_INFO, hardLink('a', at), hardLink('b', at)]))
      return { 'diamond.h5': b.finish(at) }
    },
  },
  {
    name: 'hdf5 200 attributes of 64 KB',
    source: 'attrs.h5',
    files: () => {
      const b = new Hdf5Builder()
      const at = b.put(
        dataset({ shape: [4], further: times(200, (i) => attribute(`a${i}`, [65_000], Buffer.alloc(65_000, 200))) }),
      )
      return { 'attrs.h5': b.finish(b.put(objectHeader([LINK_INFO, hardLink('x', at)]))) }
    },
  },
  {
    name: 'hdf5 one header with 16 MB of attributes, 100 datasets continuing into it',
    source: 'attrs2.h5',
    files: () => {
      const b = new Hdf5Builder()
      const big = objectHeader(times(200, (i) => attribute(`a${i}`, [60_000], Buffer.alloc(60_000, 200)))).subarray(16)
      const place = b.put(big)
      const body = Buffer.alloc(16)
      body.writeBigUInt64LE(BigInt(place), 0)
      body.writeBigUInt64LE(BigInt(big.length), 8)
      const all = times(100, (i) => hardLink(`x${i}`, b.put(dataset({ shape: [4], further: [{ type: 0x10, body }] }))))
      return { 'attrs2.h5': b.finish(b.put(objectHeader([LINK_INFO, ...all]))) }
    },
  },
  {
    name: 'hdf5 btree of lies: 64 levels, 64 children each, all shared',
    source: 'lies.h5',
    keys: ['zarr.json', 'x/c/0', 'x/c/99999'],
    files: () => {
      const b = new Hdf5Builder()
      let at = b.put(
        chunkNode(
          0,
          times(64, () => 96),
          1,
        ),
      )
      for (let level = 1; level < 10; level++)
        at = b.put(
          chunkNode(
            level,
            times(64, () => at),
            64 ** level,
          ),
        )
      const x = b.put(dataset({ shape: [2 ** 40], chunks: { shape: [1], tree: at } }))
      return { 'lies.h5': b.finish(b.put(objectHeader([LINK_INFO, hardLink('x', x)]))) }
    },
  },
  {
    name: 'hdf5 btree that leads back to itself',
    source: 'loop.h5',
    keys: ['zarr.json', 'x/c/0', 'x/c/5'],
    files: () => {
      const b = new Hdf5Builder()
      const tree = b.put(chunkNode(1, [b.next], 1))
      const x = b.put(dataset({ shape: [10], chunks: { shape: [1], tree } }))
      return { 'loop.h5': b.finish(b.put(objectHeader([LINK_INFO, hardLink('x', x)]))) }
    },
  },
  {
    name: 'hdf5 btree of 2 million chunks',
    source: 'many.h5',
    keys: ['zarr.json', 'x/c/0', 'x/c/1999999'],
    files: () => {
      const b = new Hdf5Builder()
      const leaves = times(100, (l) =>
        b.put(
          chunkNode(
            0,
            times(20_000, () => 96),
            1,
            l * 20_000,
          ),
        ),
      )
      const root = b.put(chunkNode(1, leaves, 20_000))
      const x = b.put(dataset({ shape: [2_000_000], chunks: { shape: [1], tree: root } }))
      return { 'many.h5': b.finish(b.put(objectHeader([LINK_INFO, hardLink('x', x)]))) }
    },
  },
]
