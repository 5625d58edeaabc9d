import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FormatCase } from './format-cases.ts'
import { type FormatFiles, warmUpOf } from './format-files.ts'
import { rowOf, type StepRow } from './format-steps.ts'
import { type PeerProgram, type PeerStep, peerFile, runPeer } from './peer-process.ts'
import type { SourceServer } from './source-server.ts'

const HDF5_PEERS = ['async-hdf5', 'VirtualiZarr', 'h5py + fsspec']
const TIFF_PEERS = ['async-tiff', 'virtual-tiff', 'GDAL']
/** A slow peer is not run again once this much time is spent. */
const ENOUGH_MILLISECONDS = 15_000

/** The peers on one HDF5 file: opening it and reading the places of all chunks, which most of them do at once. */
export async function hdf5Peers(
  { file, array, allArrays }: FormatCase,
  files: FormatFiles,
  origin: SourceServer,
  repeats: number,
): Promise<StepRow[]> {
  const rows: StepRow[] = []
  for (const peer of HDF5_PEERS) {
    const args = [peerFile('hdf5.py'), peer, `${origin.url}${warmUpOf(file)}`, `${origin.url}${file}`]
    const program = { command: files.python, args: [...args, allArrays === true ? '' : array] }
    rows.push(...(await peerRows(peer, file, ['opening and whole index'], program, origin, repeats)))
  }
  return rows
}

/** The peers on one TIFF: opening it, and then one tile. */
export async function tiffPeers(
  { file, chunks }: FormatCase,
  files: FormatFiles,
  origin: SourceServer,
  repeats: number,
): Promise<StepRow[]> {
  const tile = chunks[0].split('/').toReversed().join(',')
  const urls = [`${origin.url}${warmUpOf(file)}`, `${origin.url}${file}`, tile]
  const programs = TIFF_PEERS.map((peer): readonly [string, PeerProgram] => [
    peer,
    { command: files.python, args: [peerFile('tiff.py'), peer, ...urls] },
  ])
  if (files.geotiff !== undefined) {
    const args = [peerFile('geotiff.mjs'), ...urls]
    programs.push(['geotiff.js', { command: process.execPath, args, folder: files.geotiff }])
  }
  const rows: StepRow[] = []
  for (const [peer, program] of programs) {
    rows.push(...(await peerRows(peer, file, ['opening', 'one tile, then'], program, origin, repeats)))
  }
  return rows
}

async function peerRows(
  peer: string,
  file: string,
  steps: readonly string[],
  program: PeerProgram,
  origin: SourceServer,
  repeats: number,
): Promise<StepRow[]> {
  const runs: PeerStep[][] = []
  let spent = 0
  while (runs.length < repeats && spent < ENOUGH_MILLISECONDS) {
    const run = await runPeer(program, steps.length, origin)
    runs.push(run)
    const failed = run.length < steps.length || run.some(({ error }) => error !== undefined)
    spent += failed ? ENOUGH_MILLISECONDS : run.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  }
  return steps.map((step, index) => {
    const done = runs.flatMap((run) => run.slice(index, index + 1))
    const error = done.length === 0 ? 'it did not get so far' : done.find((run) => run.error !== undefined)?.error
    return { ...rowOf(file, step, peer, done), error }
  })
}

interface Places {
  readonly hash: string
  /** Chunks whose bytes are not at the place that libhdf5 lists. */
  readonly wrong: number
}

/** Where h5py says that the chunks of an array are, hashed; kept beside the file, since it takes a minute. */
export function placesByH5py({ file, array }: FormatCase, { folder, python }: FormatFiles): Places {
  const kept = join(folder, `${file}.places.json`)
  if (!existsSync(kept)) {
    writeFileSync(kept, execFileSync(python, [peerFile('places.py'), join(folder, file), array]))
  }
  return JSON.parse(readFileSync(kept, 'utf8')) as Places
}
