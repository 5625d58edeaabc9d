import { hdf5Reader } from './hdf5.ts'
import { kerchunkReader } from './kerchunk.ts'
import { netcdf3Reader } from './netcdf3.ts'
import type { IndependentReader } from './reader.ts'
import { tiffReader } from './tiff.ts'
import { zarrReader } from './zarr.ts'

/** A reader and what it is given. */
export interface KnownReader {
  /** The file; the file that a sidecar describes; or the place, from where the reader reads what it needs by itself. */
  readonly takes: 'file' | 'described-file' | 'place'
  start(): Promise<IndependentReader>
}

/** The readers by our formats' names; what they need is loaded when one starts. */
export const READERS: Readonly<Record<string, KnownReader>> = {
  tiff: { takes: 'file', start: tiffReader },
  hdf5: { takes: 'file', start: hdf5Reader },
  netcdf3: { takes: 'file', start: netcdf3Reader },
  dmrpp: { takes: 'described-file', start: hdf5Reader },
  zarr: { takes: 'place', start: zarrReader },
  kerchunk: { takes: 'place', start: kerchunkReader },
}

/** Formats without one, and why. */
export const WITHOUT_READER: Readonly<Record<string, string>> = {
  fits: 'of FITS, the packages of npm read the first image alone (jsfitsio 1.2, fits-reader 0.0.8)',
  grib: 'of GRIB, the packages of npm read parts of edition 2 alone (grib2-simple 1.1, grib2class 1.0)',
  hdf4: 'there is no reader of HDF4 on npm',
  icechunk:
    'the one reader of Icechunk on npm (@earthmover/icechunk 2.2) is native code that does not load with every libc',
}
