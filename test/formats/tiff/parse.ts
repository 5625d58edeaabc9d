import type { ParseOptions } from '../../../src/formats/format.ts'
import { tiff } from '../../../src/formats/tiff/index.ts'
import type { Diagnostic, VirtualGroup } from '../../../src/model/virtual-store.ts'
import type { Source } from '../../../src/source/source.ts'
import { countingSource } from '../../helpers/counting-source.ts'
import { parseContext } from '../../helpers/parse-context.ts'

export interface Parsed {
  readonly root: VirtualGroup
  readonly diagnostics: readonly Diagnostic[]
}

/** Parses a file in memory. */
export async function parseTiff(file: Uint8Array | Source, options: Partial<ParseOptions> = {}): Promise<Parsed> {
  const { context, diagnostics } = parseContext(options)
  const root = await tiff.parse(file instanceof Uint8Array ? countingSource(file) : file, context)
  if (root.kind !== 'group') throw new Error('a TIFF file is a group')
  return { root, diagnostics }
}
