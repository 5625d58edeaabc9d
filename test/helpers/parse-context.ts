import { DEFAULT_PARSE_OPTIONS, type ParseContext, type ParseOptions } from '../../src/formats/format.ts'
import type { Diagnostic } from '../../src/model/virtual-store.ts'

/** What parsers of files that keep no versions never ask for. */
export const ALONE: Pick<ParseContext, 'referenceIf' | 'isVersion' | 'room'> = {
  referenceIf: () => {
    throw new Error('nothing is referred to in one version')
  },
  isVersion: () => undefined,
  room: (_bytes, work) => work(),
}

/** The world of a file that refers to no other: it keeps what the parser says. */
export function parseContext(options: Partial<ParseOptions> = {}) {
  const diagnostics: Diagnostic[] = []
  const context: ParseContext = {
    ...ALONE,
    options: { ...DEFAULT_PARSE_OPTIONS, ...options },
    open: () => Promise.reject(new Error('nothing else is opened')),
    list: () => Promise.reject(new Error('nothing is listed')),
    reference: () => {
      throw new Error('nothing else is referred to')
    },
    warn: (diagnostic) => diagnostics.push(diagnostic),
  }
  return { context, diagnostics }
}
