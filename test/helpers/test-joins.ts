import { month } from '../joins/helpers.ts'
import { netcdfDataset } from './netcdf-dataset.ts'
import type { TestSource } from './test-sources.ts'
import { v3Array, v3Group } from './zarr-store.ts'

const json = (value: unknown) => Buffer.from(JSON.stringify(value))

/** Joins of small files: by each kind of document and by a pattern, along a dimension and along new ones. */
export function joinedSources(): TestSource[] {
  const join = (name: string, source: string, members: Readonly<Record<string, Uint8Array>>): TestSource => ({
    format: 'join',
    name: `join ${name}`,
    source,
    members: () => members,
  })
  const document = (members: object) => json({ virtual_zarr: 'join/1', ...members })
  const runs = { new: 'run', values: [3, 5, 7, 9, 11, 13] }
  const template = { template: 'm{n}.nc', n: '1..6' }
  const yaml = 'virtual_zarr: join/1\nsources:\n  - m1.nc\n  - m2.nc\n  - m3.nc\nalong: time\ncheck: all\n'
  const folders = ['one/', 'two/', 'three/']
  const ofFolders = document({ sources: folders, along: 'x' })
  return [
    join('by a template', 'join.json', { ...months(), 'join.json': document({ sources: template, along: 'time' }) }),
    join('whose files were not read', 'join.json', {
      ...months(4),
      'join.json': document({ sources: template, along: 'time', lengths: 4, check: 'none' }),
    }),
    join('by YAML', 'join.yaml', { ...months(), 'join.yaml': Buffer.from(yaml) }),
    join('by a pattern', 'm{1..6}.nc', months()),
    join('along a new dimension', 'join.json', {
      ...months(4, 1),
      'join.json': document({ sources: template, along: runs }),
    }),
    join('of Zarr folders', 'join.json', { ...foldersOf(folders), 'join.json': ofFolders }),
  ]
}

/** Six files of so many days, or of another number each, whose times follow each other. */
function months(days?: number, only?: number): Record<string, Uint8Array> {
  const files: Record<string, Uint8Array> = {}
  for (let n = 1; n <= 6; n++) {
    const since = `2000-0${only ?? n}-01`
    files[`m${n}.nc`] = netcdfDataset(month(since, days ?? 20 + n, { first: n * 1000 }))
  }
  return files
}

/** Arrays whose last chunk is not full: chunks of what they are joined to lie in several objects. */
function foldersOf(folders: readonly string[]): Record<string, Uint8Array> {
  const [length, chunk] = [40_000, 9000]
  const grid = { name: 'regular', configuration: { chunk_shape: [chunk, 16] } }
  const array = v3Array({ shape: [length, 16], chunk_grid: grid, dimension_names: ['x', 'y'] })
  const members: Record<string, Uint8Array> = {}
  for (const [place, folder] of folders.entries()) {
    members[`${folder}zarr.json`] = json(v3Group({ v: array }))
    for (let at = 0; at * chunk < length; at++) {
      const values = Int16Array.from({ length: chunk * 16 }, (_, i) => (i * 31 + at * 7 + place * 101) % 30_011)
      members[`${folder}v/c/${at}/0`] = Buffer.from(values.buffer)
    }
  }
  return members
}
