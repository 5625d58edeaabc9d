import type { DmrAttribute, DmrEnumeration, DmrGroup, DmrVariable } from './document.ts'
import type { InlineBudget } from './inline-budget.ts'

/** What an open element is, and so what its children mean. */
export type Frame =
  | { readonly kind: 'group'; readonly group: DmrGroup }
  | { readonly kind: 'variable'; readonly variable: DmrVariable }
  | { readonly kind: 'enumeration'; readonly enumeration: DmrEnumeration }
  | { readonly kind: 'attribute'; readonly attribute: DmrAttribute }
  /** Values of text: `vlsa`. */
  | { readonly kind: 'texts'; readonly values: string[]; readonly variable: DmrVariable }
  /** Its text is wanted when it ends. */
  | { readonly kind: 'text'; take(text: string): void }
  /** Nothing of it is. */
  | { readonly kind: 'other' }

/** What the handlers of elements share. */
export interface Building {
  /** The number of a file that a chunk names. */
  fileOf(href: string | undefined): number
  /** Length of a dimension as seen from a group. */
  dimensionLength(group: DmrGroup, name: string): number | undefined
  /** Counts what takes memory. */
  count(): void
  /** Counts bytes of values within the document. */
  readonly spend: InlineBudget
}

export const OTHER: Frame = { kind: 'other' }
