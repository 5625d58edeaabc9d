import type { Format } from '../format.ts'
import { withPlacedGrids } from '../georeference/placed-grids.ts'
import { netcdf3Mark } from './mark.ts'
import { readHeader } from './read-header.ts'
import { toModel } from './to-model.ts'

/** NetCDF classic files: CDF-1, CDF-2 (64-bit offset) and CDF-5 (64-bit data). */
export const netcdf3: Format = {
  ...netcdf3Mark,
  async parse(source, context) {
    const header = await readHeader(source, context)
    const place = { url: source.url, format: 'netcdf3' }
    return await withPlacedGrids(toModel(header, source.size, place, context), source, context)
  },
}
