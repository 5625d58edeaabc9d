import { lazily } from '../../../lazily.ts'
import { type Condition, type KeyOf, mostSpecific } from './conditions.ts'
import { codeLines } from './text.ts'

interface Definition {
  readonly folder: string
  readonly name: string
  readonly conditions: readonly Condition[]
}

/** Types of levels and steps; data sets that a centre's messages belong to, and which edition of the parameters' names holds for them. */
const KINDS = ['level', 'step', 'dataset', 'names', 'byTables'] as const

const definitions = lazily(() => {
  const kinds = new Map<string, Definition[]>(KINDS.map((kind) => [kind, []]))
  for (const line of codeLines('levels')) {
    const [kind = '', folder = '', name = '', ...written] = line.split(' ')
    const conditions = written.map((condition) => {
      const [key = '', value = ''] = condition.split('=')
      return { key, value }
    })
    kinds.get(kind)?.push({ folder, name, conditions })
  }
  return kinds
})

/** What is said of a kind by folders taken together; undefined where none knows it. */
export function findNamed(kind: (typeof KINDS)[number], folders: readonly string[], keyOf: KeyOf): string | undefined {
  const all = definitions().get(kind) ?? []
  const ordered = folders.flatMap((folder) => all.filter((definition) => definition.folder === folder))
  return mostSpecific(ordered, keyOf)?.name
}
