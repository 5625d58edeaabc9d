import { copyFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Choices } from '../helpers/choices.ts'
import { readReference, type WrittenRaster } from '../helpers/raster-reference.ts'
import { filesBelow, testStores } from '../helpers/test-stores.ts'
import { DEGREES, GdalElements, METRES } from './gdal-elements.ts'
import { ElementCounts, type GeneratorReport } from './generator.ts'
import { RasterReport } from './raster-report.ts'
import { SPELLINGS, type XmlNode, XmlSpeller } from './xml-speller.ts'

export const name = 'pam'

const BATCH = 500
const WHOLE = [0, 1, 2, 3, 4, 5, 6, 7]
const FRACTIONS = [0, 1.25, 2, 3, 3.5, -1, 5, 'nan']

function rows(values: readonly unknown[], step: number): unknown[][] {
  return [0, 1, 2, 3].map((row) => [0, 1, 2, 3, 4, 5].map((column) => values[(row * step + column) % values.length]))
}

/** Images that say neither where they lie nor what is missing: of others, their own word counts. */
const RASTERS: readonly (WrittenRaster & { readonly bands: number })[] = [
  { name: 'uint8.tif', dtype: 'uint8', values: rows(WHOLE, 1), bands: 1 },
  { name: 'int16.tif', dtype: 'int16', values: rows(WHOLE, 2), bands: 1 },
  { name: 'uint16.tif', dtype: 'uint16', values: rows(WHOLE, 3), bands: 1 },
  { name: 'float32.tif', dtype: 'float32', values: rows(FRACTIONS, 1), bands: 1 },
  { name: 'float64.tif', dtype: 'float64', values: rows(FRACTIONS, 2), bands: 1 },
  { name: 'int64.tif', dtype: 'int64', values: rows(WHOLE, 2), bands: 1 },
  { name: 'two.tif', dtype: 'uint8', values: [rows(WHOLE, 1), rows(WHOLE, 3)], bands: 2 },
]

const ELEMENTS = [
  'PAMDataset',
  'SRS',
  'SRS@dataAxisToSRSAxisMapping',
  'GeoTransform',
  'GCPList',
  'GCPList@Projection',
  ...['Id', 'Pixel', 'Line', 'X', 'Y', 'Z'].map((key) => `GCP@${key}`),
  'Metadata',
  'Metadata@domain',
  'MDI',
  'MDI@key',
  'PAMRasterBand',
  'PAMRasterBand@band',
  'PAMRasterBand@band beyond the bands',
  'NoDataValue',
  'NoDataValue@le_hex_equiv',
  'NoDataValue no value of the type',
  'Description',
  'UnitType',
  'Scale',
  'Offset',
  'ColorInterp',
  'ColorTable',
  'CategoryNames',
  'Histograms',
  'GDALRasterAttributeTable',
  'unknown of the dataset',
  'unknown of a band',
] as const

/** Random `.aux.xml` beside small TIFFs, as rasterio and as the service read these. */
export async function generate(seed: number, count: number): Promise<GeneratorReport> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'generate-pam-')))
  const stores = testStores(filesBelow(pathToFileURL(`${folder}/`)))
  const report = new RasterReport()
  const counts = new ElementCounts([...SPELLINGS, ...ELEMENTS])
  try {
    await readReference(folder, [], RASTERS)
    for (let from = 0; from < count; from += BATCH) {
      const documents = Array.from({ length: Math.min(BATCH, count - from) }, (_none, at) => {
        const choices = new Choices(seed, from + at)
        const raster = choices.one(RASTERS as [(typeof RASTERS)[number], ...(typeof RASTERS)[number][]])
        const file = `d${from + at}.tif`
        const text = new PamWriter(choices, counts).document(raster)
        copyFileSync(join(folder, raster.name), join(folder, file))
        writeFileSync(join(folder, `${file}.aux.xml`), text)
        return { file, text: `beside ${raster.name}: ${text}` }
      })
      const { rasters } = await readReference(
        folder,
        documents.map(({ file }) => file),
      )
      for (const [at, reference] of rasters.entries()) {
        const { file = '', text = '' } = documents[at] ?? {}
        await report.compare(from + at, text, reference, stores, pathToFileURL(join(folder, file)).href)
      }
    }
  } finally {
    await stores.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { documents: count, counts: counts.counts, differences: report.differences, announced: report.announced }
}

class PamWriter {
  readonly #choices: Choices
  readonly #counts: ElementCounts
  readonly #elements: GdalElements

