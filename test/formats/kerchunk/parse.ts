import { VirtualZarrError } from '../../../src/errors.ts'
import type { ParseContext } from '../../../src/formats/format.ts'
import { DEFAULT_PARSE_OPTIONS } from '../../../src/formats/format.ts'
import { kerchunk } from '../../../src/formats/kerchunk/index.ts'
import type { ChunkRef } from '../../../src/model/chunk-ref.ts'
import type { Diagnostic, Member, VirtualArray, VirtualNode } from '../../../src/model/virtual-store.ts'
import { memorySource } from '../../../src/source/memory.ts'
import { ALONE } from '../../helpers/parse-context.ts'
import { asStored } from '../../helpers/stored-array.ts'

export interface ParsedReferences {
  readonly root: VirtualNode
  /** URLs by the number that chunk references give. */
  readonly references: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
  readonly opened: readonly string[]
  /** The chunk of an array, with the URL in place of its number. */
  chunk(path: string, ...coords: number[]): Promise<ChunkRef & { readonly url?: string }>
  array(path: string): VirtualArray
}

const HOME = 'https://example.com/data/refs.json'

/** Parses references out of memory; `files` are what lies beside them, by URL. */
export async function parseReferences(
  document: string | Uint8Array | object,
  url = HOME,
  files: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<ParsedReferences> {
  const bytes =
    document instanceof Uint8Array
      ? document
      : Buffer.from(typeof document === 'string' ? document : JSON.stringify(document))
  const references = [url]
  const diagnostics: Diagnostic[] = []
  const opened: string[] = []
  const context: ParseContext = {
    ...ALONE,
    options: DEFAULT_PARSE_OPTIONS,
    open: async (wanted) => {
      opened.push(wanted)
      const file = files.get(wanted)
      if (file === undefined) throw new VirtualZarrError('source-not-found', `there is no ${wanted}`)
      return memorySource(wanted, file)
    },
    list: async () => undefined,
    reference: (target) => {
      const known = references.indexOf(target)
      return known === -1 ? references.push(target) - 1 : known
    },
    warn: (diagnostic) => void diagnostics.push(diagnostic),
  }
  const root = await kerchunk.parse(memorySource(url, bytes), context)
  const array = (path: string) => arrayAt(root, path)
  return {
    root,
    references,
    diagnostics,
    opened,
    array,
    async chunk(path, ...coords) {
      const ref = await asStored(array(path)).chunks.at(coords)
      return 'source' in ref ? { ...ref, url: references[ref.source ?? 0] ?? '' } : ref
    },
  }
}

function arrayAt(root: VirtualNode, path: string): VirtualArray {
  let node: Member | undefined = root
  for (const name of path === '' ? [] : path.split('/'))
    node = node?.kind === 'group' ? node.members.get(name) : undefined
  if (node?.kind !== 'array') throw new Error(`${path} is no array: ${JSON.stringify(node?.kind)}`)
  return node
}

/** A `.zarray` of four-byte integers in raw chunks. */
export function zarray(shape: readonly number[], chunks: readonly number[], more: object = {}): string {
  const own = {
    zarr_format: 2,
    shape,
    chunks,
    dtype: '<i4',
    fill_value: 0,
    order: 'C',
    compressor: null,
    filters: null,
  }
  return JSON.stringify({ ...own, ...more })
}

export const ZGROUP = '{"zarr_format":2}'
