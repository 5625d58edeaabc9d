/** Attributes that only do the bookkeeping of HDF5 dimension scales and NetCDF-4, and are not served (JSON-8). */
export const BOOKKEEPING_ATTRIBUTES: ReadonlySet<string> = new Set([
  'CLASS',
  'NAME',
  'REFERENCE_LIST',
  'DIMENSION_LIST',
  '_Netcdf4Dimid',
  '_Netcdf4Coordinates',
  '_nc3_strict',
  '_NCProperties',
])
