import { readFileSync } from 'node:fs'
import { parseJson } from '../../src/json/parse.ts'
import { CORPUS, CORPUS_ABSENT, member, object } from '../corpus/golden.ts'

const FORMATS = ['netcdf3', 'zarr', 'tiff', 'hdf5', 'fits', 'kerchunk', 'dmrpp', 'hdf4']
const SOUND = new Set(['ok', 'unsupported-ok', 'companion'])

export interface HostileFile {
  /** Below the corpus. */
  readonly path: string
  readonly options: string
}

/** Every file that an independent reader refuses, fails at, or that was made to be refused. */
export function hostileFiles(): HostileFile[] {
  if (CORPUS_ABSENT !== false) return []
  return FORMATS.flatMap((format) => {
    const golden = parseJson(readFileSync(new URL(`${format}/golden.json`, CORPUS), 'utf8'), { lenient: true })
    return Object.entries(object(member(golden, 'files') ?? {}))
      .filter(([name, file]) => name.includes('malformed/') || !SOUND.has(String(member(file, 'expect'))))
      .flatMap(([name]) => optionsOf(format).map((options) => ({ path: pathOf(format, name), options })))
  })
}

function optionsOf(format: string): readonly string[] {
  return format === 'tiff' ? ['', ';layout=ifd'] : ['']
}

function pathOf(format: string, name: string): string {
  if (format === 'kerchunk') return `${format}/${name}/ref.json`
  return format === 'zarr' ? `${format}/${name}/` : `${format}/${name}`
}
