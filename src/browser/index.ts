// The package in a browser (docs/library.md): the same library, over what a page may fetch.

import { lazily } from '../lazily.ts'
import { library } from '../library/library.ts'
import { browserSources } from './sources.ts'
import { inlineWorkers } from './workers.ts'

export * from '../library/public.ts'

const workers = lazily(inlineWorkers)

export const { openVirtual, virtualStore } = library({
  urlOf: (text) => new URL(text, (globalThis as { readonly location?: URL }).location?.href).href,
  sourcesFor: () => browserSources(),
  workers,
})
