// What processes of one service say to each other: workers to their primary, which passes on what concerns the others.

/** What one worker wants of all others. */
export type Question =
  | { readonly kind: 'metrics' }
  /** A join document that was posted to one of them, in base64. */
  | { readonly kind: 'hold'; readonly document: string }

/** How often clients asked, for limits that count over all workers. */
export type Taken = readonly (readonly [client: string, count: number])[]

export type FromWorker =
  | { readonly kind: 'listening' }
  | { readonly kind: 'opening'; readonly source: string }
  | { readonly kind: 'opened'; readonly source: string }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'answer'; readonly id: number; readonly value: string }
  | { readonly kind: 'taken'; readonly taken: Taken }

export type ToWorker =
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  | { readonly kind: 'answers'; readonly id: number; readonly values: readonly string[] }
  | { readonly kind: 'taken'; readonly taken: Taken }
  /** Sources that are not opened before then, in milliseconds after 1970 began. */
  | { readonly kind: 'refuse'; readonly sources: readonly (readonly [source: string, until: number])[] }
  | { readonly kind: 'drain' }
