import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Diagnostic } from '../../src/model/virtual-store.ts'
import { Choices } from '../helpers/choices.ts'
import { compareRasters, type RasterDifference } from '../helpers/compare-rasters.ts'
import { type ReferenceRaster, readReference, type WrittenRaster } from '../helpers/raster-reference.ts'
import { readServed } from '../helpers/served-raster.ts'
import { filesBelow, type TestStores, testStores } from '../helpers/test-stores.ts'
import { type AnnouncedDifference, type Difference, ElementCounts, type GeneratorReport } from './generator.ts'
import { VRT_ELEMENTS, VRT_RASTERS, vrtDocument } from './vrt-grammar.ts'

export const name = 'vrt'

const BATCH = 500

/** Random virtual rasters, as rasterio and as the service read them. */
export async function generate(seed: number, count: number): Promise<GeneratorReport> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'generate-vrt-')))
  const stores = testStores(filesBelow(pathToFileURL(`${folder}/`)))
  const report = new Report()
  const counts = new ElementCounts(VRT_ELEMENTS)
  try {
    for (let from = 0; from < count; from += BATCH) {
      const documents = Array.from({ length: Math.min(BATCH, count - from) }, (_none, at) =>
        vrtDocument(new Choices(seed, from + at), counts),
      )
      const names = documents.map((text, at) => {
        const file = `d${from + at}.vrt`
        writeFileSync(join(folder, file), text)
        return file
      })
      const write: readonly WrittenRaster[] = from === 0 ? VRT_RASTERS : []
      for (const [file, text] of Object.entries(from === 0 ? NESTED : {})) writeFileSync(join(folder, file), text)
      const { rasters } = await readReference(folder, names, write)
      for (const [at, reference] of rasters.entries()) {
        const url = pathToFileURL(join(folder, names[at] ?? '')).href
        await report.compare(from + at, documents[at] ?? '', reference, stores, url)
      }
    }
  } finally {
    await stores.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { documents: count, counts: counts.counts, differences: report.differences, announced: report.announced }
}

class Report {
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

/** The diagnostic that says of this difference that it is one. */
function announcement({ what }: RasterDifference, diagnostics: readonly Diagnostic[]): string | undefined {
  if (/^(?:nodata|mask) /.test(what) && diagnostics.some(({ code }) => code === 'sentinel-dropped'))
    return 'sentinel-dropped: the nodata value is none of the type'
  if (/^values /.test(what) && diagnostics.some(({ message }) => /^NBITS of /.test(message)))
    return 'vrt-element-ignored: NBITS'
  return undefined
}

/** Documents that others have for sources. */
const NESTED: Readonly<Record<string, string>> = {
  'inner.vrt': `<VRTDataset rasterXSize="32" rasterYSize="32"><VRTRasterBand dataType="Byte" band="1"><NoDataValue>3</NoDataValue>
<ComplexSource><SourceFilename relativeToVRT="1">uint8.tif</SourceFilename><SourceBand>1</SourceBand><SrcRect xOff="0" yOff="0" xSize="24" ySize="20"/><DstRect xOff="5" yOff="2" xSize="24" ySize="20"/><NODATA>1</NODATA></ComplexSource></VRTRasterBand></VRTDataset>`,
  'inner_masked.vrt': `<VRTDataset rasterXSize="32" rasterYSize="32"><VRTRasterBand dataType="Int16" band="1">
<SimpleSource><SourceFilename relativeToVRT="1">int16.tif</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>
<MaskBand><VRTRasterBand dataType="Byte"><SimpleSource><SourceFilename relativeToVRT="1">uint8_mask.tif</SourceFilename><SourceBand>mask,1</SourceBand></SimpleSource></VRTRasterBand></MaskBand></VRTDataset>`,
}
