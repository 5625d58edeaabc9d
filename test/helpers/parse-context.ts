import { DEFAULT_PARSE_OPTIONS, type ParseContext, type ParseOptions } from '../../src/formats/format.ts'
import type { Diagnostic } from '../../src/model/virtual-store.ts'

/** The world of a file that refers to no other: it keeps what the parser says. */
export function parseContext(options: Partial<ParseOptions> = {}) {
  const diagnostics: Diagnostic[] = []
  const context: ParseContext = {
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
