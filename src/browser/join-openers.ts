import type { OPENERS as IN_NODE } from '../service/join/openers.ts'

/** What is made of many sources is loaded when a page meets such a source. */
export const OPENERS: typeof IN_NODE = {
  openDocument: async (...given) => await (await import('../service/join/open-documents.ts')).openDocument(...given),
  openPattern: async (...given) => await (await import('../service/join/open-documents.ts')).openPattern(...given),
  openStac: async (...given) => await (await import('../service/join/open-stac.ts')).openStac(...given),
  openVrt: async (...given) => await (await import('../service/join/open-vrt.ts')).openVrt(...given),
}
