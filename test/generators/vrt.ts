import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Choices } from '../helpers/choices.ts'
import { readReference, type WrittenRaster } from '../helpers/raster-reference.ts'
import { filesBelow, testStores } from '../helpers/test-stores.ts'
import { ElementCounts, type GeneratorReport } from './generator.ts'
import { RasterReport } from './raster-report.ts'
import { VRT_ELEMENTS, vrtDocument } from './vrt-grammar.ts'
import { VRT_RASTERS } from './vrt-rasters.ts'

export const name = 'vrt'

const BATCH = 500

/** Random virtual rasters, as rasterio and as the service read them. */
export async function generate(seed: number, count: number): Promise<GeneratorReport> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'generate-vrt-')))
  const stores = testStores(filesBelow(pathToFileURL(`${folder}/`)))
  const report = new RasterReport()
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

/** Documents that others have for sources. */
const NESTED: Readonly<Record<string, string>> = {
  'inner.vrt': `<VRTDataset rasterXSize="32" rasterYSize="32"><VRTRasterBand dataType="Byte" band="1"><NoDataValue>3</NoDataValue>
<ComplexSource><SourceFilename relativeToVRT="1">uint8.tif</SourceFilename><SourceBand>1</SourceBand><SrcRect xOff="0" yOff="0" xSize="24" ySize="20"/><DstRect xOff="5" yOff="2" xSize="24" ySize="20"/><NODATA>1</NODATA></ComplexSource></VRTRasterBand></VRTDataset>`,
  'inner_masked.vrt': `<VRTDataset rasterXSize="32" rasterYSize="32"><VRTRasterBand dataType="Int16" band="1">
<SimpleSource><SourceFilename relativeToVRT="1">int16.tif</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>
<MaskBand><VRTRasterBand dataType="Byte"><SimpleSource><SourceFilename relativeToVRT="1">uint8_mask.tif</SourceFilename><SourceBand>mask,1</SourceBand></SimpleSource></VRTRasterBand></MaskBand></VRTDataset>`,
}
