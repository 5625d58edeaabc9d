import type { Goal, Line, Row, RowContext } from './rows.ts'
import { type Measurement, measure, storeUrl } from './tools.ts'

const RUNS = 3

interface Peer {
  readonly who: string
  /** As reader.py calls it. */
  readonly how: string
}

interface ReadingCase {
  readonly name: string
  readonly work: string
  readonly file: string
  /** A small file of the same kind, by which code is loaded and compiled. */
  readonly warmUpFile: string
  readonly how: string
  readonly goal: Goal
  readonly peers: readonly Peer[]
}

const CASES: readonly ReadingCase[] = [
  {
    name: 'coordinates',
    work: 'xr.open_zarr(era5_short.nc), coordinates',
    file: 'era5_short.nc',
    warmUpFile: 'warm.nc',
    how: 'open_zarr',
    goal: { requests: 1, rounds: 1 },
    peers: [{ who: 'h5netcdf', how: 'h5netcdf_open' }],
  },
  {
    name: 'cog',
    work: '8192² COG, all of 256 chunks',
    file: 'cog.tif',
    warmUpFile: 'warm.tif',
    how: 'zarr_whole',
    goal: { rounds: 15, seconds: 1.5 },
    peers: [{ who: 'rasterio, tuned', how: 'rasterio_tuned' }],
  },
  {
    name: 'netcdf',
    work: '52 MB NetCDF-4, all of 160 chunks',
    file: 'grid.nc',
    warmUpFile: 'warm.nc',
    how: 'zarr_whole',
    goal: { rounds: 12, seconds: 1.2 },
    peers: [
      { who: 'h5netcdf', how: 'h5netcdf_whole' },
      { who: 'h5netcdf, whole file', how: 'h5netcdf_all' },
    ],
  },
  {
    name: 'series',
    work: 'series at a point: 365 of 9,855 chunks',
    file: 'era5_short.nc',
    warmUpFile: 'warm.nc',
    how: 'zarr_point',
    goal: { rounds: 20, seconds: 4 },
    peers: [{ who: 'h5netcdf', how: 'h5netcdf_point' }],
  },
]

/** The README's two lines, with dask and two threads, beside readers of the file itself. */
export const READING_ROWS: readonly Row[] = CASES.map((each) => ({
  name: each.name,
  files: [each.file, each.warmUpFile],
  measure: (context) => linesOf(each, context),
}))

async function* linesOf(
  { work, file, warmUpFile, how, goal, peers }: ReadingCase,
  context: RowContext,
): AsyncGenerator<Line> {
  const { origin, service } = context
  const reader = await context.reader()
  await reader.read(how, storeUrl(service, context.freshUrl(warmUpFile)))
  const ours = await repeated(() =>
    measure(origin, service, () => reader.read(how, storeUrl(service, context.freshUrl(file)))),
  )
  yield { work, who: 'ours', measurements: ours, goal }
  for (const peer of peers) {
    await reader.read(peer.how, context.freshUrl(warmUpFile))
    const theirs = await repeated(() => measure(origin, undefined, () => reader.read(peer.how, context.freshUrl(file))))
    const isEqual = theirs[0]?.sha256 === ours[0]?.sha256
    yield { work, who: peer.who, measurements: theirs, ...(isEqual ? {} : { note: 'OTHER VALUES' }) }
  }
  await reader.stop()
}

async function repeated(run: () => Promise<Measurement>): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  for (let count = 0; count < RUNS; count++) measurements.push(await run())
  return measurements
}
