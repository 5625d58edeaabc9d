/** The most that a step may cost; what is not named has no goal. */
export interface Goal {
  readonly requests?: number
  readonly rounds?: number
  readonly megabytes?: number
}

/** A large file, what is asked of it, and the goals. */
export interface FormatCase {
  readonly title: string
  /** As `../shared/bench/gen.py` names it, and the letter that makes it. */
  readonly file: string
  readonly letter: string
  /** The array that is read, and two chunks of it that lie far apart. */
  readonly array: string
  readonly chunks: readonly [string, string]
  /** Whether no others are measured on it: each of them takes minutes for a million chunks. */
  readonly isAlone?: boolean
  /** Whether the whole index is that of all arrays. */
  readonly allArrays?: boolean
  readonly goals: {
    readonly metadata?: Goal
    readonly firstChunk?: Goal
    readonly secondChunk?: Goal
    readonly index?: Goal
  }
}

/** Bytes that a reference may take in memory once a whole index is loaded. */
export const REFERENCE_BYTES = 20

const MILLION = { array: 'v', letter: 'g', chunks: ['500/500', '901/17'] } as const

export const HDF5_CASES: readonly FormatCase[] = [
  {
    title: 'NetCDF-4, 9,855 chunks by B-tree v1, long names',
    file: 'era5.nc',
    letter: 'f',
    array: 't2m',
    chunks: ['200/1/4', '7/2/8'],
    goals: {
      metadata: { requests: 2, megabytes: 0.5 },
      firstChunk: { rounds: 4 },
      index: { rounds: 6, megabytes: 2 },
    },
  },
  {
    title: 'the same, short names',
    file: 'era5_short.nc',
    letter: 'f2',
    array: 't2m',
    chunks: ['200/1/4', '7/2/8'],
    goals: {
      metadata: { requests: 2, megabytes: 0.5 },
      firstChunk: { rounds: 4 },
      index: { rounds: 6, megabytes: 2 },
    },
  },
  {
    title: '1,158 datasets in nested groups',
    file: 'atl06.h5',
    letter: 'h',
    array: 'gt2l/land_ice_segments/dem/var_00',
    chunks: ['0', '1'],
    allArrays: true,
    goals: { metadata: { rounds: 3 } },
  },
  { ...MILLION, title: '1,000,000 chunks by B-tree v1', file: 'h5_1m_btree1.h5', goals: { index: { rounds: 6 } } },
  { ...MILLION, title: '1,000,000 chunks by fixed array', file: 'h5_1m_farray.h5', goals: {} },
  { ...MILLION, title: 'the same, layout version 4', file: 'h5_1m_farray_v114.h5', isAlone: true, goals: {} },
  { ...MILLION, title: '1,000,000 chunks by extensible array', file: 'h5_1m_earray.h5', isAlone: true, goals: {} },
  { ...MILLION, title: 'the same, layout version 4', file: 'h5_1m_earray_v114.h5', isAlone: true, goals: {} },
  { ...MILLION, title: '1,000,000 chunks by B-tree v2', file: 'h5_1m_btree2.h5', isAlone: true, goals: {} },
  { ...MILLION, title: 'the same, layout version 4', file: 'h5_1m_btree2_v114.h5', isAlone: true, goals: {} },
]

export const TIFF_CASES: readonly FormatCase[] = [
  {
    title: 'COG of 16384 x 16384 pixels',
    file: 'cog_u16_deflate.tif',
    letter: 'a',
    array: 'band_data',
    chunks: ['20/20', '7/30'],
    goals: { metadata: { requests: 1 } },
  },
  {
    title: 'BigTIFF of 1,048,576 tiles',
    file: 'tiles_1m.tif',
    letter: 'e1',
    array: 'band_data',
    chunks: ['700/500', '13/900'],
    goals: { metadata: { rounds: 1 }, secondChunk: { rounds: 2 }, index: { rounds: 3 } },
  },
]
