import type { ComposedArray, Operation } from '../model/virtual-store.ts'
import { coarsenRules } from './coarsen.ts'
import { maskRules } from './mask.ts'
import { concatRules, memberRules, mosaicRules } from './members.ts'
import type { OperationRules } from './operation-rules.ts'
import { reverseRules } from './reverse.ts'
import { rechunkRules, windowRules } from './window.ts'

type RulesOf<Kind extends Operation['kind']> = OperationRules<Extract<Operation, { readonly kind: Kind }>>

const RULES: { readonly [Kind in Operation['kind']]: RulesOf<Kind> } = {
  window: windowRules,
  rechunk: rechunkRules,
  concat: concatRules,
  mosaic: mosaicRules,
  member: memberRules,
  mask: maskRules,
  coarsen: coarsenRules,
  reverse: reverseRules,
}

/** The rules of the operation that an array is composed by. */
export function rulesOf({ operation }: Pick<ComposedArray, 'operation'>): OperationRules<Operation> {
  return rulesOfKind(operation.kind)
}

export function rulesOfKind(kind: Operation['kind']): OperationRules<Operation> {
  // The rules of a kind are given arrays of that kind alone.
  return RULES[kind] as unknown as OperationRules<Operation>
}
