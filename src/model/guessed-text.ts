import type { Diagnostic } from './virtual-store.ts'

/** What is told of names or texts that are not in UTF-8 (`anyText`): which they are, and where. */
export function encodingGuessed(
  kind: 'name' | 'text',
  what: string,
  path: string | undefined,
  values: readonly string[],
): Diagnostic {
  return { code: `${kind}-encoding-guessed`, message: `${what} is not UTF-8: taken for Latin-1`, path, values }
}
