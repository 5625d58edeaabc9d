import { dmrpp } from './dmrpp/index.ts'
import { fits } from './fits/index.ts'
import type { Format } from './format.ts'
import { grib } from './grib/index.ts'
import { hdf4 } from './hdf4/index.ts'
import { hdf5 } from './hdf5/index.ts'
import { icechunk } from './icechunk/index.ts'
import { kerchunk } from './kerchunk/index.ts'
import { netcdf3 } from './netcdf3/index.ts'
import { tiff } from './tiff/index.ts'
import { zarr } from './zarr/index.ts'

/** The formats that are built, asked in this order. */
export const formats: readonly Format[] = [tiff, netcdf3, hdf5, kerchunk, zarr, dmrpp, fits, grib, hdf4, icechunk]
