import { VirtualZarrError } from '../../errors.ts'
import { publicUrl } from '../../source/public-url.ts'
import type { Sources } from '../../source/source.ts'

/** The same sources for a file that a document elsewhere named: nothing is read by it that the document may not name (COMB, guard). */
export function referredSources(sources: Sources, referrer: string): Sources {
  return {
    ...sources,
    open: (url, options) => sources.openReference(url, referrer, options),
    known: (url, told) => sources.known(url, told, referrer),
    object: (url, options) => sources.object(url, { ...options, referrer }),
    list(folder, options) {
      if (folder.startsWith('file:') && !referrer.startsWith('file:')) {
        throw new VirtualZarrError('source-forbidden', 'a remote document may not list local folders', {
          url: publicUrl(folder),
        })
      }
      return sources.list(folder, { ...options, referrer })
    },
  }
}
