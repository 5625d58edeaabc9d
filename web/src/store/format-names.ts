/** Formats as people call them. */
export const FORMAT_NAMES: Readonly<Record<string, string>> = {
  netcdf3: 'NetCDF-3',
  hdf5: 'HDF5 / NetCDF-4',
  hdf4: 'HDF4',
  tiff: 'TIFF',
  fits: 'FITS',
  grib: 'GRIB',
  zarr: 'Zarr',
  kerchunk: 'Kerchunk',
  dmrpp: 'DMR++',
  join: 'Join',
  vrt: 'VRT',
  stac: 'STAC',
  icechunk: 'Icechunk',
}
