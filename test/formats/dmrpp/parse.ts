import { dmrpp } from '../../../src/formats/dmrpp/index.ts'
import { DEFAULT_PARSE_OPTIONS, type ParseContext, type ParseOptions } from '../../../src/formats/format.ts'
import type { Diagnostic, VirtualGroup } from '../../../src/model/virtual-store.ts'
import { memorySource } from '../../../src/source/memory.ts'
import { ALONE } from '../../helpers/parse-context.ts'

export const SIDECAR = 'https://example.org/folder/data.h5.dmrpp'

export interface Parsed {
  readonly root: VirtualGroup
  readonly diagnostics: readonly Diagnostic[]
  /** URLs of each reference, in the order in which they are tried; 0 is the sidecar. */
  readonly references: readonly (readonly string[])[]
}

/** A whole document around elements. */
export function documentOf(inner: string, attributes = 'dmrpp:href="data.h5" dmrpp:version="3.21"'): string {
  return `<?xml version="1.0" encoding="ISO-8859-1"?>
<Dataset xmlns="http://xml.opendap.org/ns/DAP/4.0#" xmlns:dmrpp="http://xml.opendap.org/dap/dmrpp/1.0.0#"
 dapVersion="4.0" dmrVersion="1.0" name="data.h5" ${attributes}>${inner}</Dataset>`
}

export async function parse(
  document: string | Uint8Array,
  options: Partial<ParseOptions> = {},
  url = SIDECAR,
): Promise<Parsed> {
  const bytes = typeof document === 'string' ? new TextEncoder().encode(document) : document
  const diagnostics: Diagnostic[] = []
  const references: string[][] = [[url]]
  const context: ParseContext = {
    ...ALONE,
    options: { ...DEFAULT_PARSE_OPTIONS, ...options },
    open: async () => {
      throw new Error('GEN-10: nothing else is read while parsing')
    },
    list: async () => {
      throw new Error('GEN-10: nothing is listed while parsing')
    },
    reference: (first, ...others) => references.push([first, ...others]) - 1,
    warn: (diagnostic) => diagnostics.push(diagnostic),
  }
  const root = await dmrpp.parse(memorySource(url, bytes), context)
  if (root.kind !== 'group') throw new Error('a sidecar is a group')
  return { root, diagnostics, references }
}
