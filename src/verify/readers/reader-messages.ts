import type { Box } from '../../model/virtual-store.ts'
import type { Found, Values, Wanted } from './reader.ts'

/** What a reader is asked, one question after the other. */
export type ToReader =
  | { readonly kind: 'open'; readonly format: string; readonly place: string }
  | { readonly kind: 'find'; readonly wanted: Wanted }
  | { readonly kind: 'read'; readonly wanted: Wanted; readonly box: Box }

/** Its answers, in the same order. */
export type FromReader =
  | { readonly kind: 'opened'; readonly name: string }
  | { readonly kind: 'found'; readonly found: Found | string }
  | { readonly kind: 'values'; readonly values: Values }
  | { readonly kind: 'failed'; readonly message: string }
