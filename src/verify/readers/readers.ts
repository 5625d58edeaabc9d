import { hdf5Reader } from './hdf5.ts'
import { netcdf3Reader } from './netcdf3.ts'
import type { IndependentReader } from './reader.ts'
import { tiffReader } from './tiff.ts'

/** The readers by our formats' names; what they need is loaded when one starts. */
export const READERS: Readonly<Record<string, () => Promise<IndependentReader>>> = {
  tiff: tiffReader,
  hdf5: hdf5Reader,
  netcdf3: netcdf3Reader,
}
