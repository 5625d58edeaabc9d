import { DEFAULT_PARSE_OPTIONS, type ParseOptions } from '../../../src/formats/format.ts'
import { tiff } from '../../../src/formats/tiff/index.ts'
import type { Diagnostic, Member, VirtualArray, VirtualGroup } from '../../../src/model/virtual-store.ts'
import type { Source } from '../../../src/source/source.ts'
import { countingSource } from './counting-source.ts'

export interface Parsed {
  readonly root: VirtualGroup
  readonly diagnostics: readonly Diagnostic[]
}

/** Parses a file in memory. */
export async function parseTiff(file: Uint8Array | Source, options: Partial<ParseOptions> = {}): Promise<Parsed> {
  const diagnostics: Diagnostic[] = []
  const root = await tiff.parse(file instanceof Uint8Array ? countingSource(file) : file, {
    options: { ...DEFAULT_PARSE_OPTIONS, ...options },
    open: () => Promise.reject(new Error('nothing else is opened')),
    list: () => Promise.reject(new Error('nothing is listed')),
    reference: () => {
      throw new Error('nothing else is referred to')
    },
    warn: (diagnostic) => diagnostics.push(diagnostic),
  })
  if (root.kind !== 'group') throw new Error('a TIFF file is a group')
  return { root, diagnostics }
}

/** What lies at a path. */
export function memberAt(root: VirtualGroup, path: string): Member | undefined {
  let member: Member | undefined = root
  for (const name of path.split('/')) member = member?.kind === 'group' ? member.members.get(name) : undefined
  return member
}

/** The array at a path. */
export function arrayAt(root: VirtualGroup, path: string): VirtualArray {
  const member = memberAt(root, path)
  if (member?.kind === 'array') return member
  throw new Error(`${path} is ${member?.kind ?? 'nothing'}: ${member?.kind === 'skipped' ? member.reason : ''}`)
}
