import { lazily } from '../../../lazily.ts'
import { type Condition, type KeyOf, mostSpecific } from './conditions.ts'
import { codeLines } from './text.ts'

interface Definition {
  readonly folder: string
  readonly name: string
  readonly conditions: readonly Condition[]
}

const definitions = lazily(() => {
  const kinds = new Map<string, Definition[]>([
    ['level', []],
    ['step', []],
  ])
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

/** The name of a type of level (or step) by folders taken together; undefined where none knows it. */
export function findNamed(kind: 'level' | 'step', folders: readonly string[], keyOf: KeyOf): string | undefined {
  const all = definitions().get(kind) ?? []
  const ordered = folders.flatMap((folder) => all.filter((definition) => definition.folder === folder))
  return mostSpecific(ordered, keyOf)?.name
}
