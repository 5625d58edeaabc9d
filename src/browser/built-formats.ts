import { dmrppMark } from '../formats/dmrpp/mark.ts'
import { fitsMark } from '../formats/fits/mark.ts'
import type { Format, FormatMark } from '../formats/format.ts'
import { gribMark } from '../formats/grib/mark.ts'
import { hdf4Mark } from '../formats/hdf4/mark.ts'
import { hdf5Mark } from '../formats/hdf5/mark.ts'
import { icechunkMark } from '../formats/icechunk/mark.ts'
import { kerchunkMark } from '../formats/kerchunk/mark.ts'
import { netcdf3Mark } from '../formats/netcdf3/mark.ts'
import { tiffMark } from '../formats/tiff/mark.ts'
import { zarrMark } from '../formats/zarr/mark.ts'

/** A format of which a page loads no more than its mark until it has found a file of it. */
function later(mark: FormatMark, load: () => Promise<Format>): Format {
  return { ...mark, parse: async (source, context) => await (await load()).parse(source, context) }
}

/** The formats that are built, in the order of `formats/built.ts`. */
export const formats: readonly Format[] = [
  later(tiffMark, async () => (await import('../formats/tiff/index.ts')).tiff),
  later(netcdf3Mark, async () => (await import('../formats/netcdf3/index.ts')).netcdf3),
  later(hdf5Mark, async () => (await import('../formats/hdf5/index.ts')).hdf5),
  later(kerchunkMark, async () => (await import('../formats/kerchunk/index.ts')).kerchunk),
  later(zarrMark, async () => (await import('../formats/zarr/index.ts')).zarr),
  later(dmrppMark, async () => (await import('../formats/dmrpp/index.ts')).dmrpp),
  later(fitsMark, async () => (await import('../formats/fits/index.ts')).fits),
  later(gribMark, async () => (await import('../formats/grib/index.ts')).grib),
  later(hdf4Mark, async () => (await import('../formats/hdf4/index.ts')).hdf4),
  later(icechunkMark, async () => (await import('../formats/icechunk/index.ts')).icechunk),
]