  constructor(choices: Choices, counts: ElementCounts) {
    this.#choices = choices
    this.#counts = counts
    this.#elements = new GdalElements(choices, counts)
  }

  document(raster: (typeof RASTERS)[number]): string {
    this.#elements.count('PAMDataset')
    const bands = Array.from({ length: raster.bands }, (_none, at) => this.#band(at + 1, raster.dtype))
    const beyond = this.#elements.maybe(0.05, () => {
      this.#elements.count('PAMRasterBand@band beyond the bands')
      return this.#band(raster.bands + 1, raster.dtype)
    })
    const children: XmlNode[] = [
      ...this.#elements.maybe(0.4, () => this.#elements.srs()),
      ...this.#elements.maybe(0.4, () => this.#elements.geoTransform(() => this.#choices.one([METRES, DEGREES]))),
      ...this.#elements.maybe(0.06, () => this.#points()),
      ...this.#elements.maybe(0.2, () => this.#metadata()),
      ...this.#elements.maybe(0.03, () => this.#elements.ignored('Foo', 'unknown of the dataset')),
      ...bands,
      ...beyond,
    ]
    return new XmlSpeller(this.#choices, this.#counts).spell({ name: 'PAMDataset', children }, true)
  }

  #points(): XmlNode {
    this.#elements.count('GCPList')
    this.#elements.count('GCPList@Projection')
    const children = [0, 1, 2].map((at): XmlNode => {
      const numbers = { Id: at, Pixel: at, Line: at % 2, X: 10 + at, Y: 20 - at, Z: 0 }
      for (const key of Object.keys(numbers)) this.#elements.count(`GCP@${key}`)
      return { name: 'GCP', attributes: Object.entries(numbers).map(([key, value]) => [key, String(value)]) }
    })
    return { name: 'GCPList', isPlain: true, attributes: [['Projection', 'EPSG:4326']], children }
  }

  #metadata(): XmlNode {
    const domain = this.#choices.isTrue(0.4) ? 'OTHER' : undefined
    return this.#elements.metadata({ domain, key: 'WEATHER', value: 'fair' })
  }

  #band(at: number, dtype: string): XmlNode {
    this.#elements.count('PAMRasterBand')
    this.#elements.count('PAMRasterBand@band')
    const children: XmlNode[] = [
      ...this.#elements.maybe(0.6, () => this.#nodata(dtype)),
      ...this.#elements.maybe(0.1, () => this.#elements.text('Description', 'a band')),
      ...this.#elements.maybe(0.1, () => this.#elements.text('UnitType', 'm')),
      ...this.#elements.maybe(0.2, () => this.#elements.number('Scale', this.#choices.one(['0.5', '2', '0.1', '1']))),
      ...this.#elements.maybe(0.2, () =>
        this.#elements.number('Offset', this.#choices.one(['-3', '0.25', '0', '100'])),
      ),
      ...this.#elements.maybe(0.05, () => this.#elements.text('ColorInterp', 'Gray')),
      ...['ColorTable', 'CategoryNames', 'Histograms', 'GDALRasterAttributeTable'].flatMap((name) =>
        this.#elements.maybe(0.03, () => this.#elements.ignored(name, name)),
      ),
      ...this.#elements.maybe(0.1, () => this.#metadata()),
      ...this.#elements.maybe(0.03, () => this.#elements.ignored('Bar', 'unknown of a band')),
    ]
    return { name: 'PAMRasterBand', attributes: [['band', String(at)]], children }
  }

  #nodata(dtype: string): XmlNode {
    const isFloat = dtype.startsWith('float')
    const kind = this.#choices.fraction()
    if (kind < 0.06) {
      this.#elements.count('NoDataValue no value of the type')
      return this.#elements.number('NoDataValue', isFloat ? '1e300' : '2.5')
    }
    const text = this.#choices.one<string>(['0', '1', '3', '5', '100', ...(isFloat ? ['nan', '-inf', '3.5'] : [])])
    // Of 64 bits GDAL reads digits only: 1e2 is 1.
    const node =
      dtype === 'int64' ? this.#elements.text('NoDataValue', text) : this.#elements.number('NoDataValue', text)
    // Of 64 bits GDAL reads the text for the value, and the bytes for the mask.
    if (kind > 0.18 || dtype === 'int64') return node
    // GDAL writes the bytes of the value beside its text, and goes by these.
    this.#elements.count('NoDataValue@le_hex_equiv')
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(7)
    return { ...node, isPlain: true, attributes: [['le_hex_equiv', bytes.toString('hex')]] }
  }
}
