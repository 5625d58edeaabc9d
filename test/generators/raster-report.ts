import type { Diagnostic } from '../../src/model/virtual-store.ts'
import { compareRasters, type RasterDifference } from '../helpers/compare-rasters.ts'
import type { ReferenceRaster } from '../helpers/raster-reference.ts'
import { readServed } from '../helpers/served-raster.ts'
import type { TestStores } from '../helpers/test-stores.ts'
import type { AnnouncedDifference, Difference } from './generator.ts'

/** Rasters as the reference and the service read them: what differs in silence, and what a refusal or a diagnostic announces. */
export class RasterReport {
  readonly differences: Difference[] = []
  readonly announced: AnnouncedDifference[] = []

  async compare(index: number, document: string, reference: ReferenceRaster, stores: TestStores, url: string) {
    const ours = await readServed(stores.open(url))
    if (reference.error !== undefined) {
      const shown = 'refusal' in ours ? ours.refusal.code : 'served'
      const reason = `the reference refuses it, ours: ${shown}`
      this.announced.push({ index, document, what: 'document', reference: reference.error, ours: shown, reason })
      return
    }
    if ('refusal' in ours) {
      const { code, message } = ours.refusal
      const reason = `${code}: ${message.replaceAll(/file:\S+|[`"][^`"]*[`"]|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/g, '…')}`
      this.announced.push({ index, document, what: 'document', reference: 'read', ours: message, reason })
      return
    }
    for (const difference of compareRasters(reference, ours)) {
      const reason = announcement(difference, ours.diagnostics)
      if (reason === undefined) this.differences.push({ index, document, ...difference })
      else this.announced.push({ index, document, ...difference, reason })
    }
  }
}

/** Diagnostics that say of a part of a raster that it is not what the reference reads. */
const ANNOUNCING: readonly (readonly [what: RegExp, code: string])[] = [
  // The nodata value is none of the type, or infinite in it.
  [/^(?:nodata|mask) /, 'sentinel-dropped'],
  [/^(?:nodata|mask) /, 'overflow-to-infinity'],
]

/** The diagnostic that announces a difference. */
function announcement({ what }: RasterDifference, diagnostics: readonly Diagnostic[]): string | undefined {
  const found = ANNOUNCING.find(
    ([pattern, wanted]) => pattern.test(what) && diagnostics.some(({ code }) => code === wanted),
  )
  if (found !== undefined) return `diagnostic ${found[1]}`
  const isOfBits = diagnostics.some(({ message }) => /^NBITS of /.test(message))
  return isOfBits && what.startsWith('values ') ? 'diagnostic vrt-element-ignored: NBITS' : undefined
}
